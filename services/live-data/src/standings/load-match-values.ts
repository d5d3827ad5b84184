import type { Context } from '../context.ts';
import { unpackValues } from './domain/match-values.ts';
import { findValues } from './store/match-values.ts';

/** Adjusted nets of a finished match (docs/methodology.md, Luck). */
export interface MatchValues {
  /** LUCK_VERSION with which they were computed. */
  readonly version: number;
  /** By seat: the cumulative adjusted net after each hand, in chips with two decimals. */
  readonly cumulative: readonly (readonly number[])[];
}

/** Returns the stored values of a match; null while they are not computed, and for a match that is not finished. */
export async function loadMatchValues(context: Pick<Context, 'db'>, jobId: string): Promise<MatchValues | null> {
  const stored = await findValues(context.db, jobId);
  return stored && { version: stored.version, cumulative: unpackValues(stored.bytes) };
}
