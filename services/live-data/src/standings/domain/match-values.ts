import { type BlockSums, sumBlocks } from '@husky/estimate/match-sums';

import { blindsAt } from '@husky/holdem/blinds';
import { decodeChunk } from '@husky/match/chunk';
import { AdjustedNets, HUNDREDTHS, type ValuedMatch } from '../../domain/adjusted-nets.ts';
import { packSeries, unpackSeries } from '../../domain/series.ts';

/** The stored hands of a finished match, in order. */
export interface ValuesJob {
  readonly match: ValuedMatch;
  readonly chunks: readonly Uint8Array[];
}

/** Computes and packs the adjusted net of every hand and seat: cumulative hundredths of a chip, packed like series. */
export function computeValues({ match, chunks }: ValuesJob): Uint8Array {
  const nets = new AdjustedNets(match);
  const cumulative = match.playerIds.map((): number[] => []);
  for (const bytes of chunks) {
    for (const hand of nets.of(decodeChunk(bytes)))
      for (const [seat, net] of hand.entries()) cumulative[seat]?.push(net);
  }
  return packSeries(cumulative);
}

/** Returns the cumulative adjusted net after each hand, in chips with two decimals, by seat. Throws RangeError. */
export function unpackValues(packed: Uint8Array): number[][] {
  return unpackSeries(packed).map((bySeat) => bySeat.map((hundredths) => hundredths / HUNDREDTHS));
}

/** Returns the adjusted net of the whole match by seat, in hundredths of a chip. */
export function sumsOfValues(packed: Uint8Array): number[] {
  return unpackSeries(packed).map((bySeat) => bySeat.at(-1) ?? 0);
}

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
