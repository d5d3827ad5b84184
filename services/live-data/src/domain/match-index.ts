import { countHand, PlayCounters } from '@husky/estimate/play-counters';
import { packIndex } from './hand-index.ts';
import { type Highlight, highlightsOf, scoreOf } from './highlights.ts';
import type { HandResult } from './record.ts';

/** What is stored of a verified match for the lists of its hands. */
export interface MatchIndex {
  /** hand-index.ts */
  readonly bytes: Uint8Array;
  readonly highlights: readonly Highlight[];
  /** Swing times pot of the first highlight; 0 if there is none. */
  readonly score: number;
  /** Each seat's largest net win (at least 0) and loss (at most 0) in one hand. */
  readonly bestNets: readonly number[];
  readonly worstNets: readonly number[];
  /** Each seat's packed PlayCounters. */
  readonly play: readonly Uint8Array[];
}

/** Lets other calls run between the candidates for highlights, which take most of the time. */
export async function matchIndex(seed: Uint8Array, results: readonly HandResult[]): Promise<MatchIndex> {
  const highlights = await highlightsOf(seed, results);
  const [first] = highlights;
  const extreme = (choose: (a: number, b: number) => number) =>
    (results[0]?.deltas ?? []).map((_, seat) =>
      results.reduce((most, { deltas }) => choose(most, deltas[seat] ?? 0), 0),
    );
  return {
    bytes: packIndex(results.map(({ facts }) => facts)),
    highlights,
    score: first === undefined ? 0 : scoreOf(first),
    bestNets: extreme(Math.max),
    worstNets: extreme(Math.min),
    play: countPlay(results).map((counters) => counters.pack()),
  };
}

function countPlay(results: readonly HandResult[]): PlayCounters[] {
  const seats = (results[0]?.deltas ?? []).map(() => new PlayCounters());
  for (const result of results) countHand(seats, result);
  return seats;
}
