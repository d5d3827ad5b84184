import { isDeepStrictEqual } from 'node:util';
import { Action } from '@husky/holdem/action';
import { Table } from '@husky/holdem/table';
import { CHUNK_HANDS, type ChunkContent, decodeChunk, encodeChunk, MAX_DELIVERED_ACTIONS } from '@husky/match/chunk';
import { deckFor } from '@husky/match/deck';
import { digestStart } from '@husky/match/digest';
import { type ActionNote, type RecordedAction, recordHand } from '@husky/match/record';
import { expect, test } from 'vitest';
import { playMatch } from '../../test/play.ts';
import { matchOf, newMatch } from '../../test/simulation.ts';
import type { Match } from './match.ts';
import { applyChunk, handResults, isOver, playedHand, readChunk, readDelivered, repack, startState } from './record.ts';

const facts = newMatch({ numRounds: 150 });
const match = matchOf(facts);
const start = startState(match, 1);
const contentsOf = (play: ReturnType<typeof playMatch>) => play.chunks.map(({ bytes }) => readChunk(bytes));
const play = playMatch(facts);
const chunks = contentsOf(play);
const [first] = chunks as [ChunkContent];

/** Returns a copy of the first chunk with one hand changed. */
function withHand(index: number, change: Partial<ChunkContent['hands'][number]>): ChunkContent {
  return { ...first, hands: first.hands.map((hand, at) => (at === index ? { ...hand, ...change } : hand)) };
}

test('applies chunks one after another and reaches the same state as the dealer', () => {
  const end = chunks.reduce((state, content) => applyChunk(match, state, content), start);
  expect(end.hands).toBe(150);
  expect(end.stacks).toEqual(play.stacks);
  expect(Buffer.from(end.digest).toString('hex')).toBe(play.digest);
  const last = play.records.at(-1);
  expect(end.bigBlindSeat).toBe(last?.actions[last.deadSmallBlind ? 0 : 1]?.seat);
});

test('starts without hands, with full stacks and the digest of the attempt', () => {
  expect(start).toMatchObject({ hands: 0, stacks: Array(6).fill(10_000), bigBlindSeat: null });
  expect(Buffer.compare(start.digest, digestStart(match.jobId, 1))).toBe(0);
  expect(Buffer.compare(startState(match, 2).digest, start.digest)).not.toBe(0);
});

test('refuses a chunk that is not the next one', () => {
  const [, second] = chunks as [ChunkContent, ChunkContent];
  expect(() => applyChunk(match, start, second)).toThrow(/^hand 1 comes next, not hand 65$/);
  const state = applyChunk(match, start, first);
  expect(() => applyChunk(match, state, first)).toThrow(/^hand 65 comes next, not hand 1$/);
});

test('accepts the last hand of the match and refuses further ones', () => {
  expect(() => applyChunk({ ...match, numRounds: 63 }, start, first)).toThrow(/^the match has 63 hands$/);
  expect(applyChunk({ ...match, numRounds: 64 }, start, first).hands).toBe(64);
});

test('refuses other rules, and a hand that starts after the year 2100', () => {
  expect(() => applyChunk(match, start, { ...first, rulesVersion: 1 })).toThrow(/played by rules 3, not 1/);
  const limit = Date.UTC(2100, 0);
  expect(() => applyChunk(match, start, withHand(3, { startedAtMs: limit + 1 }))).toThrow(/after the year 2100/);
  expect(applyChunk(match, start, withHand(3, { startedAtMs: limit })).hands).toBe(64);
});

test('throws RangeError for cards of another seed, other results and other stacks', () => {
  const [delta = 0, ...rest] = first.hands[0]?.deltas ?? [];
  const dishonest: [Match, ChunkContent][] = [
    [{ ...match, seed: Buffer.alloc(32, 1) }, first],
    [match, withHand(0, { deltas: [delta + 1, ...rest] })],
    [match, { ...first, startStacks: first.startStacks.map((chips) => chips + 1) }],
  ];
  for (const [of, content] of dishonest) expect(() => applyChunk(of, start, content)).toThrow(RangeError);
});

test('is over once fewer than two players have chips', () => {
  expect(isOver(match, { ...start, stacks: [0, 60_000, 0] })).toBe(true);
  expect(isOver(match, { ...start, stacks: [1, 59_999, 0] })).toBe(false);
});

test('with reset stacks is never over, and nobody is out', () => {
  const facts = newMatch({ numRounds: 150, stacks: 'reset' });
  const reset = matchOf(facts);
  const played = playMatch(facts, { wild: true });
  const contents = contentsOf(played);
  const end = contents.reduce((state, content) => applyChunk(reset, state, content), startState(reset, 1));
  expect(end.hands).toBe(150);
  expect(end.stacks).toEqual(played.stacks);
  expect(isOver(reset, { ...end, stacks: [60_000, 0, 0, 0, 0, 0] })).toBe(false);
  const results = contents.flatMap((content) => [...handResults(reset, content)]);
  const sums = played.stacks.map(() => 0);
  for (const [index, { deltas, cumulative, facts: hand }] of results.entries()) {
    for (const [seat, delta] of deltas.entries()) sums[seat] = (sums[seat] ?? 0) + delta;
    expect(cumulative).toEqual(sums);
    expect(hand.out).toBe(0);
    expect(hand.dealtIn).toBe(0b111111);
    const content = contents.find(({ firstHand, hands }) => index + 1 < firstHand + hands.length) as ChunkContent;
    const replayed = playedHand(reset, content, index + 1, () => true);
    expect(replayed).toMatchObject({ startStacks: Array(6).fill(10_000), matchDeltas: sums });
  }
  expect(Math.max(...sums)).toBeGreaterThan(10_000);
  expect(Math.min(...sums)).toBeLessThan(-10_000);
  expect(() => applyChunk(matchOf({ ...facts, stacks: 'carry' }), start, contents[0] as ChunkContent)).toThrow(
    RangeError,
  );
});

test('repacks small chunks of reset stacks into full ones with the same hands', async () => {
  const facts = newMatch({ numRounds: 100, stacks: 'reset' });
  const small = contentsOf(playMatch(facts, { chunkHands: 7, wild: true }));
  const whole = playMatch(facts, { wild: true });
  expect((await repack(small))?.map(({ bytes }) => bytes)).toEqual(whole.chunks.map(({ bytes }) => bytes));
});

test('counts results from the start of the match, even in later chunks', () => {
  const results = chunks.flatMap((content) => [...handResults(match, content)]);
  expect(results.map(({ hand }) => hand)).toEqual(Array.from({ length: 150 }, (_, index) => index + 1));
  expect(results.at(-1)?.cumulative).toEqual(play.stacks.map((chips) => chips - 10_000));
  expect(results[70]?.deltas).toEqual(play.records[70]?.deltas);
  expect(results[70]?.startedAtMs).toBe(play.records[70]?.startedAtMs);
});

test('re-deals every hand of a chunk with its own stacks and positions', () => {
  const [, second] = chunks as [ChunkContent, ChunkContent];
  const stacks = [...second.startStacks];
  for (const [index, record] of second.hands.entries()) {
    const hand = playedHand(match, second, second.firstHand + index, () => true);
    expect(hand.startStacks).toEqual(stacks);
    expect(hand.deltas).toEqual(record.deltas);
    expect(hand.actions.map(({ seat, kind, amount }) => [seat, kind, amount])).toEqual(
      record.actions.map(({ seat, kind, amount }) => [seat, kind, amount]),
    );
    expect(hand.blinds).toEqual({ small: 5, big: 10 });
    for (const [seat, chips] of record.deltas.entries()) stacks[seat] = (stacks[seat] as number) + chips;
  }
  for (const number of [64, 129]) {
    expect(() => playedHand(match, second, number, () => true)).toThrow(`hand ${number} is not in this chunk`);
  }
});

test.each([1, 2])('re-deals single hands of rules %i after players have lost all chips', (rulesVersion) => {
  const wild = newMatch({ numRounds: 400, rulesVersion });
  const contents = contentsOf(playMatch(wild, { wild: true }));
  const of = { ...match, jobId: wild.jobId, numRounds: 400, rulesVersion };
  let state = startState(of, 1);
  let withBusted = 0;
  let deadSmallBlinds = 0;
  for (const content of contents) {
    for (const index of content.hands.keys()) {
      const hand = playedHand(of, content, content.firstHand + index, () => true);
      if (hand.dealtIn.includes(false)) withBusted += 1;
      if (hand.smallBlindSeat === null) deadSmallBlinds += 1;
      expect(hand.actions[1]?.seat).toBe(content.hands[index]?.actions[1]?.seat);
    }
    state = applyChunk(of, state, content);
  }
  expect(withBusted).toBeGreaterThan(0);
  expect(deadSmallBlinds > 0).toBe(rulesVersion === 2);
});

test('shows the text of a fault only to permitted readers, but its kind and the text of an adjustment to everybody', () => {
  const noted = play.records.findIndex(({ actions }) => actions.some(({ fault }) => fault !== undefined));
  const content = chunks.find(({ firstHand, hands }) => noted < firstHand - 1 + hands.length) as ChunkContent;
  const { actions } = play.records[noted] as { actions: readonly RecordedAction[] };
  const faulty = actions.findIndex(({ fault }) => fault !== undefined);
  const { seat, street } = actions[faulty] as RecordedAction;
  const index = actions.slice(0, faulty).filter((action) => action.street === street).length;
  const verdictFor = (reads: boolean) =>
    playedHand(match, content, noted + 1, (of) => reads && of === seat).verdicts.find((one) => one.seat === seat);
  expect(verdictFor(true)).toMatchObject({ round: street, index, seat, code: 'illegal' });
  expect(verdictFor(true)?.text).toMatch(/: RAISE -1$/);
  expect(verdictFor(false)?.text).not.toContain('RAISE');
  expect(verdictFor(true)?.text).toBe(`${verdictFor(false)?.text}: RAISE -1`);
});

test('shows the reason of an adjusted action to everybody', () => {
  const { rulesVersion, blinds } = facts;
  const table = new Table({ rulesVersion, players: 6, startingStack: 10_000, blinds });
  const { stacks: startStacks, handNumber: _, ...last } = table.state;
  const hand = table.startHand(deckFor(facts.seed, 1));
  const detail = 'RAISE 1: below the minimum';
  const notes: ActionNote[] = [{ ms: 0, detail }];
  hand.act(Action.CALL, 0, true);
  for (; hand.actor !== null; notes.push({ ms: 0 })) hand.act(Action.FOLD);
  const hands = [recordHand(hand, Date.UTC(2026, 0), notes)];
  const content = { rulesVersion, firstHand: 1, startStacks, ...last, hands };
  const text = `the action was changed to the nearest legal one: ${detail}`;
  const verdict = { round: 0, index: 2, seat: hands[0]?.actions[2]?.seat, code: 'adjusted', text };
  expect(playedHand(match, content, 1, () => false).verdicts).toEqual([verdict]);
});

test('repacks small chunks into full ones with the same hands, and does not repack full ones', async () => {
  expect(await repack(chunks)).toBeNull();
  expect(await repack([])).toBeNull();
  expect(await repack(contentsOf(playMatch(facts, { hands: 5 })))).toBeNull();
  for (const chunkHands of [1, 7, 40]) {
    const packed = (await repack(contentsOf(playMatch(facts, { chunkHands })))) ?? [];
    expect(packed.map(({ firstHand, hands }) => [firstHand, hands])).toEqual([
      [1, CHUNK_HANDS],
      [65, CHUNK_HANDS],
      [129, 22],
    ]);
    expect(packed.map(({ bytes }) => decodeChunk(bytes))).toEqual(chunks);
    expect(packed.map(({ bytes }) => Buffer.from(bytes))).toEqual(chunks.map((content) => encodeChunk(content)));
  }
});

test('packs hands whose actions and texts exceed the size of a chunk into several, which can be decoded', async () => {
  const facts = newMatch({ numRounds: 70, stacks: 'reset', playerIds: newMatch().playerIds.slice(0, 2) });
  const raising = (hand: number, decision: number) => `RAISE ${hand} ${decision} ${'.'.repeat(140)}`;
  const small = contentsOf(playMatch(facts, { chunkHands: 5, raising }));
  const packed = ((await repack(small)) ?? []).map(({ bytes }) => readChunk(bytes));
  const handsOf = (contents: readonly ChunkContent[]) => contents.flatMap(({ hands }) => hands);
  // Not toEqual, which takes a hundred times as long for so many actions.
  expect(isDeepStrictEqual(handsOf(packed), handsOf(small))).toBe(true);
  expect(packed.length).toBeLessThan(small.length / 2);
  const long = matchOf(facts);
  const end = packed.reduce((state, content) => applyChunk(long, state, content), startState(long, 1));
  expect(end.hands).toBe(70);
});

test('leaves out hands that occur again because the chunks were joined while they were read', async () => {
  const contents = contentsOf(playMatch(facts, { chunkHands: 40 }));
  const [before, ...after] = contents as [ChunkContent, ...ChunkContent[]];
  const packed = await repack([before, ...chunks]);
  expect(packed).toEqual(await repack([before, ...after]));
});

test('refuses a delivered chunk with more actions than a dealer delivers', () => {
  const [hand] = first.hands as [ChunkContent['hands'][number]];
  const [action] = hand.actions as [RecordedAction];
  const forged = (actions: number) =>
    encodeChunk({ ...first, hands: [{ ...hand, actions: new Array<RecordedAction>(actions).fill(action) }] });
  expect(() => readDelivered(forged(MAX_DELIVERED_ACTIONS + 1))).toThrow(
    new RangeError('the chunk has too many actions'),
  );
  expect(readDelivered(forged(MAX_DELIVERED_ACTIONS)).hands[0]?.actions).toHaveLength(MAX_DELIVERED_ACTIONS);
  expect(readChunk(forged(MAX_DELIVERED_ACTIONS + 1)).hands[0]?.actions).toHaveLength(MAX_DELIVERED_ACTIONS + 1);
});
