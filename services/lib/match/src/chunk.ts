import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { LastBlinds } from '@husky/holdem/positions';
import { ByteReader, ByteWriter } from './bytes.ts';
import { COLUMNS, CodecState, type Columns, checkTextLength, readFaults, readHand, writeHand } from './hand-codec.ts';
import type { HandRecord } from './record.ts';

/** Maximum number of hands in a chunk. */
export const CHUNK_HANDS = 64;
/** Maximum size of a decompressed chunk; `decodeChunk` refuses a larger one. */
export const MAX_CHUNK_BYTES = 4 << 20;
/**
 * Maximum number of actions in a chunk that a dealer delivers. A hand has at most 60,029: 60,000 chips, by one an action, 24 checks and
 * 5 folds. A dealer delivers every 300 ms, so further hands of the same chunk are shorter. A stored chunk may have 64 long hands.
 */
export const MAX_DELIVERED_ACTIONS = 1 << 17;

/** Up to CHUNK_HANDS consecutive hands of one attempt, with the state they start from. */
export interface ChunkContent extends LastBlinds {
  readonly rulesVersion: number;
  /** Number of the first hand, from 1. */
  readonly firstHand: number;
  /** By seat before the first hand: the starting stack plus all results so far; the chips, unless stacks are reset. */
  readonly startStacks: readonly number[];
  /** The stack with which every player starts every hand; absent: stacks are carried. */
  readonly resetStack?: number;
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
  // One number for both seats: without `nextButton`, as in matches of rules 1, it is that of the big blind alone. Decoders that know only
  // rules 1 refuse larger numbers, and the token of a dead small blind, so they misread no hand.
  const [bigBlind, nextButton] = [content.bigBlindSeat, content.nextButton].map((seat) => (seat ?? -1) + 1);
  out.varint(Number(bigBlind) + (startStacks.length + 1) * Number(nextButton));
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

/**
 * Decodes a chunk. Throws RangeError for anything that encodeChunk did not produce, however large or damaged, and for more than
 * `maxActions` actions.
 */
export function decodeChunk(buffer: Uint8Array, maxActions = Number.POSITIVE_INFINITY): ChunkContent {
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
  const positions = reader.varint();
  const [bigBlind, nextButton] = [positions % (seats + 1), Math.floor(positions / (seats + 1))];
  if (nextButton > seats) throw new RangeError('the chunk has no such button');
  const count = reader.varint();
  if (count < 1 || count > CHUNK_HANDS) throw new RangeError(`a chunk has 1 to ${CHUNK_HANDS} hands`);
  const strings: string[] = [];
  const texts = reader.varint();
  if (texts > maxActions) throw new RangeError('the chunk has too many texts');
  while (strings.length < texts) strings.push(readText(reader));
  const lengths = COLUMNS.map(() => reader.varint());
  const columns = Object.fromEntries(
    COLUMNS.map((name, index) => [name, new ByteReader(reader.take(lengths[index] as number))]),
  ) as Columns<ByteReader>;
  if (!reader.done) throw new RangeError('the chunk has bytes left over');
  const notes = readFaults(columns.faults, strings, maxActions);
  const state = new CodecState(startStacks, resetStack, maxActions);
  const hands = Array.from({ length: count }, (_, index) => readHand(columns, state, notes, index));
  if (COLUMNS.some((name) => !columns[name].done)) throw new RangeError('the chunk has bytes left over');
  const last = { bigBlindSeat: seatOf(bigBlind), nextButton: seatOf(nextButton) };
  return { rulesVersion, firstHand, startStacks, ...(resetStack !== undefined && { resetStack }), ...last, hands };
}

const seatOf = (number: number): number | null => (number === 0 ? null : number - 1);

function readText(reader: ByteReader): string {
  const bytes = reader.take(reader.varint());
  // UTF-8 has at most three bytes for a UTF-16 code unit.
  checkTextLength(bytes.length / 3);
  const text = Buffer.from(bytes).toString();
  checkTextLength(text.length);
  return text;
}

/** An upper bound of the decompressed size of hands in one chunk. */
export class ChunkSize {
  #bytes = 256;
  readonly #texts = new Set<string>();

  /** Adds a hand and returns the bytes of all hands added. */
  add({ actions }: HandRecord): number {
    // At most 8 bytes for each number: the start and the results.
    this.#bytes += 64;
    for (const { fault, detail } of actions) {
      // Token, amount and time.
      this.#bytes += 17;
      if (fault === undefined && detail === undefined) continue;
      this.#bytes += 12;
      if (detail === undefined || this.#texts.has(detail)) continue;
      this.#texts.add(detail);
      this.#bytes += Buffer.byteLength(detail) + 2;
    }
    return this.#bytes;
  }
}

function decompress(buffer: Uint8Array): Buffer {
  try {
    return zstdDecompressSync(buffer, { maxOutputLength: MAX_CHUNK_BYTES });
  } catch (cause) {
    throw new RangeError('the chunk is damaged or too large', { cause });
  }
}
