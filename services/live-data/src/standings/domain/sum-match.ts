import { type BlockSums, sumBlocks } from '@husky/estimate/match-sums';
import { blindsAt } from '@husky/holdem/blinds';

interface SummedMatch {
  readonly players: readonly string[];
  readonly bigBlind: number;
  readonly blindMultiplier: string;
  readonly blindInterval: number;
  readonly startingStack: number;
  readonly numRounds: number;
}

/** Sums a match by blocks. `series` and `values` are cumulative after each hand, by seat; `values` is null without luck values. */
export function sumMatch(
  match: SummedMatch,
  series: readonly (readonly number[])[],
  values: readonly (readonly number[])[] | null,
): BlockSums {
  const schedule = { bigBlind: match.bigBlind, multiplier: match.blindMultiplier, interval: match.blindInterval };
  const chipsInPlay = match.startingStack * match.players.length;
  const hands = series[0]?.length ?? 0;
  const bigBlinds: number[] = [];
  for (let hand = 1; hand <= hands; hand++) {
    const rises = (hand - 1) % match.blindInterval === 0;
    bigBlinds.push(rises ? blindsAt(hand, schedule, chipsInPlay).big : (bigBlinds.at(-1) ?? match.bigBlind));
  }
  return sumBlocks(series.map(stepsOf), values?.map(stepsOf) ?? null, bigBlinds, match.numRounds);
}

function stepsOf(cumulative: readonly number[]): number[] {
  return cumulative.map((value, index) => value - (cumulative[index - 1] ?? 0));
}
