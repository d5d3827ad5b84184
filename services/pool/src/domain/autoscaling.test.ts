import type { Runner__Output } from '@husky/contracts/types/simulation/v1/Runner';
import { expect, test } from 'vitest';
import {
  type AutoscalingRules,
  appendToHistory,
  type ClassLoad,
  DealerTotals,
  decide,
  type History,
  type Observation,
} from './autoscaling.ts';
import type { ContainerState, ContainerView } from './containers.ts';
import { checkSettings, effectiveSettings } from './sizes.ts';

const nowMs = Date.UTC(2026, 0, 1, 12);
const rules: AutoscalingRules = {
  minimum: 3,
  maximum: 8,
  drainSeconds: 10,
  upMs: 15_000,
  downMs: 300_000,
  startMs: 60_000,
  assumedRate: 300,
};
const load = (hands: number, more: Partial<ClassLoad> = {}): ClassLoad => ({
  hands,
  jobs: 1000,
  measuredHands: 950,
  measuredSeconds: 1,
  ...more,
});
const view = (state: ContainerState, problem = '', ageMs = 1000): ContainerView => ({
  runner: { name: 'runner-4', port: 9004, phase: 'running', startedAtMs: nowMs - ageMs, problem },
  reason: problem,
  state,
  jobId: '',
  sandbox: null,
});
const observation = (hands: number, size: number, more: Partial<Observation> = {}): Observation => ({
  nowMs,
  load: [load(hands)],
  views: [],
  size,
  openJob: null,
  ...more,
});
const settled: History = { sinceMs: nowMs - 3600_000, desiredSizes: [], scaledMs: null };
const evaluate = (seen: Observation, history = settled, changed: Partial<AutoscalingRules> = {}) =>
  decide(seen, { ...rules, ...changed }, history);

test.each<[string, ClassLoad[], number, string]>([
  ['nothing to play', [], 3, 'No backlog: wants 3, the minimum.'],
  ['nothing to play, pace known', [load(0)], 3, 'No backlog (950 hands/s a runner lately): wants 3, the minimum.'],
  ['less than the minimum plays', [load(9500)], 3, 'Backlog 9,500 hands, 950 hands/s a runner: wants 3, the minimum.'],
  ['a backlog', [load(38_000)], 4, 'Backlog 38,000 hands, 950 hands/s a runner: wants 4'],
  ['a hand more', [load(38_001)], 5, 'Backlog 38,001 hands, 950 hands/s a runner: wants 5'],
  [
    'more than the maximum',
    [load(1_000_000)],
    8,
    'Backlog 1,000,000 hands, 950 hands/s a runner: wants 8, the maximum (106 would be right)',
  ],
  ['fewer matches than runners', [load(95_000, { jobs: 5 })], 5, ': wants 5, one for each match'],
  [
    'a different pace for each class',
    [load(9500), load(6000, { measuredHands: 3000, measuredSeconds: 20 })],
    5,
    'Backlog 15,500 hands, 310 hands/s a runner: wants 5',
  ],
  [
    "an unmeasured class, which gets the others' pace",
    [load(19_000), load(19_000, { measuredHands: 0, measuredSeconds: 0 })],
    4,
    'Backlog 38,000 hands, 950 hands/s a runner: wants 4',
  ],
  [
    'no measured pace',
    [load(12_000, { measuredHands: 0, measuredSeconds: 0 })],
    4,
    'Backlog 12,000 hands, 300 hands/s a runner (assumed, none is measured yet): wants 4',
  ],
  [
    'a slow class',
    [load(30, { measuredHands: 3, measuredSeconds: 4 })],
    4,
    'Backlog 30 hands, 0.8 hands/s a runner: wants 4',
  ],
])('the desired size with %s', (_case, classes, desired, reason) => {
  const decision = evaluate({ ...observation(0, 3), load: classes });
  expect(decision.desired).toBe(desired);
  expect(decision.reason).toContain(reason);
});

test('scales up at once, and again only after the minimum pause', () => {
  expect(evaluate(observation(38_000, 3))).toMatchObject({
    state: 'scaling',
    target: 4,
    reason: 'Backlog 38,000 hands, 950 hands/s a runner: wants 4; goes up from 3.',
  });
  const justScaled = { ...settled, scaledMs: nowMs - 5000 };
  expect(evaluate(observation(57_000, 4), justScaled)).toMatchObject({
    state: 'waiting',
    target: null,
    reason: expect.stringContaining('wants 6; goes up in 10 s.'),
  });
  expect(evaluate(observation(57_000, 4), { ...settled, scaledMs: nowMs - 15_000 })).toMatchObject({
    state: 'scaling',
    target: 6,
  });
});

test('requests nothing while the size equals the desired one', () => {
  expect(evaluate(observation(38_000, 4))).toMatchObject({ state: 'steady', target: null });
});

test.each<[string, History, ContainerState[], Partial<ReturnType<typeof evaluate>>]>([
  [
    'not before the scale-down window has passed',
    { ...settled, sinceMs: nowMs - 100_000 },
    [],
    {
      state: 'waiting',
      target: null,
      reason: 'No backlog (950 hands/s a runner lately): wants 3, the minimum; may go down in 200 s.',
    },
  ],
  [
    'not while more runners were desired recently',
    { ...settled, desiredSizes: [{ atMs: nowMs - 299_000, size: 8 }] },
    [],
    { state: 'waiting', target: null, reason: expect.stringContaining('has wanted 8 within the last 300 s') },
  ],
  [
    'to the largest recently desired size',
    {
      ...settled,
      desiredSizes: [
        { atMs: nowMs - 299_000, size: 5 },
        { atMs: nowMs - 301_000, size: 8 },
      ],
    },
    [],
    { state: 'scaling', target: 5, reason: expect.stringContaining('goes down from 8 to 5, as wanted lately') },
  ],
  ['to the desired size', settled, ['idle', 'active'], { state: 'scaling', target: 3 }],
  [
    'never below the number of runners that play',
    settled,
    ['active', 'active', 'acquired', 'active', 'idle'],
    { state: 'scaling', target: 4, reason: expect.stringContaining('goes down from 8 to 4, as 4 are playing') },
  ],
  [
    'not at all while all runners play',
    settled,
    Array.from({ length: 8 }, () => 'active' as const),
    { state: 'waiting', target: null, reason: expect.stringContaining('8 runners are playing') },
  ],
])('goes down %s', (_case, history, states, expected) => {
  expect(evaluate(observation(0, 8, { views: states.map((state) => view(state)) }), history)).toMatchObject(expected);
});

test.each<[string, ContainerView, string]>([
  [
    'a pod that no node can take',
    view('starting', 'no node can take it: Insufficient cpu'),
    'runner-4: no node can take it: Insufficient cpu',
  ],
  [
    'an image that cannot be pulled',
    view('starting', 'the image x cannot be had: not found'),
    'runner-4: the image x cannot be had: not found',
  ],
  [
    'a runner that claims nothing',
    view('starting', '', 61_000),
    'runner-4: it has not asked for work yet, see its log',
  ],
])('stops for %s, and resumes afterwards', (_case, one, words) => {
  const seen = observation(57_000, 4, { views: [view('idle'), one] });
  expect(evaluate(seen)).toMatchObject({
    state: 'stopped',
    target: null,
    reason: expect.stringContaining(`stopped while runners do not come up: ${words}.`),
  });
  expect(evaluate({ ...seen, size: 6 })).toMatchObject({ state: 'stopped', target: null });
  expect(evaluate({ ...seen, views: [view('idle'), view('starting', '', 30_000)] })).toMatchObject({
    state: 'scaling',
    target: 6,
  });
});

test('scales down although a runner does not start', () => {
  const views = [view('starting', 'no node can take it')];
  expect(evaluate(observation(0, 8, { views }))).toMatchObject({ state: 'scaling', target: 3 });
});

test('waits for a scaling job in progress, unless it scales down and more runners are desired', () => {
  const up = { fromSize: 3, targetSize: 4 };
  expect(evaluate(observation(57_000, 4, { openJob: up }))).toMatchObject({
    state: 'scaling',
    target: null,
    reason: expect.stringContaining('the change to 4 is under way'),
  });
  const goingDown = { fromSize: 8, targetSize: 3 };
  expect(evaluate(observation(0, 3, { openJob: goingDown }))).toMatchObject({ state: 'scaling', target: null });
  expect(evaluate(observation(57_000, 3, { openJob: goingDown }))).toMatchObject({ state: 'scaling', target: 6 });
});

test('scales a size outside of the bounds to the nearest bound', () => {
  expect(evaluate(observation(0, 2))).toMatchObject({ state: 'scaling', target: 3 });
  expect(evaluate(observation(1_000_000, 12))).toMatchObject({ state: 'scaling', target: 8 });
});

test('keeps desired sizes for the scale-down window', () => {
  const history = {
    ...settled,
    desiredSizes: [
      { atMs: nowMs - 300_000, size: 9 },
      { atMs: nowMs - 1000, size: 5 },
    ],
  };
  expect(appendToHistory(history, nowMs, 4, 300_000).desiredSizes).toEqual([
    { atMs: nowMs - 1000, size: 5 },
    { atMs: nowMs, size: 4 },
  ]);
});

test('prefers stored settings to the configuration, within the maximum of the fleet', () => {
  const configured = { enabled: false, minimum: 3, maximum: 8, drainSeconds: 300 };
  const nothing = { enabled: null, minimum: null, maximum: null, drainSeconds: null };
  expect(effectiveSettings(nothing, configured, 16)).toEqual(configured);
  expect(effectiveSettings({ enabled: true, minimum: 9, maximum: 12, drainSeconds: 60 }, configured, 6)).toEqual({
    enabled: true,
    minimum: 6,
    maximum: 6,
    drainSeconds: 60,
  });
});

test.each([
  [{ minimum: 2 }, 'The minimum must be at least 3.'],
  [{ maximum: 17 }, 'The maximum must be at most 16.'],
  [{ minimum: 9 }, 'The maximum must not be below the minimum.'],
  [{ drainSeconds: 9 }, 'The backlog must be played within 10 to 86,400 seconds.'],
  [{ drainSeconds: 86_401 }, 'The backlog must be played within 10 to 86,400 seconds.'],
])('refuses invalid settings: %o', (change, message) => {
  const settings = { enabled: true, minimum: 3, maximum: 8, drainSeconds: 300 };
  expect(() => checkSettings(settings, 16)).not.toThrow();
  expect(() => checkSettings({ ...settings, ...change }, 16)).toThrow(message);
});

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
