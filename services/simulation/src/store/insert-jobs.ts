import { randomBytes } from 'node:crypto';
import { JOB_ID_BYTES, jobIdFrom } from '@husky/match/game-id';
import { at, json, sql } from '@husky/runtime/sql';
import { currentTraceparent } from '@husky/runtime/trace-context';
import type pg from 'pg';
import { commitTo } from '../domain/commitment.ts';
import { type JobPlan, profile, queueCost, startingStack } from '../domain/job.ts';
import { initialState, jobState } from '../domain/job-state.ts';
import { appendCommitments } from './commitments.ts';
import { notifyQueue, reserveTags } from './queue.ts';
import { playableRules } from './runners.ts';

export function newJobId(): string {
  return jobIdFrom(randomBytes(JOB_ID_BYTES));
}

/**
 * Inserts jobs of the same kind, owner and length with their deal sets. Jobs with the same deal set must be inserted together. A job
 * whose packages are all known gets its record in the commitment chain immediately; the others wait for the preparer. Jobs of a
 * paused batch are PAUSED. `address`: that of the owner of a test run.
 */
export async function insertJobs(
  client: pg.ClientBase,
  plans: readonly JobPlan[],
  { now, paused = false, address = '' }: { now: number; paused?: boolean; address?: string },
): Promise<void> {
  const [first] = plans;
  if (!first) return;
  const cost = queueCost(first.numRounds);
  const firstTag = await reserveTags(client, first.kind, first.ownerId, cost, plans.length, address);
  const rulesVersion = await playableRules(client, now);
  const seeds = new Map(plans.map(({ dealSetId }) => [dealSetId, randomBytes(32)]));
  const jobs = plans.map((plan, index) => {
    const seed = seeds.get(plan.dealSetId) ?? Buffer.alloc(0);
    const ready = plan.seats.every((seat) => seat.packagesHash !== null);
    return {
      ...plan,
      queueTag: firstTag + index * cost,
      state: initialState(ready, paused),
      commitment: ready ? commitTo({ ...plan, rulesVersion, seed }).commitment : '',
    };
  });
  await client.query(
    sql`INSERT INTO deal_sets (id, seed, created_at)
        SELECT "dealSetId", decode("seedHex", 'hex'), ${at(now)}
        FROM jsonb_to_recordset(${json([...seeds].map(([dealSetId, seed]) => ({ dealSetId, seedHex: seed.toString('hex') })))})
          AS d("dealSetId" uuid, "seedHex" text)`,
  );
  const committed = jobs.filter((job) => job.commitment !== '');
  const numbers = await appendCommitments(client, committed, now);
  const numberOf = new Map(committed.map((job, index) => [job.id, numbers[index]]));
  const rows = jobs.map(({ blinds, seats: _seats, traceContext = currentTraceparent(), ...job }) => ({
    traceContext,
    ...job,
    ...blinds,
    commitmentNumber: numberOf.get(job.id),
  }));
  await client.query(
    sql`INSERT INTO jobs (id, kind, state, owner_id, batch_id, game_number, holder_id, deal_set_id, num_rounds, big_blind,
          blind_multiplier, blind_interval, limits, commitment, commitment_number, queue_tag, starting_stack, rules_version,
          profile, stacks, rotation, trace_context, created_at, prepare_after)
        SELECT id, kind, state, "ownerId", "batchId", "gameNumber", "holderId", "dealSetId", "numRounds", "bigBlind",
          multiplier, "interval", limits, commitment, "commitmentNumber", "queueTag", ${startingStack}, ${rulesVersion},
          ${profile}, stacks, rotation, "traceContext", ${at(now)}, CASE WHEN state = ${jobState.preparing} THEN ${at(now)} END
        FROM jsonb_to_recordset(${json(rows)}) AS j(id uuid, kind text, state text, "ownerId" uuid, "batchId" uuid,
          "gameNumber" int, "holderId" uuid, "dealSetId" uuid, "numRounds" int, "bigBlind" int, multiplier text,
          "interval" int, stacks text, rotation int, "traceContext" text, limits jsonb, commitment text, "commitmentNumber" bigint, "queueTag" float8)
        ORDER BY "queueTag"`,
  );
  const seats = jobs.flatMap(({ id, seats }) => seats.map((seat, index) => ({ ...seat, jobId: id, seat: index })));
  await client.query(
    sql`INSERT INTO job_seats (job_id, seat, user_id, bot_hash, packages_hash)
        SELECT "jobId", seat, "userId", "botHash", "packagesHash"
        FROM jsonb_to_recordset(${json(seats)})
          AS s("jobId" uuid, seat int, "userId" uuid, "botHash" text, "packagesHash" text)`,
  );
  if (jobs.some((job) => job.state === jobState.queued)) await notifyQueue(client);
}
