import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ByteReader, ByteWriter } from './bytes.ts';
import { COLUMNS, CodecState, type Columns, readFaults, readHand, writeHand } from './hand-codec.ts';
import type { HandRecord } from './record.ts';

/** Maximum number of hands in a chunk. */
export const CHUNK_HANDS = 64;
/** Maximum size of a decompressed chunk; `decodeChunk` refuses a larger one. */
export const MAX_CHUNK_BYTES = 4 << 20;

/** Up to CHUNK_HANDS consecutive hands of one attempt, with the state they start from. */
export interface ChunkContent {
  readonly rulesVersion: number;
  /** Number of the first hand, from 1. */
  readonly firstHand: number;
  /** By seat before the first hand: the starting stack plus all results so far; the chips, unless stacks are reset. */
  readonly startStacks: readonly number[];
  /** The stack with which every player starts every hand; absent: stacks are carried. */
  readonly resetStack?: number;
  /** The seat that posted the big blind before the first hand; null for a chunk that starts with hand 1. */
  readonly bigBlindSeat: number | null;
  readonly hands: readonly HandRecord[];
}

const FORMAT_CARRY = 1;
/** Also has the stack of every hand; its start stacks may be below 0. */
const FORMAT_RESET = 2;

/** Encodes hands into their stored form; deterministic. Throws RangeError for content that is no sequence of recorded hands. */
export function encodeChunk(content: ChunkContent): Buffer {
  const { hands, startStacks, resetStack } = content;
  if (hands.length < 1 || hands.length > CHUNK_HANDS) throw new RangeError(`a chunk has 1 to ${CHUNK_HANDS} hands`);
  const columns = Object.fromEntries(COLUMNS.map((name) => [name, new ByteWriter()])) as Columns<ByteWriter>;
  const strings = new Map<string, number>();
  const state = new CodecState(startStacks, resetStack);
  for (const [index, record] of hands.entries()) writeHand(columns, strings, state, record, index);

  const out = new ByteWriter();
  out.byte(resetStack === undefined ? FORMAT_CARRY : FORMAT_RESET);
  out.varint(content.rulesVersion);
  out.varint(content.firstHand);
  out.varint(startStacks.length);
  if (resetStack === undefined) for (const chips of startStacks) out.varint(chips);
  else {
    out.varint(resetStack);
    for (const chips of startStacks) out.signed(chips);
  }
  out.varint(content.bigBlindSeat === null ? 0 : content.bigBlindSeat + 1);
  out.varint(hands.length);
  out.varint(strings.size);
  for (const text of strings.keys()) {
    const bytes = Buffer.from(text);
    out.varint(bytes.length);
    out.append(bytes);
  }
  for (const name of COLUMNS) out.varint(columns[name].length);
  for (const name of COLUMNS) out.append(columns[name].finish());
  return zstdCompressSync(out.finish(), {
    params: { [constants.ZSTD_c_compressionLevel]: 12, [constants.ZSTD_c_checksumFlag]: 1 },
  });
}

/** Decodes a chunk. Throws RangeError for anything that encodeChunk did not produce, however large or damaged. */
export function decodeChunk(buffer: Uint8Array): ChunkContent {
  const reader = new ByteReader(decompress(buffer));
  const format = reader.byte();
  if (format !== FORMAT_CARRY && format !== FORMAT_RESET) throw new RangeError('the chunk has an unknown format');
  const rulesVersion = reader.varint();
  const firstHand = reader.varint();
  const seats = reader.varint();
  if (seats < 2 || seats > 6) throw new RangeError('the chunk has no table');
  const reset = format === FORMAT_RESET;
  const resetStack = reset ? reader.varint() : undefined;
  const startStacks = Array.from({ length: seats }, () => (reset ? reader.signed() : reader.varint()));
  const position = reader.varint();
  if (position > seats) throw new RangeError('the chunk has no such big blind');
  const count = reader.varint();
  if (count < 1 || count > CHUNK_HANDS) throw new RangeError(`a chunk has 1 to ${CHUNK_HANDS} hands`);
  const strings: string[] = [];
  for (let left = reader.varint(); left > 0; left--) strings.push(Buffer.from(reader.take(reader.varint())).toString());
  const lengths = COLUMNS.map(() => reader.varint());
  const columns = Object.fromEntries(
    COLUMNS.map((name, index) => [name, new ByteReader(reader.take(lengths[index] as number))]),
  ) as Columns<ByteReader>;
  if (!reader.done) throw new RangeError('the chunk has bytes left over');
  const notes = readFaults(columns.faults, strings);
  const state = new CodecState(startStacks, resetStack);
  const hands = Array.from({ length: count }, (_, index) => readHand(columns, state, notes, index));
  if (COLUMNS.some((name) => !columns[name].done)) throw new RangeError('the chunk has bytes left over');
  const bigBlindSeat = position === 0 ? null : position - 1;
  return { rulesVersion, firstHand, startStacks, ...(resetStack !== undefined && { resetStack }), bigBlindSeat, hands };
}

function decompress(buffer: Uint8Array): Buffer {
  try {
    return zstdDecompressSync(buffer, { maxOutputLength: MAX_CHUNK_BYTES });
  } catch (cause) {
    throw new RangeError('the chunk is damaged or too large', { cause });
  }
}
