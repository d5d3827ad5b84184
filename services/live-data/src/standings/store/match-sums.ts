import { houseUserId } from '@husky/contracts/house-user';
import { sql } from '@husky/runtime/database/sql';
import type { Database } from '../../store/database.ts';
import { noContest } from '../../store/results.ts';
import type { Scope } from '../domain/packed-standings.ts';

/** A match of a scope without its hands. */
export interface ScopeMatch {
  readonly jobId: string;
  readonly attempt: number;
  readonly seed: Uint8Array;
  readonly players: readonly string[];
  readonly stacks: string;
  readonly bigBlind: number;
  readonly blindMultiplier: string;
  readonly blindInterval: number;
  readonly startingStack: number;
  readonly numRounds: number;
  /** Version of its stored luck values; 0: none. */
  readonly valuesVersion: number;
}

// Matches with the house bot are test runs, which standings leave out. An export of the ladder selects its matches.
const counted = (
  scope: Scope,
) => sql`m.status = 'Finished' AND (NOT m.ladder OR ${scope.selection !== null && !scope.publicOnly}::boolean) AND m.accepted_attempt IS NOT NULL
  AND (m.is_public OR NOT ${scope.publicOnly}::boolean)
  AND (${scope.batchId}::uuid IS NULL OR m.batch_id = ${scope.batchId}::uuid)
  AND (${scope.selection === null}::boolean OR m.job_id = ANY(${scope.selection?.jobIds ?? []}::uuid[])
    OR m.batch_id = ANY(${scope.selection?.batchIds ?? []}::uuid[]))
  AND NOT m.player_ids @> ARRAY[${houseUserId}::uuid]`;

const valuesVersion = sql`coalesce((SELECT max(v.version) FROM match_values v
  WHERE v.job_id = m.job_id AND v.attempt = m.accepted_attempt), 0)`;

/** The inputs of standings as texts that change: `matches` when a match enters or leaves the scope, `values` when luck values are stored. */
export interface ScopeSignature {
  readonly matches: string;
  readonly values: string;
  /** Whether all matches have luck values. */
  readonly complete: boolean;
}

/** Returns the signature of a scope. Results of finished matches never change. */
export async function scopeSignature(db: Database, scope: Scope): Promise<ScopeSignature> {
  const { rows } = await db.pool.query<ScopeSignature>(
    sql`SELECT count(*) || ' ' || coalesce(sum(hashtextextended(m.job_id::text, 0)), 0) AS matches,
        coalesce(sum(s.values), 0)::text AS values, coalesce(bool_and(s.values > 0), true) AS complete
      FROM matches m CROSS JOIN LATERAL (SELECT ${valuesVersion} AS values) s WHERE ${counted(scope)}`,
  );
  return rows[0] ?? { matches: '', values: '', complete: true };
}

/** Returns the matches of a scope by their ids, without those that are no contest. */
export async function scopeMatches(db: Database, scope: Scope): Promise<ScopeMatch[]> {
  const { rows } = await db.pool.query<ScopeMatch>(
    sql`SELECT m.job_id AS "jobId", m.accepted_attempt AS attempt, m.seed, m.player_ids::text[] AS players, m.stacks,
        m.big_blind AS "bigBlind", m.blind_multiplier AS "blindMultiplier", m.blind_interval AS "blindInterval",
        m.starting_stack AS "startingStack", m.num_rounds AS "numRounds",
        ${valuesVersion}::int AS "valuesVersion"
      FROM matches m WHERE ${counted(scope)} AND NOT ${noContest} ORDER BY m.job_id`,
  );
  return rows;
}

/** Returns the stored sums of these matches' accepted attempts, by job id. */
export async function findMatchSums(
  db: Database,
  matches: readonly ScopeMatch[],
): Promise<Map<string, { readonly bytes: Uint8Array; readonly luckVersion: number }>> {
  const rows = await db.prisma.matchSums.findMany({ where: { jobId: { in: matches.map(({ jobId }) => jobId) } } });
  const attempts = new Map(matches.map(({ jobId, attempt }) => [jobId, attempt]));
  return new Map(rows.filter(({ jobId, attempt }) => attempts.get(jobId) === attempt).map((row) => [row.jobId, row]));
}

/** Stores the sums of a match; replaces older ones. Does nothing if the match was deleted meanwhile. */
export async function putMatchSums(
  db: Database,
  { jobId, attempt }: Pick<ScopeMatch, 'jobId' | 'attempt'>,
  luckVersion: number,
  bytes: Uint8Array,
): Promise<void> {
  await db.pool.query(
    sql`INSERT INTO match_sums (job_id, attempt, luck_version, bytes)
      SELECT m.job_id, ${attempt}::int, ${luckVersion}::int, ${Buffer.from(bytes)}::bytea FROM matches m
        WHERE m.job_id = ${jobId}::uuid
      ON CONFLICT (job_id) DO UPDATE SET attempt = excluded.attempt, luck_version = excluded.luck_version, bytes = excluded.bytes`,
  );
}
