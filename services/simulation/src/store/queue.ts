import { at, ids, type Sql, sql, texts } from '@husky/runtime/database/sql';
import { uuidOfText } from '@husky/runtime/process/uuid';
import { accountsOfAddress } from '@husky/runtime/rpc/admission';
import type pg from 'pg';
import { chooseClass, type JobKind, type QueueClass, runnerState, unlistedKinds } from '../domain/job.ts';
import { jobState, pendingStates, statesOn } from '../domain/job-state.ts';

export const queueChannel = 'husky_simulation_queue';
/** The row of queue_classes with the virtual time of the whole queue. */
const wholeQueue = 'ALL';
const claimable = texts(statesOn('claimed'));

/** Wakes one waiting runner of every replica when the transaction commits. */
export async function notifyQueue(client: pg.ClientBase | pg.Pool): Promise<void> {
  await client.query(sql`SELECT pg_notify(${queueChannel}, '')`);
}

/**
 * Reserves places in the queue for `count` jobs of one cost. Returns the tag of the first one; each further tag is `cost` higher.
 * Start-time fair queueing by owner (Goyal, Vin and Cheng, 1996): the tags of an owner's jobs are consecutive; those of a new
 * owner begin at the tag that the class serves now, before the remaining jobs of an owner with many. All owners who call from one
 * address (empty: unknown) have the share of four.
 */
export async function reserveTags(
  client: pg.ClientBase,
  kind: JobKind,
  ownerId: string,
  cost: number,
  count: number,
  address = '',
): Promise<number> {
  const ofOwner = await reserveOf(client, kind, ownerId, cost * count);
  if (address === '') return ofOwner;
  return Math.max(ofOwner, await reserveOf(client, kind, uuidOfText(address), (cost * count) / accountsOfAddress));
}

async function reserveOf(client: pg.ClientBase, kind: JobKind, ownerId: string, cost: number): Promise<number> {
  const total = sql`${cost}::float8`;
  const { rows } = await client.query<{ start: number }>(
    sql`INSERT INTO queue_owners (kind, owner_id, tag)
        SELECT kind, ${ownerId}, served_tag + ${total} FROM queue_classes WHERE kind = ${kind}
        ON CONFLICT (kind, owner_id) DO UPDATE
          SET tag = greatest(queue_owners.tag, excluded.tag - ${total}) + ${total}
        RETURNING tag - ${total} AS start`,
  );
  return rows[0]?.start ?? 0;
}

/** Deletes the tags of owners that have been served: they would begin at the same place without them. */
export async function deleteServedTags(pool: pg.Pool): Promise<void> {
  await pool.query(
    sql`DELETE FROM queue_owners o USING queue_classes c WHERE c.kind = o.kind AND o.tag <= c.served_tag`,
  );
}

export async function hasWaiting(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ waiting: boolean }>(
    sql`SELECT EXISTS (SELECT FROM jobs WHERE state = ANY (${claimable})) AS waiting`,
  );
  return rows[0]?.waiting ?? false;
}

/** The next job to play, locked, and the virtual times after it. */
export interface NextJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly tag: number;
  /** New virtual time of its class and of the whole queue. */
  readonly pass: number;
  readonly clock: number;
}

/**
 * Chooses and locks the next job to play. Claimers are serialized on the rows of the classes until the end of their transaction.
 * A match of a challenge is never in front of a test run. Skips jobs that another transaction has locked, jobs whose commitment is not in the chain, and those of rules after `rulesVersion`.
 */
export async function chooseNext(
  client: pg.ClientBase,
  rulesVersion: number,
  weights: Readonly<Record<QueueClass, number>>,
  costOf: (numRounds: number) => number,
): Promise<NextJob | undefined> {
  const classes = await client.query<{ kind: QueueClass | typeof wholeQueue; pass: number }>(
    sql`SELECT kind, pass FROM queue_classes ORDER BY kind FOR UPDATE`,
  );
  const clock = classes.rows.find((row) => row.kind === wholeQueue)?.pass ?? 0;
  let waiting = classes.rows.flatMap(({ kind, pass }) => (kind === wholeQueue ? [] : [{ kind, pass }]));
  for (;;) {
    const choice = chooseClass(waiting, clock, weights);
    if (!choice) return undefined;
    const { rows } = await client.query<{ id: string; tag: number; numRounds: number }>(
      sql`SELECT id, queue_tag AS tag, num_rounds AS "numRounds" FROM jobs
          WHERE state = ANY (${claimable}) AND kind = ${choice.kind} AND commitment_number IS NOT NULL
            AND rules_version <= ${rulesVersion}
            AND (challenge_id IS NULL OR NOT EXISTS (SELECT FROM jobs w WHERE w.state = ANY (${claimable}) AND w.kind = 'TEST_RUN'))
          ORDER BY queue_tag, job_number LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
    const [job] = rows;
    if (job) {
      const { kind, clock: newClock } = choice;
      return { id: job.id, kind, tag: job.tag, pass: choice.passAfter(costOf(job.numRounds)), clock: newClock };
    }
    waiting = waiting.filter(({ kind }) => kind !== choice.kind);
  }
}

/** Condition on the kind of a job that is in no class of the queue. */
export const isUnlistedKind = (kind: Sql): Sql => sql`${kind} = ANY (${texts(unlistedKinds)})`;

/**
 * Chooses and locks the next job of a trial or, while none waits, of the ladder, while no job of a class waits. One runner of several stays free
 * for the next test run or match. Of trials the owner has the next runner who holds the fewest. The caller has called chooseNext, so claimers are serialized.
 */
export async function chooseUnlisted(
  client: pg.ClientBase,
  { runner, rulesVersion }: { readonly runner: string; readonly rulesVersion: number },
  now: number,
): Promise<NextJob | undefined> {
  const others = sql`SELECT FROM runners r WHERE r.name <> ${runner} AND NOT r.cordoned AND r.last_seen >= ${at(now - freeMs)}`;
  const { rows } = await client.query<NextJob>(
    sql`SELECT id, kind, queue_tag AS tag, 0::float8 AS pass, (SELECT pass FROM queue_classes WHERE kind = ${wholeQueue}) AS clock FROM jobs
        WHERE state = ANY (${claimable}) AND ${isUnlistedKind(sql`kind`)} AND commitment_number IS NOT NULL AND rules_version <= ${rulesVersion}
          AND (EXISTS (${others} AND r.state = ${runnerState.idle}) OR NOT EXISTS (${others}))
          AND NOT EXISTS (SELECT FROM jobs w WHERE w.state = ANY (${claimable}) AND NOT ${isUnlistedKind(sql`w.kind`)})
        ORDER BY kind = 'LADDER', CASE kind WHEN 'TRIAL' THEN
          (SELECT count(*) FROM jobs r WHERE r.kind = 'TRIAL' AND r.state = ${jobState.running} AND r.owner_id = jobs.owner_id) END, job_number
        LIMIT 1 FOR UPDATE OF jobs SKIP LOCKED`,
  );
  return rows[0];
}

/** A runner requests work at least this often while it has none. */
const freeMs = 60_000;

/** Returns the statement that charges the class of a job that is claimed. */
export const chargeClass = ({ kind, tag, pass, clock }: NextJob): Sql =>
  sql`UPDATE queue_classes SET pass = CASE kind WHEN ${wholeQueue} THEN ${clock}::float8 ELSE ${pass}::float8 END,
        served_tag = CASE kind WHEN ${wholeQueue} THEN served_tag ELSE greatest(served_tag, ${tag}::float8) END
      WHERE kind IN (${wholeQueue}, ${kind})`;

/** Returns the places of jobs in the queues of their classes (from 1) by job id. Jobs that are not pending are omitted. */
export async function queuePositions(pool: pg.Pool, jobIds: readonly string[]): Promise<Map<string, number>> {
  if (jobIds.length === 0) return new Map();
  const { rows } = await pool.query<{ id: string; position: number }>(
    sql`WITH requested AS (SELECT id, kind, queue_tag, job_number FROM jobs
                           WHERE id = ANY (${ids(jobIds)}) AND state = ANY (${texts(pendingStates)})),
             line AS (SELECT id, kind, queue_tag, job_number, 0 AS waits FROM requested
                      UNION ALL
                      SELECT NULL, kind, queue_tag, job_number, 1 FROM jobs
                      WHERE state = ANY (${claimable}) AND kind IN (SELECT kind FROM requested)
                        AND queue_tag <= (SELECT max(queue_tag) FROM requested)),
             placed AS (SELECT id, sum(waits) OVER (PARTITION BY kind ORDER BY queue_tag, job_number, waits
                                                    ROWS UNBOUNDED PRECEDING) AS ahead FROM line)
        SELECT id, (ahead + 1)::int AS position FROM placed WHERE id IS NOT NULL`,
  );
  return new Map(rows.map((row) => [row.id, row.position]));
}
