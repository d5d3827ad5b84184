import { quicknet } from '@husky/match/beacon';
import { recordText, sha256Hex } from '@husky/match/commitment';
import { SEED_LIST_SIZE, seedProblem } from '@husky/match/seed-list';
import { expect, test } from 'vitest';
import { growList, pathOf, readBeacon, seedAt } from './seed-list.ts';

test('every seed of a list is proven by its path, and by no other', () => {
  const secret = Buffer.alloc(32, 3);
  const { root, nodes } = growList(secret);
  const link = { number: 1, jobHash: sha256Hex('seeds:1'), commitment: root, time: 't', previous: '0'.repeat(64) };
  const record = { ...link, hash: sha256Hex(recordText(link)) };
  const problem = (place: number, number = place) =>
    seedProblem(
      { seed: seedAt(secret, place), proof: { path: pathOf(secret, nodes, place), record }, recordNumber: 2 },
      { seeds: { list: 1, number } } as Parameters<typeof seedProblem>[1],
    );
  const places = [0, 1, 2, 511, 512, 513, 65_535, SEED_LIST_SIZE / 2, SEED_LIST_SIZE - 1];
  expect(places.map((place) => problem(place))).toEqual(places.map(() => undefined));
  for (const place of places) expect(problem(place, place ^ 1)).toContain('does not stand at place');
  expect(new Set(places.map((place) => seedAt(secret, place).toString('hex'))).size).toBe(places.length);
});

const info = {
  hash: 'a'.repeat(64),
  public_key: 'b'.repeat(192),
  genesis_time: 1_700_000_000,
  period: 30,
  schemeID: 'x',
};

test('reads the relays and the chain of a beacon, and refuses what is none', () => {
  expect(readBeacon('', '')).toBeNull();
  const urls = ['https://api.drand.sh', 'https://drand.cloudflare.com'];
  expect(readBeacon(` ${urls.join(' , ')},`, '')).toEqual({ urls, chain: quicknet });
  expect(readBeacon('https://a.test', JSON.stringify(info))?.chain).toEqual({
    hash: info.hash,
    publicKey: info.public_key,
    genesis: info.genesis_time,
    period: 30,
  });
  expect(() => readBeacon('api drand', '')).toThrow('BEACON_URLS: api drand is no URL');
  for (const chain of [
    '{',
    '[]',
    'null',
    ...Object.keys(info)
      .slice(0, 4)
      .map((key) => JSON.stringify({ ...info, [key]: 0 })),
  ])
    expect(() => readBeacon('https://a.test', chain), chain).toThrow('BEACON_CHAIN: ');
});
