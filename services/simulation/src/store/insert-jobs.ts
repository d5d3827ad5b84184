import { randomBytes, randomUUID } from 'node:crypto';
import { RULES_VERSION } from '@husky/match/rules-version';
import type pg from 'pg';
import { type JobPlan, profile, queueCost, startingStack } from '../domain/job.ts';
import { promiseOf } from '../domain/promise.ts';
import { appendCommitments } from './commitments.ts';
import { notifyQueue, reserveTags } from './queue.ts';

/**
 * Makes jobs of one kind, owner and length with a deal set each. A job whose packages are all known is claimable at once
 * and its commitment stands in the chain; the others wait for the preparer. `paused` jobs wait for their batch.
 */
export async function insertJobs(
  client: pg.ClientBase,
  plans: readonly JobPlan[],
  options: { now: number; paused?: boolean },
): Promise<void> {
  const [first] = plans;
  if (!first) return;
  const cost = queueCost(first.numRounds);
  const firstTag = await reserveTags(client, first.kind, first.ownerId, cost, plans.length);
  const now = new Date(options.now);
  const rows = plans.map((plan, index) => {
    const seed = randomBytes(32);
    const ready = plan.seats.every((seat) => seat.packagesHash !== null);
    const waiting = options.paused ? 'PAUSED' : 'QUEUED';
    return {
      ...plan,
      dealSetId: randomUUID(),
      seedHex: seed.toString('hex'),
      tag: firstTag + index * cost,
      state: ready ? waiting : 'PREPARING',
      commitment: ready ? promiseOf({ ...plan, seed }).commitment : '',
    };
  });
  await client.query(
    `INSERT INTO deal_sets (id, seed, created_at)
     SELECT id, decode(seed, 'hex'), $2 FROM jsonb_to_recordset($1) AS d(id uuid, seed text)`,
    [JSON.stringify(rows.map((row) => ({ id: row.dealSetId, seed: row.seedHex }))), now],
  );
  const committed = rows.filter((row) => row.commitment !== '');
  const numbers = await appendCommitments(client, committed, options.now);
  const numberOf = new Map(committed.map((row, index) => [row.id, numbers[index]]));
  await client.query(insertStatement, [
    JSON.stringify(
      rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        state: row.state,
        owner_id: row.ownerId,
        batch_id: row.batchId,
        game_number: row.gameNumber,
        holder_id: row.holderId,
        deal_set_id: row.dealSetId,
        num_rounds: row.numRounds,
        big_blind: row.blinds.bigBlind,
        blind_multiplier: row.blinds.multiplier,
        blind_interval: row.blinds.interval,
        limits: row.limits,
        commitment: row.commitment,
        commitment_number: numberOf.get(row.id),
        queue_tag: row.tag,
      })),
    ),
    startingStack,
    RULES_VERSION,
    profile,
    now,
  ]);
  await client.query(
    `INSERT INTO job_seats (job_id, seat, user_id, bot_hash, packages_hash)
     SELECT job_id, seat, user_id, bot_hash, packages_hash
     FROM jsonb_to_recordset($1) AS s(job_id uuid, seat int, user_id uuid, bot_hash text, packages_hash text)`,
    [
      JSON.stringify(
        rows.flatMap((row) =>
          row.seats.map((seat, index) => ({
            job_id: row.id,
            seat: index,
            user_id: seat.userId,
            bot_hash: seat.botHash,
            packages_hash: seat.packagesHash,
          })),
        ),
      ),
    ],
  );
  if (rows.some((row) => row.state === 'QUEUED')) await notifyQueue(client);
}

const insertStatement = `
  INSERT INTO jobs (id, kind, state, owner_id, batch_id, game_number, holder_id, deal_set_id, num_rounds, big_blind,
    blind_multiplier, blind_interval, limits, commitment, commitment_number, queue_tag, starting_stack, rules_version, profile,
    created_at, prepare_after)
  SELECT id, kind, state, owner_id, batch_id, game_number, holder_id, deal_set_id, num_rounds, big_blind,
    blind_multiplier, blind_interval, limits, commitment, commitment_number, queue_tag, $2, $3, $4, $5::timestamptz,
    CASE WHEN state = 'PREPARING' THEN $5::timestamptz END
  FROM jsonb_to_recordset($1) AS j(id uuid, kind text, state text, owner_id uuid, batch_id uuid, game_number int,
    holder_id uuid, deal_set_id uuid, num_rounds int, big_blind int, blind_multiplier text, blind_interval int,
    limits jsonb, commitment text, commitment_number bigint, queue_tag float8)
  ORDER BY queue_tag`;
