import { describe, expect, it } from 'vitest';
import { commitmentInput, commitmentOf, type MatchCommitment } from '../src/commitment.ts';
import { canonicalHand, digestNext, digestStart } from '../src/digest.ts';
import { describeFault, FAULTS } from '../src/fault.ts';
import { gameIdOf, isJobId, jobIdFrom, parseGameId } from '../src/game-id.ts';
import type { HandRecord } from '../src/record.ts';
import { seed } from './matches.ts';

const commitment: MatchCommitment = {
  seed,
  rulesVersion: 1,
  roster: [
    { userId: 'u1', botHash: 'b'.repeat(64), packagesHash: '' },
    { userId: 'u2', botHash: 'c'.repeat(64), packagesHash: 'd'.repeat(64) },
  ],
  hands: 1000,
  startingStack: 10_000,
  blinds: { bigBlind: 10, multiplier: '1.5', interval: 30 },
  profile: 'documented',
};

describe('commitment', () => {
  it('is the SHA-256 of its published input (vector of test/vectors.py)', () => {
    expect(commitmentOf(commitment)).toBe('0fe2f34db97353f556c407321fcb464cc3162d3fd6ee32158a938c79888e4349');
    expect(JSON.parse(commitmentInput(commitment))).toMatchObject({ seed: seed.toString('hex'), hands: 1000 });
  });

  it('does not depend on the order in which properties were written', () => {
    const shuffled = Object.fromEntries(Object.entries(commitment).reverse()) as unknown as MatchCommitment;
    const roster = commitment.roster.map((seat) => Object.fromEntries(Object.entries(seat).reverse()));
    expect(commitmentOf({ ...shuffled, roster: roster as unknown as MatchCommitment['roster'] })).toBe(
      commitmentOf(commitment),
    );
  });

  it('has a key for the stacks only if they are reset, so that older commitments stay valid', () => {
    expect(commitmentInput({ ...commitment, stacks: 'carry' })).toBe(commitmentInput(commitment));
    expect(JSON.parse(commitmentInput({ ...commitment, stacks: 'reset' }))).toMatchObject({ stacks: 'reset' });
  });

  it('changes with every committed fact', () => {
    const others: MatchCommitment[] = [
      { ...commitment, seed: Buffer.alloc(32) },
      { ...commitment, rulesVersion: 2 },
      { ...commitment, roster: commitment.roster.toReversed() },
      { ...commitment, hands: 999 },
      { ...commitment, startingStack: 1 },
      { ...commitment, blinds: { ...commitment.blinds, multiplier: '1.50' } },
      { ...commitment, profile: 'classic' },
      { ...commitment, stacks: 'reset' },
    ];
    expect(new Set([commitment, ...others].map(commitmentOf)).size).toBe(others.length + 1);
  });
});

describe('digest chain', () => {
  const record: HandRecord = {
    startedAtMs: 1_760_000_000_000,
    actions: [
      { street: 0, seat: 0, kind: 4, amount: 5, adjusted: false, ms: 0 },
      { street: 0, seat: 1, kind: 4, amount: 10, adjusted: false, ms: 0 },
      { street: 0, seat: 0, kind: 1, amount: 0, adjusted: false, ms: 12, fault: 'exception', detail: "TypeError: 'é'" },
    ],
    deltas: [-5, 5],
  };

  it('starts from match and attempt and adds one hand at a time (vector of test/vectors.py)', () => {
    const start = digestStart('0190b0a4-7c1e-8abc-9def-000000000000', 2);
    expect(start.toString('hex')).toBe('36fc8fcb464a94f5d264a56a0208732eb436396252332221ec61bbcce3e6a515');
    expect(digestNext(start, 7, record).toString('hex')).toBe(
      '632f2ec70cc6f6ed3990316252eb71688d2ccf69ca51469338e2dfd720270bc4',
    );
  });

  it('hashes fault and text of an action, each null if there is none', () => {
    const [, , fold] = record.actions as [object, object, HandRecord['actions'][number]];
    const notesOf = (patch: object) => canonicalHand(7, { ...record, actions: [{ ...fold, ...patch }] });
    expect(notesOf({ fault: 'crash', detail: undefined })).toBe(
      '[7,1760000000000,[[0,0,1,0,0,12,"crash",null]],[-5,5]]',
    );
    expect(notesOf({ fault: undefined, detail: 'RAISE 3' })).toContain(',12,null,"RAISE 3"]');
    expect(notesOf({ fault: undefined, detail: undefined })).toContain(',12,null,null]');
  });

  it('changes with every field of a hand and with its number', () => {
    const [first, second, third] = record.actions as [object, object, object];
    const changed = (patch: object): string =>
      canonicalHand(7, { ...record, actions: [first, second, { ...third, ...patch }] as HandRecord['actions'] });
    const all = [
      canonicalHand(7, record),
      canonicalHand(8, record),
      canonicalHand(7, { ...record, startedAtMs: 1 }),
      canonicalHand(7, { ...record, deltas: [5, -5] }),
      ...[{ street: 1 }, { seat: 1 }, { kind: 2 }, { amount: 1 }, { adjusted: true }, { ms: 13 }].map(changed),
      ...[{ fault: 'timeout' }, { fault: undefined }, { detail: 'x' }, { detail: undefined }].map(changed),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('game ids', () => {
  const job = jobIdFrom(Buffer.from('ffffffffffffffffffff', 'hex'));

  it('are UUIDv8 with attempt and hand in the last group', () => {
    expect(job).toBe('ffffffff-ffff-8fff-bfff-000000000000');
    expect(jobIdFrom(Buffer.alloc(10))).toBe('00000000-0000-8000-8000-000000000000');
    expect(gameIdOf(job, 2, 1000)).toBe('ffffffff-ffff-8fff-bfff-0002000003e8');
    expect(gameIdOf(job, 0xffff, 0xffff_ffff)).toBe('ffffffff-ffff-8fff-bfff-ffffffffffff');
  });

  it('are parsed in upper and lower case', () => {
    const address = { jobId: job, attempt: 258, hand: 4_000_000_000 };
    const id = gameIdOf(address.jobId, address.attempt, address.hand);
    expect(parseGameId(id)).toEqual(address);
    expect(parseGameId(id.toUpperCase())).toEqual(address);
  });

  it('are distinguished from job ids and other texts', () => {
    expect(isJobId(job)).toBe(true);
    expect(isJobId(gameIdOf(job, 1, 1))).toBe(false);
    expect(isJobId(job.toUpperCase())).toBe(false);
    for (const text of [
      '',
      job,
      `${job}0`,
      'ffffffff-ffff-4fff-bfff-000200000001',
      'ffffffff-ffff-8fff-cfff-000200000001',
    ]) {
      expect(parseGameId(text)).toBeNull();
    }
    for (const halfId of ['ffffffff-ffff-8fff-bfff-000200000000', 'ffffffff-ffff-8fff-bfff-000000000001']) {
      expect(isJobId(halfId)).toBe(false);
      expect(parseGameId(halfId)).toBeNull();
    }
    for (const attempt of [0, 65_536, 1.5])
      expect(() => gameIdOf(job, attempt, 1)).toThrow(new RangeError(`no attempt ${attempt}`));
    for (const hand of [0, 2 ** 32, 1.5])
      expect(() => gameIdOf(job, 1, hand)).toThrow(new RangeError(`no hand ${hand}`));
    expect(() => gameIdOf(gameIdOf(job, 1, 1), 1, 1)).toThrow('no job id');
    expect(() => jobIdFrom(Buffer.alloc(16))).toThrow('10 random bytes');
  });
});

describe('faults', () => {
  it('keep their order, which chunks store, and have descriptions', () => {
    expect(FAULTS).toEqual(['timeout', 'exception', 'illegal', 'crash', 'memory', 'disabled', 'protocol', 'startup']);
    for (const fault of FAULTS) expect(describeFault(fault).length).toBeGreaterThan(5);
  });
});
