import { createHmac, hash, randomBytes } from 'node:crypto';
import { cardCode } from '@husky/holdem/card';
import { describe, expect, it, test } from 'vitest';
import { deckFor, playerIds, streamKey } from '../src/deck.ts';
import { ShortHmac } from '../src/short-hmac.ts';
import { seed } from './matches.ts';

const codes = (deck: Uint8Array): string => [...deck].map(cardCode).join('');

describe('decks', () => {
  it('are permutations of the 52 cards', () => {
    for (let hand = 1; hand <= 200; hand++) {
      expect([...deckFor(seed, hand)].sort((a, b) => a - b)).toEqual(Array.from({ length: 52 }, (_, card) => card));
    }
  });

  it('equal the published decks for the published seed (vectors of test/vectors.py)', () => {
    expect(codes(deckFor(seed, 1))).toBe(
      '4cJsAcJc5d8sQcAdJd6cAs5h7c7d7s2h3c2c9sKh8hQdKc9h5c6dKd5s3sQh6h7h8dTd3dTcJhTs2d6s9d9c4s3hQs4dKs8cTh2s4hAh',
    );
    expect(codes(deckFor(seed, 2))).toBe(
      '4dTh4hQs7d8h8c2h5dKc3sJdTs2sAsJc2d4s9h7h9c5hAh8s6c6h9s7c7sAdKd6d2cJs3h9dAc5c3cKs4c3dTd8dQhQcTcKhQdJh6s5s',
    );
    expect(codes(deckFor(seed, 1000))).toBe(
      '5sKh8dQh7s7dAh6hAc9h5dJc3h8sAsTcTd5c4hQs9cKc3c4c2d6sTh4s6d6cQd2hKd7c3dQcTsJs3sAd2s8cJh2c4d9s5h7hKs8hJd9d',
    );
  });

  it('take their key from HMAC-SHA256(seed, "deck" || uint32be hand)', () => {
    const message = Buffer.concat([Buffer.from('deck'), Buffer.from([0, 0, 3, 232])]);
    expect(Buffer.from(streamKey(seed, 'deck', 1000))).toEqual(createHmac('sha256', seed).update(message).digest());
    expect(streamKey(seed, 'other', 1000)).not.toEqual(streamKey(seed, 'deck', 1000));
  });

  it('have every card equally often in every place (chi-squared over 20,000 decks)', () => {
    const hands = 20_000;
    const counts = Array.from({ length: 52 }, () => new Array<number>(52).fill(0));
    for (let hand = 1; hand <= hands; hand++) {
      for (const [place, card] of deckFor(seed, hand).entries()) {
        const row = counts[place] as number[];
        row[card] = (row[card] as number) + 1;
      }
    }
    const expected = hands / 52;
    const squares = counts.map((row) => row.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0));
    // 51 degrees of freedom: mean 51, standard deviation 10.1; five deviations for the worst of 52 places.
    expect(Math.max(...squares)).toBeLessThan(51 + 5 * 10.1);
    const total = squares.reduce((sum, square) => sum + square, 0);
    expect(Math.abs(total - 52 * 51)).toBeLessThan(5 * Math.sqrt(2 * 51 * 52));
  });

  it('refuse a seed of another size and a hand number below 1', () => {
    expect(() => deckFor(seed.subarray(1), 1)).toThrow('32 bytes');
    for (const hand of [0, -1]) expect(() => deckFor(seed, hand)).toThrow(new RangeError('hands count from 1'));
    for (const number of [1.5, 2 ** 32])
      expect(() => deckFor(seed, number)).toThrow(new RangeError('the number must be a uint32'));
  });
});

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

describe('the ids by which bots know players', () => {
  it('equal the published ids for the published seed (vectors of test/vectors.py)', () => {
    expect(playerIds(seed, 6)).toEqual([1851887248, 1141378877, 2296764360, 1419406381, 2218552051, 2868010609]);
    expect(playerIds(seed, 2)).toEqual(playerIds(seed, 6).slice(0, 2));
  });

  it('are distinct and have ten digits below 2^32, whatever the seed', () => {
    for (let round = 0; round < 300; round++) {
      const ids = playerIds(randomBytes(32), 6);
      expect(new Set(ids).size).toBe(6);
      expect(Math.min(...ids)).toBeGreaterThanOrEqual(1_000_000_000);
      expect(Math.max(...ids)).toBeLessThan(2 ** 32);
    }
  });

  it('differ from seed to seed', () => {
    const first = Array.from({ length: 200 }, () => playerIds(randomBytes(32), 1)[0]);
    expect(new Set(first).size).toBe(200);
  });
});
