import { createHmac, hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { deckFor } from '../src/deck.ts';
import { ShortHmac } from '../src/short-hmac.ts';
import { seed } from './matches.ts';

const bytes = (length: number) => Buffer.alloc(length, hash('sha512', `${length}`, 'buffer'));

test('equals the HMAC-SHA256 of node:crypto for every allowed length of key and message', () => {
  for (let length = 0; length <= 64; length++) {
    const key = bytes(length);
    const hmac = new ShortHmac(key);
    for (let message = 0; message <= 55; message++) {
      const expected = createHmac('sha256', key).update(bytes(message)).digest();
      expect(Buffer.compare(hmac.digest(bytes(message)), expected)).toBe(0);
    }
  }
});

test('does not mix up keys that are used alternately', () => {
  const [one, other] = [new ShortHmac(bytes(32)), new ShortHmac(bytes(31))];
  const first = one.digest(bytes(4));
  other.digest(bytes(9));
  expect(one.digest(bytes(4))).toEqual(first);
});

test('refuses keys and messages that need more than one block', () => {
  expect(() => new ShortHmac(bytes(65))).toThrow(RangeError);
  expect(() => new ShortHmac(bytes(32)).digest(bytes(56))).toThrow(RangeError);
});

test('gives the same decks as HMACs of node:crypto and the published shuffle', () => {
  const mac = (key: Uint8Array, message: Uint8Array) => createHmac('sha256', key).update(message).digest();
  const uint32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  for (let hand = 1; hand <= 2000; hand++) {
    const key = mac(seed, Buffer.concat([Buffer.from('deck'), uint32(hand)]));
    const stream = Buffer.concat([0, 1, 2, 3, 4, 5].map((block) => mac(key, uint32(block)))).values();
    const deck = Uint8Array.from({ length: 52 }, (_, card) => card);
    for (let size = 52; size > 1; size--) {
      let byte = stream.next().value as number;
      while (byte >= 256 - (256 % size)) byte = stream.next().value as number;
      const pick = byte % size;
      [deck[size - 1], deck[pick]] = [deck[pick] as number, deck[size - 1] as number];
    }
    expect(Buffer.compare(deckFor(seed, hand), deck)).toBe(0);
  }
});
