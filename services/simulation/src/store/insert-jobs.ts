import { randomBytes } from 'node:crypto';
import { JOB_ID_BYTES, jobIdFrom } from '@husky/match/game-id';
import { at, json, sql } from '@husky/runtime/database/sql';
import { currentTraceparent } from '@husky/runtime/telemetry/trace-context';
import type pg from 'pg';
import { rotated } from '../domain/block-design.ts';
import { commitTo } from '../domain/commitment-chain.ts';
import {
  type JobPlan,
  placeInPlan,
  profile,
  queueCost,
  type SeatPlan,
  startingStack,
  tableSize,
} from '../domain/job.ts';
import { initialState, jobState } from '../domain/job-state.ts';
import { chainProblem } from './chain-check.ts';
import { appendCommitments } from './commitments.ts';
import { dealsOf, isDealable, type PlannedRules, type Planning, planOfMatch } from './plans.ts';
import { notifyQueue, reserveTags } from './queue.ts';
import { playableRules } from './runners.ts';

export function newJobId(): string {
  return jobIdFrom(randomBytes(JOB_ID_BYTES));
}

/** Plans the six matches of a deal set. The first has the id and the seats of `match`. */
export function planRotations(match: JobPlan): JobPlan[] {
  return Array.from({ length: tableSize }, (_, index) => ({
    ...match,
    id: index === 0 ? match.id : newJobId(),
    rotation: index + 1,
    seats: rotated(match.seats, index),
  }));
}

/** Plans the twelve matches of a deal set of a trial: the six rotations, then the same with `other` in the place of the first bot. */
export function planTrialSet(match: JobPlan, other: SeatPlan): JobPlan[] {
  const withOther = { ...match, id: newJobId(), seats: [other, ...match.seats.slice(1)] };
  return [match, withOther].flatMap((version, place) =>
    planRotations({ ...version, other }).map((plan) => ({
      ...plan,
      rotation: (plan.rotation ?? 0) + place * tableSize,
    })),
  );
}

interface Insertion {
  readonly now: number;
  readonly paused?: boolean;
  /** Of the owner of a test run. */
  readonly address?: string;
  /** The plan of the batch; absent: it has none. */
  readonly plan?: PlannedRules | undefined;
  /** Of a match or a deal set, whose plan is written here. */
  readonly planning?: Omit<Planning, 'now'>;
}

/**
 * Inserts jobs of the same kind, owner and length with their deal sets. Jobs with the same deal set must be inserted together. If all packages are
 * known, the chain is intact and no round of a beacon is waited for, the seeds are taken, after the plan's record is written, and every job gets its record in the chain. Otherwise
 * the jobs wait for the preparer, those of a batch or a trial cannot be inserted (ChainBroken). Jobs of a paused batch are PAUSED.
 */
export async function insertJobs(
  client: pg.ClientBase,
  plans: readonly JobPlan[],
  { now, paused = false, address = '', plan: batchPlan, planning }: Insertion,
): Promise<void> {
  const [first] = plans;
  if (!first) return;
  const cost = queueCost(first.numRounds);
  const firstTag = await reserveTags(client, first.kind, first.ownerId, cost, plans.length, address);
  const rulesVersion = batchPlan?.rulesVersion ?? (await playableRules(client, now));
  const packagesKnown = plans.every(({ seats }) => seats.every((seat) => seat.packagesHash !== null));
  const known =
    packagesKnown && (first.batchId !== null || first.kind === 'TRIAL' || (await chainProblem(client)) === '');
  const planned =
    batchPlan ??
    (known && planning ? await planOfMatch(client, { ...first, rulesVersion }, { ...planning, now }) : undefined);
  const ready = known && (planned === undefined || isDealable(planned));
  const planHash = planned?.hash ?? '';
  const places = new Map(plans.map((plan) => [plan.dealSetId, placeInPlan(plan)]));
  const dealt = ready ? await dealsOf(client, planned, [...places.values()]) : [];
  const deals = new Map([...places.keys()].map((id, index) => [id, dealt[index]]));
  const jobs = plans.map((plan, index) => {
    const deal = deals.get(plan.dealSetId);
    return {
      ...plan,
      queueTag: firstTag + index * cost,
      state: initialState(ready, paused),
      planHash,
      commitment: deal ? commitTo({ ...plan, ...deal, rulesVersion, planHash }).commitment : '',
    };
  });
  const dealSets = [...deals].map(([id, deal]) => ({ ...deal, id, seed: deal?.seed.toString('hex'), ...deal?.seeds }));
  await client.query(
    sql`INSERT INTO deal_sets (id, seed, seed_list, seed_number, beacon, created_at)
        SELECT id, decode(seed, 'hex'), list, number, nullif(beacon, 'null'), ${at(now)}
        FROM jsonb_to_recordset(${json(dealSets)}) AS d(id uuid, seed text, list int, number int, beacon jsonb)`,
  );
  const committed = jobs.filter((job) => job.commitment !== '');
  const records = committed.map(({ id, commitment }) => ({ id, commitment }));
  const numbers = await appendCommitments(client, records, now);
  const numberOf = new Map(committed.map((job, index) => [job.id, numbers[index]]));
  const rows = jobs.map(({ blinds, seats: _seats, traceContext = currentTraceparent(), ...job }) => ({
    traceContext,
    ...job,
    ...blinds,
    commitmentNumber: numberOf.get(job.id),
  }));
  await client.query(
    sql`INSERT INTO jobs (id, kind, state, owner_id, batch_id, game_number, holder_id, deal_set_id, num_rounds, big_blind,
          blind_multiplier, blind_interval, limits, commitment, commitment_number, plan_hash, queue_tag, starting_stack, rules_version,
          profile, stacks, rotation, public, trace_context, created_at, prepare_after)
        SELECT id, kind, state, "ownerId", "batchId", "gameNumber", "holderId", "dealSetId", "numRounds", "bigBlind",
          multiplier, "interval", limits, commitment, "commitmentNumber", "planHash", "queueTag", ${startingStack}, ${rulesVersion},
          ${profile}, stacks, rotation, coalesce("isPublic", false), "traceContext", ${at(now)}, CASE WHEN state = ${jobState.preparing} THEN ${at(now)} END
        FROM jsonb_to_recordset(${json(rows)}) AS j(id uuid, kind text, state text, "ownerId" uuid, "batchId" uuid,
          "gameNumber" int, "holderId" uuid, "dealSetId" uuid, "numRounds" int, "bigBlind" int, multiplier text,
          "interval" int, stacks text, rotation int, "isPublic" boolean, "traceContext" text, limits jsonb, commitment text, "commitmentNumber" bigint, "planHash" text, "queueTag" float8)
        ORDER BY "queueTag"`,
  );
  const seats = jobs.flatMap(({ id, seats }) => seats.map((seat, index) => ({ ...seat, jobId: id, seat: index })));
  await client.query(
    sql`INSERT INTO job_seats (job_id, seat, user_id, bot_hash, packages_hash, nonce)
        SELECT "jobId", seat, "userId", "botHash", "packagesHash", coalesce(nonce, '')
        FROM jsonb_to_recordset(${json(seats)})
          AS s("jobId" uuid, seat int, "userId" uuid, "botHash" text, "packagesHash" text, nonce text)`,
  );
  if (jobs.some((job) => job.state === jobState.queued)) await notifyQueue(client);
}
