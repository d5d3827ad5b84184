import { at, sql } from '@husky/runtime/database/sql';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';

/** The result of the last check of the chain. */
export interface ChainCheck {
  readonly checkedAt: Date;
  /** The newest record that a check has found intact; 0: none. */
  readonly verifiedNumber: number;
  readonly verifiedHash: string;
  readonly verifiedAt: Date | null;
  /** What is wrong; empty: nothing. */
  readonly problem: string;
}

/** Returns the result of the last check; undefined before the first one. */
export async function readChainCheck(client: pg.Pool | pg.ClientBase): Promise<ChainCheck | undefined> {
  const { rows } = await client.query<ChainCheck>(
    sql`SELECT checked_at AS "checkedAt", verified_number::float8 AS "verifiedNumber", verified_hash AS "verifiedHash",
          verified_at AS "verifiedAt", problem FROM chain_checks`,
  );
  return rows[0];
}

/** Stores that the chain is intact up to a record. */
export async function storeIntact(pool: pg.Pool, head: { number: number; hash: string }, now: number): Promise<void> {
  await pool.query(
    sql`INSERT INTO chain_checks (checked_at, verified_number, verified_hash, verified_at)
        VALUES (${at(now)}, ${head.number}, ${head.hash}, ${at(now)})
        ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at, verified_number = excluded.verified_number,
          verified_hash = excluded.verified_hash, verified_at = excluded.verified_at, problem = ''`,
  );
}

/** Stores what is wrong with the chain. No commitment is made until a check finds it intact. */
export async function storeBroken(pool: pg.Pool, problem: string, now: number): Promise<void> {
  await pool.query(
    sql`INSERT INTO chain_checks (checked_at, problem) VALUES (${at(now)}, ${problem})
        ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at, problem = excluded.problem`,
  );
}

/** Returns why no commitment is made now; empty: commitments are made. */
export async function chainProblem(client: pg.Pool | pg.ClientBase): Promise<string> {
  const problem = (await readChainCheck(client))?.problem ?? '';
  return problem === ''
    ? ''
    : `Waits: ${problem} No match gets a commitment until the chain of commitments is restored.`;
}

/** The refusal of a commitment while the chain is broken. */
export class ChainBroken extends DomainError {
  constructor(message: string) {
    super('FAILED_PRECONDITION', 'chain-broken', message);
  }
}

/** How long matches wait before they are tried again while the chain is broken. */
export const brokenChainRetryMs = 30_000;
