import { unpackBlockSums } from '@husky/estimate/match-sums';
import { computeStandings, type Standings } from '@husky/estimate/standings';

/** The finished matches that standings are computed of. */
export interface Scope {
  readonly publicOnly: boolean;
  /** Matches of this batch; null: not restricted. */
  readonly batchId: string | null;
  /** Matches of these jobs and batches; null: not restricted. */
  readonly selection: { readonly jobIds: readonly string[]; readonly batchIds: readonly string[] } | null;
}

/** The matches of a scope with their packed sums. */
export type StandingsJob = readonly {
  readonly seed: string;
  readonly players: readonly string[];
  readonly stacks: 'carry' | 'reset';
  readonly bytes: Uint8Array;
}[];

/** A result with what it was computed of. */
export interface ComputedStandings {
  readonly standings: Standings;
  readonly computedAt: number;
}

/** The present result of a scope, and the progress towards a newer one. */
export interface StandingsState {
  /** Null while there is none of matches that are all still in the scope. */
  readonly result: ComputedStandings | null;
  readonly computing: boolean;
  readonly done: number;
  readonly of: number;
}

/** Computes standings. Blocks for some seconds with thousands of matches. */
export function packedStandings(job: StandingsJob): Standings {
  return computeStandings(job.map(({ bytes, ...match }) => ({ ...match, blocks: unpackBlockSums(bytes) })));
}
