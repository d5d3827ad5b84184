import { _SHA256 } from '@noble/hashes/sha2.js';

const BLOCK_BYTES = 64;
const HASH_WORDS = 8;
/** A message must leave room in its block for the padding: a byte and the length as a 64-bit number. */
const MAX_MESSAGE_BYTES = BLOCK_BYTES - 9;

type State = ReturnType<Compression['initialState']>;

/** The compression function of SHA-256 over a block that the object owns. */
class Compression extends _SHA256 {
  readonly block = new Uint8Array(BLOCK_BYTES);
  readonly words = new DataView(this.block.buffer);

  /** Returns the state of a new object. */
  initialState() {
    return this.get();
  }

  /** Returns the state after the block, starting from `state`. */
  compress(state: State) {
    const [a, b, c, d, e, f, g, h] = state;
    this.set(a, b, c, d, e, f, g, h);
    this.process(this.words, 0);
    return this.get();
  }

  /** Pads the last block, whose first `length` bytes are set, and returns the state after it. One block was hashed before it. */
  compressLast(state: State, length: number) {
    this.block.fill(0, length);
    this.block[length] = 0x80;
    this.words.setUint32(BLOCK_BYTES - 4, 8 * (BLOCK_BYTES + length));
    return this.compress(state);
  }
}

// All calls are synchronous, so all codes share one object.
const sha256 = new Compression();
const initial = sha256.initialState();

/**
 * Computes HMAC-SHA256 (RFC 2104) under one key, for messages of at most 55 bytes. Hashes the key once, and each message in two
 * compressions; several times as fast as functions for messages of any length.
 */
export class ShortHmac {
  readonly #inner: State;
  readonly #outer: State;

  /** Throws RangeError for a key above 64 bytes. */
  constructor(key: Uint8Array) {
    if (key.length > BLOCK_BYTES) throw new RangeError(`a key has at most ${BLOCK_BYTES} bytes`);
    this.#inner = keyed(key, 0x36);
    this.#outer = keyed(key, 0x5c);
  }

  /** Returns the 32 bytes of the message's HMAC. Throws RangeError for a longer message. */
  digest(message: Uint8Array): Uint8Array<ArrayBuffer> {
    if (message.length > MAX_MESSAGE_BYTES) throw new RangeError(`a message has at most ${MAX_MESSAGE_BYTES} bytes`);
    sha256.block.set(message);
    write(sha256.block, sha256.compressLast(this.#inner, message.length));
    const code = new Uint8Array(4 * HASH_WORDS);
    write(code, sha256.compressLast(this.#outer, code.length));
    return code;
  }
}

function keyed(key: Uint8Array, pad: number): State {
  sha256.block.fill(pad);
  for (let index = 0; index < key.length; index++) sha256.block[index] = (key[index] as number) ^ pad;
  return sha256.compress(initial);
}

// Does not use a DataView: it moves the bytes of a small array out of V8's heap, which takes longer than a compression.
function write(into: Uint8Array, state: State): void {
  for (let word = 0; word < HASH_WORDS; word++) putUint32(into, 4 * word, state[word] as number);
}

/** Writes an integer, or its lowest 32 bits, in big-endian order. */
export function putUint32(into: Uint8Array, at: number, value: number): void {
  into[at] = value >>> 24;
  into[at + 1] = value >>> 16;
  into[at + 2] = value >>> 8;
  into[at + 3] = value;
}
