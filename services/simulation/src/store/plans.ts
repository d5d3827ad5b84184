import { randomBytes } from 'node:crypto';
import { json, sql } from '@husky/runtime/sql';
import type pg from 'pg';
import type { ChainRecord } from '../domain/commitment-chain.ts';
import type { Limits } from '../domain/job.ts';
import { type Plan, type PlanName, writePlan } from '../domain/plan.ts';
import { isDeleted } from '../event/store/deleted-users.ts';
import { appendCommitments, readRecord } from './commitments.ts';

/** Usernames by user id at the time of a plan. */
export type Usernames = ReadonlyMap<string, string>;

/**
 * Stores a plan and appends its record to the chain. Returns its hash. Call it before the first seed of what is planned is drawn. Holds the
 * chain's lock until the transaction ends.
 */
export async function insertPlan(client: pg.ClientBase, plan: Plan, names: Usernames, now: number): Promise<string> {
  const openings: PlanName[] = [];
  for (const { userId } of plan.roster) {
    const name = names.get(userId);
    const known = name !== undefined && !openings.some((one) => one.userId === userId);
    if (known && !(await isDeleted(client, userId))) {
      openings.push({ userId, name, salt: randomBytes(16).toString('hex') });
    }
  }
  const { text, hash } = writePlan(plan, openings);
  const [number] = await appendCommitments(client, [{ kind: 'plan', id: plan.id, commitment: hash }], now);
  await client.query(
    sql`INSERT INTO plans (id, text, hash, commitment_number) VALUES (${plan.id}, ${text}, ${hash}, ${number})`,
  );
  await client.query(
    sql`INSERT INTO plan_names (plan_id, user_id, name, salt)
        SELECT ${plan.id}, "userId", name, salt FROM jsonb_to_recordset(${json(openings)}) AS n("userId" uuid, name text, salt text)`,
  );
  return hash;
}

/** What the matches of a plan are created with. */
export interface PlannedRules {
  readonly hash: string;
  readonly limits: Limits;
  readonly rulesVersion: number;
}

export async function findPlannedRules(client: pg.ClientBase, id: string): Promise<PlannedRules | undefined> {
  const { rows } = await client.query<PlannedRules>(
    sql`SELECT hash, text::jsonb -> 'limits' AS limits, (text::jsonb ->> 'rulesVersion')::int AS "rulesVersion"
        FROM plans WHERE id = ${id}`,
  );
  return rows[0];
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
