import { Action } from '@husky/holdem/action';
import { Table, type TableSetup } from '@husky/holdem/table';
import { describe, expect, it } from 'vitest';
import { type ChunkContent, decodeChunk, encodeChunk } from '../src/chunk.ts';
import { digestNext, digestStart } from '../src/digest.ts';
import { type HandRecord, type RecordedAction, recordHand } from '../src/record.ts';
import { RecordMismatch, redeal, tableAt } from '../src/replay.ts';
import { playMatch, seed, sixMax } from './matches.ts';

const style = { thinkMs: 20, faults: 0.03 };
const chunks = playMatch(sixMax, 200, style);
const chunk = chunks[0] as ChunkContent;

const verify = (content: ChunkContent, matchSeed = seed, setup: TableSetup = sixMax): number =>
  [...redeal(matchSeed, tableAt(content, setup), content)].length;

function tamper(hand: number, index: number, patch: Partial<RecordedAction>): ChunkContent {
  const hands = structuredClone(chunk.hands) as HandRecord[];
  const record = hands[hand - 1] as HandRecord;
  const actions = record.actions.map((action, at) => (at === index ? { ...action, ...patch } : action));
  hands[hand - 1] = { ...record, actions };
  return { ...chunk, hands };
}

const roundTrip = (content: ChunkContent): ChunkContent => decodeChunk(encodeChunk(content));

describe('re-dealing', () => {
  it('rebuilds every hand of a match from the seed and the stored actions, chunk by chunk on one table', () => {
    const table = new Table(sixMax);
    const hands = chunks.flatMap((content) => [...redeal(seed, table, roundTrip(content))]);
    expect(hands.map(({ number }) => number)).toEqual(hands.map((_, index) => index + 1));
    for (const { hand, record } of hands) {
      expect(hand.over).toBe(true);
      expect(hand.deltas).toEqual(record.deltas);
      expect(hand.log).toEqual(
        record.actions.map(({ street, seat, kind, amount, adjusted }) => ({ street, seat, kind, amount, adjusted })),
      );
    }
    const last = chunks.at(-1) as ChunkContent;
    expect(table.handNumber).toBe(last.firstHand + last.hands.length - 1);
  });

  it('rebuilds a match of reset stacks, and refuses it for a match of carried ones and the reverse', () => {
    const reset: TableSetup = { ...sixMax, startingStack: 300, stacks: 'reset' };
    const contents = playMatch(reset, 200, style).map(roundTrip);
    const table = new Table(reset);
    const hands = contents.flatMap((content) => [...redeal(seed, table, content)]);
    expect(hands).toHaveLength(200);
    for (const { hand } of hands) expect(hand.startStacks).toEqual([300, 300, 300, 300, 300, 300]);
    for (const content of contents) expect(verify(content, seed, reset)).toBe(content.hands.length);
    const [first] = contents as [ChunkContent];
    const reason = 'which is not what the match is committed to';
    expect(() => verify(first, seed, { ...reset, stacks: 'carry' })).toThrow(`stacks are reset to 300, ${reason}`);
    expect(() => verify(first, seed, { ...reset, startingStack: 200 })).toThrow(`stacks are reset to 300, ${reason}`);
    expect(() => verify(chunk, seed, { ...sixMax, stacks: 'reset' })).toThrow(`stacks are carried, ${reason}`);
  });

  it('can begin at any chunk', () => {
    for (const content of chunks) expect(verify(content)).toBe(content.hands.length);
  });

  it('refuses a tampered raise, naming hand, action and difference', () => {
    // A raise that somebody called: with one more chip in it, the recorded call is wrong.
    const called = ({ kind }: RecordedAction, at: number, all: readonly RecordedAction[]): boolean =>
      at > 1 && kind === Action.RAISE && all[at + 1]?.kind === Action.CALL && all[at + 1]?.street === all[at]?.street;
    const hand = chunk.hands.findIndex(({ actions }) => actions.some(called)) + 1;
    const { actions } = chunk.hands[hand - 1] as HandRecord;
    const index = actions.findIndex(called);
    const raise = actions[index] as RecordedAction;
    const more = roundTrip(tamper(hand, index, { amount: raise.amount + 1 }));
    expect(() => verify(more)).toThrow(RecordMismatch);
    expect(() => verify(more)).toThrow(`hand ${hand}: action ${index + 2} (`);
    const tiny = tamper(hand, index, { amount: 1 });
    expect(() => verify(tiny)).toThrow(
      `hand ${hand}: action ${index + 1} (street ${raise.street} seat ${raise.seat} RAISE 1`,
    );
    expect(() => verify(tiny)).toThrow('the minimum raise is');
  });

  it('accepts changes that do not affect the result; only the digest detects them', () => {
    const late = tamper(1, 2, { detail: 'RAISE 7' });
    expect(verify(late)).toBe(late.hands.length);
    const start = digestStart('match', 1);
    expect(digestNext(start, 1, late.hands[0] as HandRecord)).not.toEqual(
      digestNext(start, 1, chunk.hands[0] as HandRecord),
    );
  });

  it('verifies a hand stored before November 2026, when a RAISE without reopened betting folded', () => {
    // Written by a build of November 2026: 130, 1435 and 1435 chips; RAISE 100, ALL_IN 125, CALL 120, RAISE 200 folded.
    const stored = Buffer.from(
      'KLUv/SR0oQMAAQEBA4IBmwubCwABAUVSQUlTRSAyMDA6IGEgcmFpc2UgYWx0aG91Z2ggYSBzaG9ydCBhbGwtaW4gZGlkIG5vdCByZW9wZW4gdGhl' +
        'IGJldHRpbmcHAwYGAQQNDQ0EAgD/BQpkAAADAwMDgIDmgrlmAQAFAwH8CtD1',
      'base64',
    );
    const content = decodeChunk(stored);
    const blinds = { bigBlind: 10, multiplier: '1', interval: 1000 };
    const setup = { rulesVersion: 1, players: 3, startingStack: 1000, blinds };
    expect(verify(content, seed, setup)).toBe(1);
    const [record] = content.hands as [HandRecord];
    expect(record.actions.at(-1)).toMatchObject({ kind: Action.FOLD, fault: 'illegal' });
    expect(digestNext(digestStart('m', 1), 1, record).toString('hex')).toBe(
      'e4fa18f6cae5579154c6dbd23bad3879570590cce19d7c6a405d3b64a7e6863e',
    );
    expect(encodeChunk(content)).toEqual(stored);
  });

  it('refuses another seat, amount, street, time or blind', () => {
    const acting = (chunk.hands[0] as HandRecord).actions[2] as RecordedAction;
    expect(() => verify(tamper(1, 2, { seat: (acting.seat + 1) % 6 }))).toThrow(`seat ${acting.seat} is to act`);
    expect(() => verify(tamper(1, 2, { amount: acting.amount + 1 }))).toThrow(/^hand 1: action 3 /);
    expect(() => verify(tamper(1, 2, { street: 1 }))).toThrow('the rules say street 0');
    expect(() => verify(tamper(1, 2, { ms: 1e9 }))).toThrow('its time runs back');
    expect(() => verify(tamper(1, 0, { amount: 4 }))).toThrow('the rules say street 0 seat 0 RAISE 5');
    expect(() => verify(tamper(1, 1, { adjusted: true }))).toThrow('hand 1: action 2');
  });

  it.each([
    [0, 'seat 0 RAISE 5'],
    [1, 'seat 1 RAISE 10'],
  ])('refuses another seat, kind or street of blind %i', (index, blind) => {
    const { seat } = (chunk.hands[0] as HandRecord).actions[index] as RecordedAction;
    const changes = [{ seat: seat + 1 }, { kind: Action.CALL }, { kind: Action.ALL_IN }, { street: 1 } as const];
    for (const change of changes) {
      expect(() => verify(tamper(1, index, change))).toThrow(`the rules say street 0 ${blind}`);
    }
  });

  it('refuses a fault with an action other than a fold', () => {
    const hand = chunk.hands.findIndex(({ actions }) => actions.slice(2).some(({ kind }) => kind !== Action.FOLD)) + 1;
    const index = (chunk.hands[hand - 1] as HandRecord).actions.findIndex(
      ({ kind }, at) => at > 1 && kind !== Action.FOLD,
    );
    expect(() => verify(tamper(hand, index, { fault: 'timeout' }))).toThrow('a fault folds');
  });

  it('refuses missing and surplus actions', () => {
    const record = chunk.hands[0] as HandRecord;
    const instead = (actions: readonly RecordedAction[]): ChunkContent => ({
      ...chunk,
      hands: [{ ...record, actions }],
    });
    expect(() => verify(instead(record.actions.slice(0, -1)))).toThrow(
      /hand 1: the record ends while seat \d is to act/,
    );
    expect(() => verify(instead([]))).toThrow('hand 1: the record ends before the blinds');
    const surplus = [...record.actions, record.actions.at(-1) as RecordedAction];
    expect(() => verify(instead(surplus))).toThrow('the hand is over');
  });

  it('refuses results that do not follow from the cards', () => {
    const record = chunk.hands[0] as HandRecord;
    const deltas = record.deltas.map((delta, seat) => (seat === 0 ? delta + 1 : seat === 1 ? delta - 1 : delta));
    expect(() => verify({ ...chunk, hands: [{ ...record, deltas }] })).toThrow(/hand 1: results are .*, not /);
  });

  it('refuses a hand after one player has won every chip', () => {
    const short: TableSetup = { ...sixMax, startingStack: 40 };
    const won = playMatch(short, 1000, style);
    const last = won.at(-1) as ChunkContent;
    const [hand] = last.hands as [HandRecord];
    expect(verify(last, seed, short)).toBe(last.hands.length);
    expect(() => verify({ ...last, hands: [...last.hands, hand] }, seed, short)).toThrow(
      `hand ${last.firstHand + last.hands.length}: the match was over: one player held every chip`,
    );
  });

  it('refuses another seed at the first hand that shows it', () => {
    expect(() => verify(chunk, Buffer.alloc(32, 9))).toThrow(/^hand \d+: results are/);
  });

  it('refuses a chunk that does not follow the table, other rules and other blinds', () => {
    const table = new Table(sixMax);
    const second = chunks[1] as ChunkContent;
    expect(() => [...redeal(seed, table, second)]).toThrow('hand 65: hand 1 was expected');
    const stacks = chunk.startStacks.map((chips, seat) => (seat === 0 ? chips + 5 : seat === 1 ? chips - 5 : chips));
    expect(() => [...redeal(seed, table, { ...chunk, startStacks: stacks })]).toThrow('starting stacks are 10005');
    expect(() => [...redeal(seed, table, { ...chunk, bigBlindSeat: 3 })]).toThrow(
      'the last big blind was seat null, not seat 3',
    );
    expect(() => [...redeal(seed, table, { ...chunk, nextButton: 3 })]).toThrow(
      'the next button is seat null, not seat 3',
    );
    expect(() => verify({ ...chunk, rulesVersion: 99 })).toThrow('rules version 99 is not known');
    expect(() => verify({ ...chunk, rulesVersion: 1 })).toThrow('hand 1: the match is played by rules 3, not 1');
    expect(() => verify(chunk, seed, { ...sixMax, blinds: { ...sixMax.blinds, bigBlind: 20 } })).toThrow(
      /^hand 1: action 1/,
    );
  });
});

describe('recording', () => {
  const newHand = () =>
    new Table({ ...sixMax, players: 2 }).startHand(Uint8Array.from({ length: 52 }, (_, card) => card));
  const foldedHand = () => {
    const hand = newHand();
    hand.act(Action.FOLD);
    return hand;
  };

  it('requires a finished hand and a note for every decision', () => {
    expect(() => recordHand(newHand(), 0, [])).toThrow('only a finished hand');
    expect(() => recordHand(foldedHand(), 0, [])).toThrow('the hand has 1 decisions, not 0');
  });

  it('rounds times down and cuts texts without splitting a character', () => {
    const record = recordHand(foldedHand(), 1_760_000_000_000.7, [
      { ms: 3.9, fault: 'exception', detail: `${'x'.repeat(159)}😀` },
    ]);
    expect(record.startedAtMs).toBe(1_760_000_000_000);
    expect(record.actions[2]).toMatchObject({ ms: 3, fault: 'exception', detail: `${'x'.repeat(159)}\uFFFD` });
    expect(record.actions.slice(0, 2).map(({ ms }) => ms)).toEqual([0, 0]);
  });

  it('keeps a fault without a text', () => {
    const [, , fold] = recordHand(foldedHand(), 0, [{ ms: 1, fault: 'timeout' }]).actions;
    expect(fold).toStrictEqual({ street: 0, seat: 0, kind: 1, amount: 0, adjusted: false, ms: 1, fault: 'timeout' });
  });

  it('makes times monotonic and omits empty texts and absent faults', () => {
    const three = new Table({ ...sixMax, players: 3 }).startHand(Uint8Array.from({ length: 52 }, (_, card) => card));
    three.act(Action.FOLD);
    three.act(Action.FOLD);
    const record = recordHand(three, 0, [
      { ms: 7.5, detail: 'RAISE 1' },
      { ms: 3, detail: '' },
    ]);
    expect(record.actions.slice(2)).toEqual([
      { street: 0, seat: 2, kind: Action.FOLD, amount: 0, adjusted: false, ms: 7, detail: 'RAISE 1' },
      { street: 0, seat: 0, kind: Action.FOLD, amount: 0, adjusted: false, ms: 7 },
    ]);
    expect(record.deltas).toEqual([-5, 5, 0]);
    expect(record.deltas).not.toBe(three.deltas);
    expect(() => recordHand(three, 0, [{ ms: 1 }])).toThrow('the hand has 2 decisions, not 1');
    expect(() => recordHand(three, 0, [{ ms: 1 }, { ms: 2 }, { ms: 3 }])).toThrow('2 decisions, not 3');
  });
});
