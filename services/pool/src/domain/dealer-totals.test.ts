import type { Runner__Output } from '@husky/contracts/types/simulation/v1/Runner';
import { expect, test } from 'vitest';
import { DealerTotals } from './dealer-totals.ts';

const runner = (
  name: string,
  startedAtMs: number,
  hands: number,
  kills: Record<string, number> = {},
): Runner__Output => ({
  name,
  state: 'IDLE',
  jobId: '',
  cordoned: false,
  lastSeen: '',
  totals: {
    startedAtMs,
    matches: hands / 10,
    hands,
    acts: hands * 5,
    playMs: hands * 2,
    seatKills: Object.entries(kills).map(([reason, count]) => ({ reason, count })),
    sandbox: null,
  },
});

test("sums each dealer's work since the first report", () => {
  const totals = new DealerTotals();
  totals.add([runner('a', 1, 1000, { memory: 4 })]);
  expect(totals.sum).toMatchObject({ hands: 0, matches: 0 });
  totals.add([runner('a', 1, 1500, { memory: 5 }), runner('b', 7, 200)]);
  expect(totals.sum).toMatchObject({ hands: 700, matches: 70, acts: 3500, playMs: 1400 });
  expect([...totals.sum.seatKills]).toEqual([['memory', 1]]);
});

test('counts a restarted dealer from 0, and a dealer without totals as 0', () => {
  const totals = new DealerTotals();
  totals.add([runner('a', 1, 1000)]);
  totals.add([runner('a', 2, 30, { crash: 1 }), { ...runner('c', 1, 0), totals: null }]);
  totals.add([runner('a', 2, 40, { crash: 1 })]);
  totals.add([]);
  expect(totals.sum).toMatchObject({ hands: 40, matches: 4 });
  expect([...totals.sum.seatKills]).toEqual([['crash', 1]]);
});
