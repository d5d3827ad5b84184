import { describe, expect, it } from 'vitest';
import { ByteReader, ByteWriter } from '../src/bytes.ts';

function written(write: (out: ByteWriter) => void): Buffer {
  const out = new ByteWriter();
  write(out);
  expect(out.finish()).toHaveLength(out.length);
  return out.finish();
}
const reading = (hex: string) => new ByteReader(Buffer.from(hex, 'hex'));

describe('varints', () => {
  it.each([
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [300, 'ac02'],
    [Number.MAX_SAFE_INTEGER, 'ffffffffffffff0f'],
  ])('store %i as %s', (value, hex) => {
    expect(written((out) => out.varint(value)).toString('hex')).toBe(hex);
    const reader = reading(hex);
    expect(reader.done).toBe(false);
    expect(reader.varint()).toBe(value);
    expect(reader.done).toBe(true);
  });

  it.each([
    [0, '00'],
    [-1, '01'],
    [1, '02'],
    [-64, '7f'],
    [64, '8001'],
    [-(2 ** 52), 'ffffffffffffff0f'],
  ])('store %i with its sign as %s', (value, hex) => {
    expect(written((out) => out.signed(value)).toString('hex')).toBe(hex);
    expect(reading(hex).signed()).toBe(value);
  });

  it.each([-1, 0.5, 2 ** 53, Number.NaN])('cannot store %d', (value) => {
    expect(() => new ByteWriter().varint(value)).toThrow(new RangeError(`${value} cannot be stored`));
  });

  it('are refused above 2^53 - 1, in more than eight bytes, and without their last byte', () => {
    const problem = new RangeError('a stored number is too large');
    expect(() => reading('ffffffffffffff10').varint()).toThrow(problem);
    expect(reading('8080808080808000').varint()).toBe(0);
    expect(() => reading('808080808080808000').varint()).toThrow(problem);
    expect(() => reading('ff').varint()).toThrow(new RangeError('the bytes end early'));
  });
});

describe('byte strings', () => {
  it('grow by bytes and by parts of any size', () => {
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 251));
    for (const sizes of [[1], [255, 1], [256, 1], [257], [2000, 1000]]) {
      const stored = written((out) => {
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const part = bytes.subarray(at, at + (sizes[turn % sizes.length] as number));
          if (part.length === 1) out.byte(part[0] as number);
          else out.append(part);
          at += part.length;
        }
      });
      expect(stored, `parts of ${sizes}`).toEqual(bytes);
    }
  });

  it('are taken in parts, the last one up to the end', () => {
    const reader = reading('010203');
    expect(reader.take(1)).toEqual(Buffer.from([1]));
    expect(() => reader.take(3)).toThrow(new RangeError('the bytes end early'));
    expect(reader.take(2)).toEqual(Buffer.from([2, 3]));
    expect(reader.done).toBe(true);
    expect(() => reader.byte()).toThrow(new RangeError('the bytes end early'));
  });
});
