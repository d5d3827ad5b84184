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
