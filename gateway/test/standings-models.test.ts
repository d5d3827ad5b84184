import { nestedEstimate } from '@husky/estimate/nested';
import { expect, test } from 'vitest';
import { modelsOf } from '../src/routes/live/standings-models.ts';
import type { StandingsBody } from '../src/routes/live/standings-schema.ts';

type Player = StandingsBody['players'][number];

const estimate = (chips: number, half: number) => ({
  chips_per_100: chips,
  low: chips - half,
  high: chips + half,
  standard_error: half / 2,
  bb_per_100: chips / 10,
  bb_low: (chips - half) / 10,
  bb_high: (chips + half) / 10,
  hands: 600,
});
const none = { raw: null, adjusted: null, duplicate: null, duplicate_adjusted: null };
const player = (username: string, chips: number | null): Player => ({
  username,
  hands: 600,
  matches: 6,
  deals: 0,
  groups: none,
  ranks: none,
  rating: null,
  estimates: { ...none, raw: chips === null ? null : estimate(chips, 40) },
});
const metadata = (bots: Readonly<Record<string, object | string>>) => JSON.stringify({ bots });
const x = { model: { name: 'x', version: '1' } };

test('groups players by the models of their batches, with the nested intervals of the kit', () => {
  const players = [player('ann', 100), player('ben', 0), player('cat', -50), player('dan', -60), player('eve', null)];
  const first = metadata({ ann: x, ben: x, cat: { model: { name: 'x' } }, dan: x, eve: { model: { name: 'y' } } });
  const second = metadata({ ann: x, dan: { model: { name: 'y' } }, cat: 'by hand', __proto__: x });
  const found = modelsOf(players, [first, second, '', '{"bots":[]}']);
  expect(found.map(({ name, version, usernames }) => [name, version, usernames])).toEqual([
    ['x', '1', ['ann', 'ben']],
    ['x', null, ['cat']],
    ['y', null, ['eve']],
  ]);
  const [both, one, unplayed] = found.map(({ estimates }) => estimates.raw);
  const kit = nestedEstimate([100, 0].map((mean) => ({ mean, standardError: 20 })));
  expect(both?.chips).toEqual({
    mean: 50,
    bots_low: kit.overBots?.low,
    bots_high: kit.overBots?.high,
    hands_low: kit.overHands.low,
    hands_high: kit.overHands.high,
    between_bots: kit.betweenBots,
  });
  expect(both?.bb.bots_low).toBeCloseTo((kit.overBots?.low ?? 0) / 10);
  expect(one?.chips).toMatchObject({ mean: -50, bots_low: null, bots_high: null, between_bots: null });
  expect(unplayed).toBeNull();
});
