import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { admin, anonymous, startLeaderboard } from './service.ts';

const board = await startLeaderboard();
afterAll(() => board.stop());
beforeEach(() => board.empty('entries', 'applied_jobs', 'applied_deltas', 'batch_deltas', 'applied_batch_jobs'));

const asAdmin = { caller: admin };
const [ann, ben, cat] = [randomUUID(), randomUUID(), randomUUID()].sort() as [string, string, string];
const getBoard = (request: object = {}) =>
  board.client.getBoard({ preferredTag: '', ...request }, { caller: anonymous });
async function add(userId: string, scoreCents: number, tag: string) {
  board.clock.advance(1000);
  await board.client.addEntry({ userId, scoreCents, tag }, asAdmin);
}

test('returns one row for each user with its sum, and counts each match once', async () => {
  await add(ann, 900_00, 'spring');
  for (const delta of [10, 20]) {
    await board.client.applyJob({ jobId: board.finishedJob({ [ann]: delta, [ben]: -delta }) }, asAdmin);
  }
  await board.client.applyJob({ jobId: board.finishedJob({ [ann]: -5, [cat]: 5 }) }, asAdmin);
  expect(await getBoard()).toEqual({
    tag: '2025',
    fromMatches: true,
    matches: 3,
    total: 3,
    tags: ['2025', 'spring'],
    rows: [
      { userId: ann, scoreCents: 25_00, entries: 1, matches: 3, rank: 1 },
      { userId: cat, scoreCents: 5_00, entries: 1, matches: 1, rank: 2 },
      { userId: ben, scoreCents: -30_00, entries: 1, matches: 2, rank: 3 },
    ],
  });
});

test('sums the scores of one tag only', async () => {
  await add(ann, 1_00, 'spring');
  await add(ben, 2_00, 'spring');
  await add(ann, 4_00, 'spring');
  await add(ben, 99_00, 'summer');
  expect(await getBoard({ tag: 'spring' })).toMatchObject({
    tag: 'spring',
    fromMatches: false,
    matches: 0,
    total: 2,
    rows: [
      { userId: ann, scoreCents: 5_00, entries: 2, matches: 0, rank: 1 },
      { userId: ben, scoreCents: 2_00, entries: 1, matches: 0, rank: 2 },
    ],
  });
  expect(await getBoard({ tag: 'spring', page: 2, pageSize: 1 })).toMatchObject({ rows: [{ userId: ben }], total: 2 });
});

test('equal scores have equal ranks, across pages too', async () => {
  for (const [user, cents] of [
    [ann, 3_00],
    [ben, 5_00],
    [cat, 3_00],
  ] as const)
    await add(user, cents, 'spring');
  const ranks = async (page: number) => (await getBoard({ page, pageSize: 2 })).rows.map(({ rank }) => rank);
  expect([await ranks(1), await ranks(2)]).toEqual([[1, 2], [2]]);
  await add(ann, 1_00, 'spring');
  const top = async (page: number) => {
    const { entries } = await board.client.getTop({ n: 2, page, tag: 'spring' }, { caller: anonymous });
    return entries.map(({ rank }) => rank);
  };
  expect([await top(1), await top(2)]).toEqual([
    [1, 2],
    [2, 4],
  ]);
});

test('falls back from the preferred tag to that of the newest result, and to an empty board', async () => {
  expect(await getBoard()).toMatchObject({ tag: '2025', fromMatches: true, rows: [], total: 0, tags: [] });
  await add(ann, 1_00, 'summer');
  await add(ann, 1_00, 'autumn');
  await add(ben, 1_00, 'summer');
  expect(await getBoard()).toMatchObject({ tag: 'summer', tags: ['summer', 'autumn'], total: 2 });
  expect(await getBoard({ preferredTag: 'no such tag' })).toMatchObject({ tag: 'summer' });
  expect(await getBoard({ preferredTag: 'autumn' })).toMatchObject({ tag: 'autumn' });
  expect(await getBoard({ tag: 'no such tag' })).toMatchObject({
    tag: 'no such tag',
    rows: [],
    tags: ['summer', 'autumn'],
  });
});

test('a match that is added to old entries makes their board the one with the newest result', async () => {
  const play = () => {
    board.clock.advance(1000);
    return board.client.applyJob({ jobId: board.finishedJob({ [ann]: 10, [ben]: -10 }) }, asAdmin);
  };
  await play();
  await add(ann, 1_00, 'summer');
  expect(await getBoard()).toMatchObject({ tag: 'summer' });
  await play();
  expect(await getBoard()).toMatchObject({ tag: '2025', tags: ['2025', 'summer'] });
});
