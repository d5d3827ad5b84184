import { expect, test } from 'vitest';
import { type AttackCase, adaptToMeans, groups, readCases, sourceOf } from './case-files.ts';
import { endOf, judge } from './judge.ts';

const attack = (more: Partial<AttackCase> = {}): AttackCase => ({
  title: 'A title',
  tries: 'tries something',
  idea: 'an idea',
  verdict: ['plays'],
  means: ['seccomp'],
  matches: 1,
  hands: 20,
  seats: 1,
  pod: false,
  name: 'one',
  group: 'files',
  files: new Map(),
  partner: false,
  ...more,
});
const record = (log: string, verdict = '') => ({ log, verdict, peakKib: 0 });
const log = 'attack: begin\nattack: held fork: EPERM\nattack: over\n';

test('has at least 120 attacks, and some in every group', () => {
  const cases = readCases();
  expect(cases.length).toBeGreaterThanOrEqual(120);
  expect(new Set(cases.map(({ group }) => group))).toEqual(new Set(groups));
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
});

test('gives every attack a name that is valid in a username, and either a bot or an expected refusal', () => {
  for (const one of readCases()) {
    expect(`a-${one.name}-2`.length, one.name).toBeLessThanOrEqual(32);
    if (one.refusal === undefined) expect(sourceOf(one), one.name).toContain('class SimplePlayer');
  }
});

test('throws for the name of an unknown attack', () => {
  expect(() => readCases('files/none')).toThrow('There is no attack files/none');
  expect(readCases('memory').every(({ group }) => group === 'memory')).toBe(true);
});

test('passes a case whose attempt was refused, and fails one whose attempt succeeded', () => {
  expect(judge(attack(), record(log)).problems).toEqual([]);
  const escaped = judge(attack(), record(log.replace('held fork: EPERM', 'ESCAPED fork: done')));
  expect(escaped.problems).toEqual(['not contained: fork: done']);
});

test('fails a case whose attempt was not made, is inconclusive or did not end', () => {
  expect(judge(attack(), record('')).problems.join()).toContain('the attempt was not made');
  expect(judge(attack(), record('attack: begin\nattack: over\n')).problems.join()).toContain('neither a refusal');
  const unsure = judge(attack(), record(log.replace('held', 'unsure')));
  expect(unsure.problems.join()).toContain('proves nothing');
  expect(unsure.unsure).toEqual(['the attempt proves nothing: fork: EPERM']);
  expect(judge(attack(), record('attack: begin\nattack: held x: \n')).problems.join()).toContain(
    'did not come to its end',
  );
});

test('fails a case with an unexpected verdict', () => {
  expect(endOf('crash: the bot ended unexpectedly; faults: 1 crash')).toBe('crash');
  expect(endOf('faults: 2 timeout')).toBe('plays');
  expect(judge(attack(), record(log, 'crash: it ended')).problems.join()).toContain('expected plays');
});

test('reports an escape when an accomplice receives the sent bits, but not for random bits', () => {
  const lines = (kind: string, bit: (hand: number) => number) =>
    Array.from({ length: 60 }, (_, hand) => `attack: ${kind} ${hand}: ${bit(hand)}`).join('\n');
  const random = (hand: number) => (Math.imul(hand + 1, 2654435761) >>> 16) & 1;
  const sender = record(lines('sent', random));
  const receiver = (bit: (hand: number) => number) => record(`${log}${lines('heard', bit)}`);
  const pair = attack({ partner: true });
  expect(judge(pair, receiver(random), sender).problems.join()).toContain('100 of 100 bits arrive');
  expect(
    judge(
      pair,
      receiver((hand) => random(hand - 1)),
      sender,
    ).problems.join(),
  ).toContain('100 of 100 bits');
  expect(
    judge(
      pair,
      receiver(() => 0),
      sender,
    ).problems,
  ).toEqual([]);
});

test('expects an attack that is open without a means to be contained on machines with the means', () => {
  const open = attack({ open: 'as docs/security.md says', openWithout: 'own_uid' });
  const means = { own_uid: true, own_root: false, pid_namespace: false };
  expect(adaptToMeans(open, means).open).toBeUndefined();
  expect(adaptToMeans(open, { ...means, own_uid: false }).open).toBeDefined();
  expect(adaptToMeans(open, undefined).open).toBeDefined();
});

test('passes a case that is declared open and reports its escapes', () => {
  const open = judge(attack({ open: 'as docs/security.md says' }), record(log.replace('held', 'ESCAPED')));
  expect(open.problems).toEqual([]);
  expect(open.escaped).toEqual(['fork: EPERM']);
});
