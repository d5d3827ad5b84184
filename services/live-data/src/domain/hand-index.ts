import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Street } from '@husky/holdem/action';
import { ByteReader, ByteWriter } from '@husky/match/bytes';
import type { IndexedHand } from './hand-facts.ts';

/** Returns the seats of a bit mask. */
export function seatsOf(mask: number): number[] {
  return [0, 1, 2, 3, 4, 5].filter((seat) => (mask & (1 << seat)) !== 0);
}

/** Returns a byte with the street in bits 0 and 1, showdown in bit 2, all-in in bit 3. */
export function flagsOf({ street, showdown, allIn }: IndexedHand): number {
  return street | (showdown ? 4 : 0) | (allIn ? 8 : 0);
}

/** Packs an index: the number of hands, then a column of varints (pots) and three of bytes (flags, winners, faults), all compressed with zstd. */
export function packIndex(hands: readonly IndexedHand[]): Buffer {
  const out = new ByteWriter();
  out.varint(hands.length);
  for (const { pot } of hands) out.varint(pot);
  for (const hand of hands) out.byte(flagsOf(hand));
  for (const { winners } of hands) out.byte(winners);
  for (const { faults } of hands) out.byte(faults);
  return zstdCompressSync(out.finish(), { params: { [constants.ZSTD_c_compressionLevel]: 12 } });
}

/** Unpacks the index of hands 1, 2, ... Throws RangeError for bytes that are cut short. */
export function unpackIndex(packed: Uint8Array): IndexedHand[] {
  const input = new ByteReader(zstdDecompressSync(packed));
  const count = input.varint();
  const pots = Array.from({ length: count }, () => input.varint());
  const [flags, winners, faults] = [input.take(count), input.take(count), input.take(count)];
  return pots.map((pot, index) => {
    const flag = flags[index] as number;
    return {
      pot,
      street: (flag & 3) as Street,
      showdown: (flag & 4) !== 0,
      allIn: (flag & 8) !== 0,
      winners: winners[index] as number,
      faults: faults[index] as number,
    };
  });
}
