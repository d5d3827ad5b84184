import { houseUserId } from '@husky/contracts/house-user';
import type { Caller } from '@husky/runtime/rpc/caller';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { SeatFindings, sortGroups } from '../src/domain/findings.ts';
import { admin, anonymous, leaseOf, startLiveData, user } from './service.ts';
import { userIdOf } from './simulation.ts';

const live = await startLiveData();
afterAll(() => live.stop());
beforeEach(() => {
  live.simulation.accepted.length = 0;
});

const secret = 'KeyError: my secret range (line 20)';
const raises = { seat: 0, note: () => ({ fault: 'exception' as const, detail: secret }) };
const players = ['ann', 'bob'].map(userIdOf);
const times = { count: 3, p50Ms: 0.4, p95Ms: 7, maxMs: 7.5, counts: [0, 2, 0, 0, 0, 1] };

interface Verdicts {
  readonly verdicts?: { seat: number; code: string; text: string }[];
}

async function verdictsFor(caller: Caller, jobId: string): Promise<Verdicts['verdicts']> {
  const { hands } = await live.gateway.listHands({ jobId }, { caller });
  const games = await Promise.all(hands.map(({ gameId }) => live.gateway.getHand({ gameId }, { caller })));
  return games.flatMap(({ gameJson }) => (JSON.parse(gameJson) as Verdicts).verdicts ?? []);
}

test("shows the text of a bot's exception to its owner and admins, and only the kind of fault to everybody else", async () => {
  const { match } = await live.finishMatch({ numRounds: 20, playerIds: players }, { failing: raises });
  await live.gateway.toggleVisibility({ jobId: match.jobId }, { caller: admin });
  for (const caller of [user('ann'), admin]) {
    const texts = (await verdictsFor(caller, match.jobId))?.filter(({ seat }) => seat === 0).map(({ text }) => text);
    expect(texts?.length).toBeGreaterThan(0);
    for (const text of texts ?? []) expect(text).toBe(`raised an exception: ${secret}`);
  }
  for (const caller of [anonymous, user('bob'), user('owner'), user('zed')]) {
    const verdicts = await verdictsFor(caller, match.jobId);
    const failed = verdicts?.filter(({ code }) => code === 'exception') ?? [];
    expect(failed.length).toBeGreaterThan(0);
    for (const { text } of failed) expect(text).toBe('raised an exception');
    expect(JSON.stringify(verdicts)).not.toContain('secret');
    const illegal = verdicts?.find(({ code, seat }) => code === 'illegal' && players[seat] !== userIdOf('bob'));
    expect(illegal?.text ?? 'gave an illegal answer').toBe('gave an illegal answer');
  }
});

test('shows texts of the house bot only to admins', async () => {
  const playerIds = [houseUserId, userIdOf('bob')];
  const { match } = await live.finishMatch({ numRounds: 10, playerIds }, { failing: raises });
  const house: Caller = { kind: 'user', id: houseUserId, username: 'house', admin: false, verified: true };
  await live.gateway.toggleVisibility({ jobId: match.jobId }, { caller: admin });
  expect(JSON.stringify(await verdictsFor(house, match.jobId))).not.toContain('secret');
  expect(JSON.stringify(await verdictsFor(admin, match.jobId))).toContain('secret');
});

test("reports each bot's faults with the result, counted from the verified hands", async () => {
  const { match, play } = await live.deliverMatch({ numRounds: 40, playerIds: players }, { failing: raises });
  const caller = leaseOf(match);
  const failedCalls = [{ method: 'on_start', text: 'ValueError:\0x (line 3)', count: 40, firstHand: 1 }];
  const details = { outKind: '', outText: '', failedCalls, times, bankMs: 60_000, bankUsedMs: 12 };
  await live.runner.deliverSeatReport({ seat: 1, log: '', verdict: '', details }, { caller });
  const request = { handsPlayed: play.records.length, digest: play.digest, endedEarly: '' };
  await live.runner.completeMatch(request, { caller });
  const actions = play.records.flatMap(({ actions }) => actions.slice(2));
  const [ann, bob] = live.simulation.accepted[0]?.seatFaults ?? [];
  const isDecision = ({ seat }: { seat: number }, index: number) => index >= 2 && seat === 0;
  const hasDecision = (hand: { actions: readonly { seat: number }[] }) => hand.actions.some(isDecision);
  const failed = actions.filter(({ seat }) => seat === 0).length;
  expect(ann).toEqual({
    userId: players[0],
    decisions: failed,
    counts: [{ kind: 'exception', count: failed }],
    failedCalls: 0,
    neverStarted: false,
    outKind: '',
    firstKind: 'exception',
    firstText: secret,
    firstHand: play.records.findIndex(hasDecision) + 1,
    firstStep: (play.records.find(hasDecision)?.actions.findIndex(isDecision) ?? -1) + 1,
  });
  expect(bob).toMatchObject({
    userId: players[1],
    failedCalls: 40,
    neverStarted: false,
    firstKind: 'callback',
    firstHand: 1,
    firstText: 'on_start: ValueError: x (line 3)',
  });
});

test.each([
  ['by its report', { outKind: 'startup', outText: 'ImportError: secret (line 1)', failedCalls: [] }],
  ['from a dealer of the previous release, by its hands', null],
])('detects a bot that never started %s', async (_how, details) => {
  const failing = { seat: 0, note: () => ({ fault: 'startup' as const }) };
  const { match, play } = await live.deliverMatch({ numRounds: 10, playerIds: players }, { failing });
  const caller = leaseOf(match);
  await live.runner.deliverSeatReport({ seat: 0, log: '', verdict: '', details }, { caller });
  await live.runner.completeMatch({ handsPlayed: play.records.length, digest: play.digest }, { caller });
  const [ann, bob] = live.simulation.accepted[0]?.seatFaults ?? [];
  expect(ann).toMatchObject({ neverStarted: true, firstKind: 'startup' });
  if (details) expect(ann).toMatchObject({ outKind: 'startup', firstText: details.outText });
  expect(bob).toMatchObject({ neverStarted: false });
});

test('returns the grouped faults, times and log of a bot only to its owner and admins', async () => {
  const note = (hand: number) => ({
    fault: 'exception' as const,
    detail: hand % 3 === 0 ? 'IndexError: x (line 9)' : secret,
  });
  const { match, play } = await live.deliverMatch(
    { numRounds: 70, playerIds: players },
    { failing: { seat: 0, note } },
  );
  const caller = leaseOf(match);
  const details = { outKind: 'no such fault', outText: 'x'.repeat(999), times, bankMs: 60_000, bankUsedMs: -5 };
  await live.runner.deliverSeatReport(
    { seat: 0, log: 'hello\n', verdict: 'faults', cpuMs: 12, peakKib: 34, faults: 5, details },
    { caller },
  );
  await live.runner.completeMatch({ handsPlayed: play.records.length, digest: play.digest }, { caller });
  const report = { jobId: match.jobId, userId: players[0] };
  const own = await live.gateway.getBotReport(report, { caller: user('ann') });
  const decisions = play.records.flatMap(({ actions }) => actions.slice(2)).filter(({ seat }) => seat === 0);
  expect(own).toMatchObject({
    decisions: decisions.length,
    faultGroups: 2,
    seat: 0,
    attempt: 1,
    hands: 70,
    adjusted: [],
    log: { log: 'hello\n', verdict: 'faults', cpuMs: 12, peakKib: 34, faults: 5 },
    details: { outKind: '', bankMs: 60_000, bankUsedMs: 0 },
  });
  expect(own.details?.outText).toHaveLength(300);
  expect(own.details?.times).toMatchObject({ count: 3, p50Ms: 0.4, maxMs: 7.5 });
  expect(own.details?.times?.counts).toHaveLength(16);
  const nets = play.records.map(({ deltas }) => deltas[0] ?? 0);
  const worstDelta = Math.min(...nets);
  expect(worstDelta).toBeLessThan(0);
  expect(own).toMatchObject({ worstDelta, worstHand: nets.indexOf(worstDelta) + 1 });
  const [often, rare] = own.faults;
  expect(often).toMatchObject({ kind: 'exception', text: secret });
  expect(rare).toMatchObject({ kind: 'exception', text: 'IndexError: x (line 9)' });
  expect((often?.count ?? 0) + (rare?.count ?? 0)).toBe(decisions.length);
  expect(await live.gateway.getBotReport(report, { caller: admin })).toEqual(own);
  for (const other of [user('bob'), user('owner')]) {
    expect(await refusal(live.gateway.getBotReport(report, { caller: other }))).toMatch(/^PERMISSION_DENIED/);
  }
  expect(await refusal(live.gateway.getBotReport(report, { caller: anonymous }))).toMatch(/^UNAUTHENTICATED/);
});

test('reports the faults in the hands without details for a dealer of the previous release', async () => {
  const { match } = await live.deliverMatch({ numRounds: 10, playerIds: players }, { failing: raises });
  await live.runner.deliverSeatReport({ seat: 0, log: 'hello', verdict: '' }, { caller: leaseOf(match) });
  const report = await live.gateway.getBotReport({ jobId: match.jobId, userId: players[0] }, { caller: admin });
  expect(report.details).toBeNull();
  expect(report.faults).toHaveLength(1);
});

test('counts decisions under the general text when a bot has too many texts', () => {
  const findings = new SeatFindings();
  const action = { street: 0, seat: 0, kind: 1, amount: 0, ms: 0 } as const;
  for (let hand = 1; hand <= 3000; hand++) {
    const name = String.fromCodePoint(0x4e00 + hand);
    findings.add({ ...action, adjusted: false, fault: 'exception', detail: `KeyError: ${hand}` }, hand, 3);
    findings.add({ ...action, adjusted: true, detail: `${name}: less than ${name}` }, hand, 4);
    findings.add({ ...action, adjusted: false, fault: 'exception', detail: 'KeyError: 1' }, hand, 5);
  }
  for (const [groups, decisions] of [
    [findings.faults, 6000],
    [findings.adjusted, 3000],
  ] as const) {
    expect(groups.size).toBe(1001);
    expect([...groups.values()].reduce((sum, { count }) => sum + count, 0)).toBe(decisions);
  }
  expect(sortGroups(findings.faults).slice(0, 3)).toMatchObject([
    { text: 'KeyError: 1', count: 3001 },
    { text: 'raised an exception', count: 2000, firstHand: 1001, lastHand: 3000 },
    { text: 'KeyError: 2', count: 1 },
  ]);
  expect(sortGroups(findings.adjusted)[0]).toMatchObject({ text: 'another action played as FOLD', count: 2000 });
});

test('groups adjusted decisions by reason, independently of the amount', () => {
  const findings = new SeatFindings();
  const raise = (detail: string) =>
    ({ street: 0, seat: 0, kind: 4, amount: 20, adjusted: true, ms: 0, detail }) as const;
  for (const [hand, detail] of ['RAISE 3', 'RAISE 12.5', 'RAISE 7: below the minimum of 20'].entries()) {
    findings.add(raise(detail), hand + 1, 5);
  }
  expect(sortGroups(findings.adjusted)).toEqual([
    { kind: 'adjusted', text: 'RAISE played as RAISE', count: 2, firstHand: 1, firstStep: 5, lastHand: 2 },
    {
      kind: 'adjusted',
      text: 'RAISE played as RAISE: below the minimum of',
      count: 1,
      firstHand: 3,
      firstStep: 5,
      lastHand: 3,
    },
  ]);
});
