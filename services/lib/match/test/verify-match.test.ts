import { Action } from '@husky/holdem/action';
import { cardCode } from '@husky/holdem/card';
import { Table } from '@husky/holdem/table';
import { expect, test } from 'vitest';
import { commitmentOf, type MatchCommitment, publicInput, recordText, sha256Hex } from '../src/commitment.ts';
import type { PublishedHand } from '../src/published-hand.ts';
import { redeal } from '../src/replay.ts';
import { RULES_VERSION } from '../src/rules-version.ts';
import { checkLinks, MatchVerifier, type PublishedProof, VerificationFailure } from '../src/verify-match.ts';
import { playMatch, seed, sixMax } from './matches.ts';

const jobId = '01234567-89ab-8cde-8123-000000000000';
const facts: MatchCommitment = {
  seed,
  rulesVersion: RULES_VERSION,
  roster: Array.from({ length: 6 }, (_, seat) => ({
    userId: `u${seat}`,
    botHash: `${seat}`.repeat(64),
    packagesHash: '',
  })),
  hands: 150,
  startingStack: sixMax.startingStack,
  blinds: { bigBlind: 10, multiplier: '1.5', interval: 200 },
  profile: 'documented',
};

function recordOf(match: MatchCommitment, change: { number?: number; previous?: string; time?: string } = {}) {
  const link = {
    number: 1,
    jobHash: sha256Hex(jobId),
    commitment: commitmentOf(match),
    time: '2025-01-01T00:00:00.000Z',
    previous: '0'.repeat(64),
    ...change,
  };
  return { ...link, hash: sha256Hex(recordText(link)) };
}

function proofOf(match: MatchCommitment, change: Partial<PublishedProof> = {}): PublishedProof {
  return {
    jobId,
    commitment: commitmentOf(match),
    publicInput: publicInput(match),
    seed: Buffer.from(match.seed).toString('hex'),
    record: recordOf(match),
    seedProof: null,
    ...change,
  };
}

function published(hands: number, setup = sixMax): PublishedHand[] {
  const table = new Table(setup);
  const all: PublishedHand[] = [];
  for (const content of playMatch(setup, hands, { thinkMs: 2, faults: 0.02 })) {
    for (const { number, hand, record } of redeal(seed, table, content)) {
      let pot = 0;
      all.push({
        number,
        startedAtMs: record.startedAtMs,
        button: hand.button,
        smallBlindSeat: hand.posts === 2 ? hand.smallBlindSeat : null,
        bigBlindSeat: hand.bigBlindSeat,
        smallBlind: hand.smallBlind,
        bigBlind: hand.bigBlind,
        startStacks: hand.startStacks,
        finalStacks: hand.stacks.slice(),
        deltas: hand.deltas,
        holeCards: hand.dealtIn.map((dealt, seat) => (dealt ? hand.holeCards(seat).map(cardCode) : [])),
        board: hand.board.map(cardCode),
        actions: record.actions.map(({ street, seat, kind, amount }) => {
          pot += amount;
          return { street, seat, kind, amount, potAfter: pot };
        }),
      });
    }
  }
  return all;
}

function verify(proof: PublishedProof, hands: readonly PublishedHand[]) {
  const verifier = new MatchVerifier(proof);
  for (const hand of hands) verifier.verifyHand(hand);
  return verifier.finish();
}

const hands = published(facts.hands);
const at = (number: number) => hands[number - 1] as PublishedHand;
/** Returns the failure of the match with one hand changed. */
function failureWith(number: number, change: Partial<PublishedHand>): string {
  const changed = hands.map((hand) => (hand.number === number ? { ...hand, ...change } : hand));
  try {
    verify(proofOf(facts), changed);
  } catch (error) {
    if (error instanceof VerificationFailure) {
      expect(error.hand).toBe(number);
      return error.message;
    }
    throw error;
  }
  return 'verified';
}
const swapped = <T>(values: readonly T[], index: number, value: T): T[] => values.toSpliced(index, 1, value);

test('verifies an unchanged match', () => {
  const actions = hands.reduce((sum, hand) => sum + hand.actions.length, 0);
  expect(verify(proofOf(facts), hands)).toEqual({ hands: hands.length, actions, recordNumber: 1 });
  expect(verify(proofOf(facts, { record: null }), hands).recordNumber).toBeNull();
});

test('verifies a match of reset stacks, which must have all of its hands', () => {
  const reset: MatchCommitment = { ...facts, startingStack: 300, stacks: 'reset' };
  const played = published(reset.hands, { ...sixMax, startingStack: 300, stacks: 'reset' });
  expect(verify(proofOf(reset), played)).toMatchObject({ hands: 150 });
  expect(() => verify(proofOf(reset), played.slice(0, -1))).toThrow('Hand 150: it is missing');
  expect(() => verify(proofOf({ ...reset, stacks: 'carry' }), played)).toThrow(/stacks before the hand: expected/);
});

test('names the hand, the seat and both values of a changed card', () => {
  const cards = at(17).holeCards[2] ?? [];
  const others = at(17).holeCards[3] ?? [];
  expect(failureWith(17, { holeCards: swapped(at(17).holeCards, 2, others) })).toBe(
    `Hand 17: cards of seat 3: expected ${cards.join(' ')}, found ${others.join(' ')}.`,
  );
  expect(failureWith(17, { holeCards: swapped(at(17).holeCards, 2, []) })).toContain('found none.');
  expect(failureWith(17, { holeCards: [] })).toMatch(/cards of seat 1: expected .*, found none\.$/);
  const shown = hands.find(({ board }) => board.length === 5) as PublishedHand;
  expect(failureWith(shown.number, { board: shown.board.toReversed() })).toContain(
    `board: expected ${shown.board.join(' ')}, found`,
  );
  expect(failureWith(shown.number, { board: shown.board.slice(0, 3) })).toContain('board: expected');
  const folded = hands.find(({ board }) => board.length === 0) as PublishedHand;
  expect(failureWith(folded.number, { board: ['Ah'] })).toContain('board: expected none, found Ah.');
});

test('refuses changed, illegal, missing and added actions', () => {
  const { actions } = at(5);
  const [third] = actions.slice(2);
  if (third === undefined) throw new Error('the hand has no decision');
  const changes: [Partial<PublishedHand>, RegExp][] = [
    [{ actions: swapped(actions, 2, { ...third, seat: (third.seat + 1) % 6 }) }, /player of action 3: expected seat/],
    [{ actions: swapped(actions, 2, { ...third, kind: Action.RAISE, amount: 1 }) }, /action 3 .* is illegal: /],
    [{ actions: swapped(actions, 2, { ...third, street: 3 }) }, /street of action 3: expected 0, found 3/],
    [{ actions: swapped(actions, 2, { ...third, potAfter: 0 }) }, /pot after action 3: expected \d+, found 0/],
    [{ actions: actions.slice(0, -1) }, /it ends while seat \d is to act/],
    [{ actions: actions.slice(0, 1) }, /the blinds are missing/],
    [{ actions: [...actions, third] }, /the hand was over/],
    [{ actions: swapped(actions, 1, { ...(actions[1] ?? third), amount: 11 }) }, /action 2: expected RAISE 10/],
  ];
  for (const [change, failure] of changes) expect(failureWith(5, change)).toMatch(failure);
});

test('refuses changed stacks, payouts, results, blinds and positions', () => {
  const hand = at(9);
  const more = (chips: readonly number[]) => swapped(chips, 0, (chips[0] ?? 0) + 1);
  expect(failureWith(9, { startStacks: more(hand.startStacks) })).toContain('stacks before the hand');
  expect(failureWith(9, { finalStacks: more(hand.finalStacks) })).toContain('stacks after the hand');
  expect(failureWith(9, { deltas: more(hand.deltas) })).toContain('chips won and lost');
  expect(failureWith(9, { bigBlind: 20 })).toContain('blinds: expected 5 10, found 5 20');
  expect(failureWith(9, { button: (hand.button + 1) % 6 })).toContain('button: expected seat');
  expect(failureWith(9, { startStacks: [] })).toContain('found none');
});

test('refuses missing, repeated and additional hands', () => {
  const proof = proofOf(facts);
  expect(() => verify(proof, hands.slice(0, -1))).toThrow('it is missing: 150 hands were committed to');
  expect(() => verify(proof, hands.toSpliced(19, 1))).toThrow('Hand 20: it is missing: hand 21 follows.');
  expect(() => verify(proof, hands.toSpliced(19, 0, at(19)))).toThrow('Hand 20: it is missing: hand 19 follows.');
  expect(() => verify(proofOf({ ...facts, hands: 100 }), hands)).toThrow('Hand 101: the commitment allows 100 hands.');
});

test('refuses hands that began before the commitment was made', () => {
  expect(failureWith(1, { startedAtMs: Date.UTC(2024, 0) })).toContain('it began before the commitment was made');
  expect(failureWith(2, { startedAtMs: Number.NaN })).toContain('it began before the commitment was made');
});

test('refuses a seed, facts or a record of another match', () => {
  const other = { ...facts, seed: seed.toReversed() };
  const otherSeed = Buffer.from(other.seed).toString('hex');
  expect(() => verify(proofOf(facts, { seed: otherSeed }), hands)).toThrow('Hash of the seed and the committed facts');
  expect(() => verify(proofOf(facts, { seed: 'no seed' }), hands)).toThrow('The seed is not 64 hex digits.');
  expect(() => verify(proofOf(facts, { publicInput: publicInput({ ...facts, hands: 1 }) }), hands)).toThrow('Hash of');
  expect(() => verify(proofOf(facts, { publicInput: '{' }), hands)).toThrow('is not JSON');
  expect(() => verify(proofOf(facts, { record: recordOf(other) }), hands)).toThrow('Commitment of the record');
  expect(() => verify(proofOf(facts, { jobId: 'another' }), hands)).toThrow('Match of the record in the chain');
  const forged = { ...recordOf(facts), time: '2024-01-01T00:00:00.000Z' };
  expect(() => verify(proofOf(facts, { record: forged }), hands)).toThrow('Hash of record 1 of the chain');
  expect(() => verify(proofOf({ ...facts, rulesVersion: 99 }), hands)).toThrow(
    'Rules version 99 cannot be verified here',
  );
  expect(() => verify(proofOf(other), hands)).toThrow('Hand 1: cards of seat 1: expected');
});

test('refuses records of the chain that do not follow each other', () => {
  const first = recordOf(facts);
  const second = recordOf(facts, { number: 2, previous: first.hash });
  expect(() => checkLinks([first, second])).not.toThrow();
  const broken = [
    recordOf(facts, { number: 3, previous: first.hash }),
    recordOf(facts, { number: 2 }),
    recordOf(facts, { number: 2, previous: first.hash, time: '2024-12-31T00:00:00.000Z' }),
  ];
  for (const record of broken) expect(() => checkLinks([first, record])).toThrow('does not follow the one before');
  expect(() => checkLinks([first, { ...second, hash: first.hash }])).toThrow('Hash of record 2 of the chain');
});

test('verifies a match that one player won before its last hand', () => {
  const short = { ...facts, startingStack: 40, hands: 1000 };
  const won = published(short.hands, { ...sixMax, startingStack: short.startingStack });
  expect(won.length).toBeLessThan(short.hands);
  expect(verify(proofOf(short), won).hands).toBe(won.length);
  expect(() => verify(proofOf(short), [...won, { ...at(1), number: won.length + 1 }])).toThrow('held every chip');
});
