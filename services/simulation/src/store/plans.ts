import { randomBytes } from 'node:crypto';
import { type BeaconChain, nextRound } from '@husky/match/beacon';
import { type BeaconRound, nameHash, PUBLIC_RANDOMNESS_VERSION, type TakenSeeds } from '@husky/match/commitment';
import type { StacksMode } from '@husky/match/stacks';
import { json, sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import { rotated } from '../domain/block-design.ts';
import type { ChainRecord } from '../domain/commitment-chain.ts';
import { type Blinds, type Limits, type SeatPlan, tableSize } from '../domain/job.ts';
import { type Plan, type PlanName, writePlan } from '../domain/plan.ts';
import { deletedAmong } from '../event/store/quotas.ts';
import { appendCommitments, readRecord } from './commitments.ts';
import { readSeeds, takeSeeds } from './seed-lists.ts';

/** Usernames by user id at the time of a plan. */
export type Usernames = ReadonlyMap<string, string>;

/** What a plan is written with. */
export interface Planning {
  readonly names: Usernames;
  readonly now: number;
  /** The beacon for which the matches wait; null: none is configured. */
  readonly beacon: BeaconChain | null;
}

/**
 * Stores a plan, takes the seeds of its matches and appends its record to the chain. Call it before the first seed of what is planned is used.
 * Holds the chain's lock until the transaction ends.
 */
export async function insertPlan(
  client: pg.ClientBase,
  plan: Omit<Plan, 'seeds' | 'beacon'>,
  { names, now, beacon: chain }: Planning,
): Promise<PlannedRules> {
  const { rulesVersion, limits, tables } = plan;
  const seeds = rulesVersion < PUBLIC_RANDOMNESS_VERSION ? null : await takeSeeds(client, tables.length, now);
  const beacon = seeds && chain && { chain: chain.hash, round: nextRound(chain, now) };
  const { openings } = await openNames(client, plan.roster, names);
  const { text, hash } = writePlan({ ...plan, seeds, beacon }, openings);
  const [number = 0] = await appendCommitments(client, [{ kind: 'plan', id: plan.id, commitment: hash, seeds }], now);
  await storePlan(client, { id: plan.id, text, hash, number, beacon }, openings);
  return { hash, limits, rulesVersion, seeds, beacon };
}

/** Returns the names of a roster with salts, and their hashes; deleted users have none. */
export async function openNames(
  client: pg.ClientBase,
  roster: readonly { readonly userId: string }[],
  names: Usernames,
) {
  const openings = new Map<string, PlanName>();
  const deleted = await deletedAmong(
    client,
    roster.map(({ userId }) => userId),
  );
  for (const { userId } of roster) {
    const name = names.get(userId);
    if (name === undefined || openings.has(userId) || deleted.has(userId)) continue;
    openings.set(userId, { userId, name, salt: randomBytes(16).toString('hex') });
  }
  const hashOf = (userId: string) => {
    const opening = openings.get(userId);
    return opening ? nameHash(opening.salt, opening.name) : '';
  };
  return { openings: [...openings.values()], hashOf };
}

/** Stores the text of a plan, whose record is appended, with the names behind its hashes. */
export async function storePlan(
  client: pg.ClientBase,
  { id, text, hash, number, beacon }: { id: string; text: string; hash: string; number: number; beacon: object | null },
  openings: readonly PlanName[],
): Promise<void> {
  await client.query(
    sql`INSERT INTO plans (id, text, hash, commitment_number, beacon)
        VALUES (${id}, ${text}, ${hash}, ${number}, ${beacon && json(beacon)})`,
  );
  await client.query(
    sql`INSERT INTO plan_names (plan_id, user_id, name, salt)
        SELECT ${id}, "userId", name, salt FROM jsonb_to_recordset(${json(openings)}) AS n("userId" uuid, name text, salt text)`,
  );
}

/** What the matches of a plan are created with. */
export interface PlannedRules {
  readonly hash: string;
  readonly limits: Limits;
  readonly rulesVersion: number;
  /** Null: seeds are drawn alone. */
  readonly seeds: TakenSeeds | null;
  /** Without a signature until the round is known; null: none is waited for. */
  readonly beacon: (Omit<BeaconRound, 'signature'> & { readonly signature?: string }) | null;
}

export async function findPlannedRules(client: pg.Pool | pg.ClientBase, id: string): Promise<PlannedRules | undefined> {
  const { rows } = await client.query<PlannedRules>(
    sql`SELECT hash, text::jsonb -> 'limits' AS limits, (text::jsonb ->> 'rulesVersion')::int AS "rulesVersion",
          text::jsonb -> 'seeds' AS seeds, beacon
        FROM plans WHERE id = ${id}`,
  );
  return rows[0];
}

/** Returns whether the matches of a plan can be dealt: the round of its beacon is known, or none is waited for. */
export const isDealable = ({ beacon }: Pick<PlannedRules, 'beacon'>): boolean =>
  beacon?.signature !== undefined || beacon === null;

/** How long matches wait before they are tried again while the round of their beacon is not known. */
export const beaconRetryMs = 1000;

/** What the matches of a deal set are dealt from. */
export interface Deal {
  readonly seed: Buffer;
  readonly seeds: { readonly list: number; readonly number: number } | null;
  readonly beacon: BeaconRound | null;
}

/** Returns the deals of places of a plan, from 0, which is dealable. Without seeds of a list seeds are drawn. */
export async function dealsOf(
  client: pg.ClientBase,
  plan: PlannedRules | undefined,
  places: readonly number[],
): Promise<Deal[]> {
  if (!plan?.seeds) return places.map(() => ({ seed: randomBytes(32), seeds: null, beacon: null }));
  const { list, first } = plan.seeds;
  const numbers = places.map((place) => first + place);
  const seeds = await readSeeds(client, list, numbers);
  const beacon = plan.beacon as BeaconRound | null;
  return seeds.map((seed, index) => ({ seed, seeds: { list, number: numbers[index] ?? 0 }, beacon }));
}

/** Condition on plans whose beacon's round is not known yet. They have an index. */
const isAwaited = sql`NOT beacon ? 'signature'`;

/** Returns, for each of these plans whose beacon's round is not known yet, what its matches wait for. */
export async function beaconReasons(pool: pg.Pool, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ id: string; round: number }>(
    sql`SELECT id, (beacon ->> 'round')::float8 AS round FROM plans
        WHERE id = ANY (${ids}::uuid[]) AND ${isAwaited}`,
  );
  return new Map(
    rows.map(({ id, round }) => [id, `Waits for round ${round} of the public beacon, from which its cards are dealt.`]),
  );
}

/** Returns the rounds of beacons that plans wait for. */
export async function awaitedRounds(pool: pg.Pool): Promise<Omit<BeaconRound, 'signature'>[]> {
  const { rows } = await pool.query<Omit<BeaconRound, 'signature'>>(
    sql`SELECT DISTINCT beacon ->> 'chain' AS chain, (beacon ->> 'round')::float8 AS round FROM plans
        WHERE ${isAwaited} ORDER BY round`,
  );
  return rows;
}

/** Stores a round of a beacon with the plans that wait for it. */
export async function storeRound(pool: pg.Pool, { chain, round, signature }: BeaconRound): Promise<void> {
  await pool.query(
    sql`UPDATE plans SET beacon = beacon || jsonb_build_object('signature', ${signature}::text)
        WHERE beacon = ${json({ chain, round })} AND ${isAwaited}`,
  );
}

export interface StoredPlan {
  readonly id: string;
  readonly text: string;
  readonly record: ChainRecord;
  readonly names: readonly PlanName[];
}

/** Returns the plan of a batch, a deal set or a match; undefined: it has none. */
export async function findPlan(pool: pg.Pool, id: string): Promise<StoredPlan | undefined> {
  const { rows } = await pool.query<Omit<StoredPlan, 'record'>>(
    sql`SELECT id, text, (SELECT coalesce(json_agg(json_build_object('userId', user_id, 'name', name, 'salt', salt)
            ORDER BY user_id), '[]') FROM plan_names WHERE plan_id = plans.id) AS names
        FROM plans WHERE id = ${id}`,
  );
  const record = rows[0] && (await findPlanRecord(pool, id));
  return rows[0] && record && { ...rows[0], record };
}

/** Returns the record of a plan; undefined: there is none. */
export async function findPlanRecord(pool: pg.Pool, id: string): Promise<ChainRecord | undefined> {
  return readRecord(pool, sql`number = (SELECT commitment_number FROM plans WHERE id = ${id})`);
}

/** Deletes the names of a deleted user, so that the hashes in plans say nothing any more. */
export async function deletePlanNames(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query(sql`DELETE FROM plan_names WHERE user_id = ${userId}`);
}

/** A match without a batch, or one of its deal set. */
interface PlannedMatch {
  /** The deal set or the match. */
  readonly holderId: string;
  readonly rotation: number | null;
  readonly seats: readonly SeatPlan[];
  /** Of the first rotation of a trial. */
  readonly other?: SeatPlan;
  readonly numRounds: number;
  readonly blinds: Blinds;
  readonly stacks: StacksMode;
  readonly limits: Limits;
  readonly rulesVersion: number;
}

/** Writes the plan of a match without a batch, or of its deal set. */
export function planOfMatch(client: pg.ClientBase, match: PlannedMatch, planning: Planning): Promise<PlannedRules> {
  const { holderId, rotation, other, numRounds, blinds, stacks, limits, rulesVersion } = match;
  // In the order of the first rotation's seats.
  const seats = rotation === null ? match.seats : rotated(match.seats, tableSize + 1 - rotation);
  const plan = {
    kind: rotation === null ? ('match' as const) : ('deal-set' as const),
    id: holderId,
    roster: other ? [...seats, other] : seats,
    mode: rotation === null ? ('classic' as const) : ('duplicate' as const),
    stacks,
    design: 'all' as const,
    handBudget: null,
    numRounds,
    blinds,
    stopRule: null,
    limits,
    rulesVersion,
    isPublic: false,
    tables: [seats.map((_, place) => place)],
    matches: rotation === null ? 1 : tableSize * (other ? 2 : 1),
  };
  return insertPlan(client, plan, planning);
}
