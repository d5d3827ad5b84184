import { recordText, sha256Hex } from '@husky/match/commitment';
import { SEED_LIST_SIZE, seedProblem } from '@husky/match/seed-list';
import { expect, test } from 'vitest';
import { growList, pathOf, seedAt } from './seed-list.ts';

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
