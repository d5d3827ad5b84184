/** Writes bytes and varints (7 bits a byte, lowest first) into a growing buffer. */
export class ByteWriter {
  #bytes = Buffer.alloc(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(this.#length + 1);
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  /** Writes a whole number from 0 to 2^53 - 1. Throws RangeError for another. */
  varint(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} cannot be stored`);
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  /** Writes a whole number of either sign in zigzag encoding. */
  signed(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  append(bytes: Uint8Array): void {
    const end = this.#length + bytes.length;
    if (end > this.#bytes.length) this.#grow(end);
    this.#bytes.set(bytes, this.#length);
    this.#length = end;
  }

  #grow(length: number): void {
    let size = this.#bytes.length;
    while (size < length) size *= 2;
    const larger = Buffer.alloc(size);
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}

/** Reads what ByteWriter wrote. Throws RangeError for missing bytes and numbers above 2^53 - 1. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw new RangeError('the bytes end early');
    this.#at += 1;
    return value;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (value > Number.MAX_SAFE_INTEGER || scale > 2 ** 49) throw new RangeError('a stored number is too large');
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw new RangeError('the bytes end early');
    const part = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return part;
  }
}
