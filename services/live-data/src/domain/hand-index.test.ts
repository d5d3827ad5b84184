import { Action, type ActionKind, type Street } from '@husky/holdem/action';
import { expect, test } from 'vitest';
import { playMatch } from '../../test/play.ts';
import { matchOf, newMatch } from '../../test/simulation.ts';
import { type HandFilter, handFacts, packIndex, searchHands, unpackIndex } from './hand-index.ts';
import { highlightsOf } from './highlights.ts';
import { MatchSummary } from './match-index.ts';
import { type HandResult, handResults, playedHand, readChunk, seriesOf } from './record.ts';

const facts = newMatch({ numRounds: 300, blinds: { bigBlind: 20, multiplier: '1.5', interval: 40 } });
const match = matchOf(facts);
const chunks = playMatch(facts, { bots: 3 }).chunks.map(({ bytes }) => readChunk(bytes));
const indexOf = (hands: readonly HandResult[]) => {
  const summary = new MatchSummary(match);
  for (const hand of hands) summary.addHand(hand);
  return summary.index();
};
const results = chunks.flatMap((content) => [...handResults(match, content)]);
const hands = results.map((result) => result.facts);
const series = seriesOf(match, results);
const any: HandFilter = {
  sort: 'number',
  descending: false,
  seat: null,
  net: '',
  street: null,
  minPot: 0,
  allIn: false,
  showdown: false,
  faults: false,
};

test('packs the facts of hands and unpacks the same', () => {
  const stored = hands.map(({ pot, street, showdown, allIn, winners, faults }) => ({
    pot,
    street,
    showdown,
    allIn,
    winners,
    faults,
  }));
  expect(unpackIndex(packIndex(hands))).toEqual(stored);
  expect(unpackIndex(packIndex([]))).toEqual([]);
  expect(() => unpackIndex(packIndex(hands).subarray(0, 40))).toThrow();
});

test('has the same facts as a re-deal of the hands', () => {
  for (const content of chunks) {
    for (const [index] of content.hands.entries()) {
      const number = content.firstHand + index;
      const played = playedHand(match, content, number, () => true);
      const { street, pot, showdown } = hands[number - 1] as (typeof hands)[number];
      expect(played.board).toHaveLength([0, 3, 4, 5][street] as number);
      const folded = played.actions.filter(({ kind }) => kind === 1).length;
      expect(showdown).toBe(played.dealtIn.filter(Boolean).length - folded > 1);
      const bets = played.dealtIn.map((_, seat) =>
        played.actions.reduce((sum, action) => sum + (action.seat === seat ? action.amount : 0), 0),
      );
      const [first = 0, second = 0] = bets.toSorted((a, b) => b - a);
      expect(pot).toBe(bets.reduce((sum, bet) => sum + bet, 0) - (first - second));
    }
  }
});

test('finds the same hands as a naive search over the decoded hands', () => {
  const records = chunks.flatMap((content) =>
    content.hands.map((record, index) => ({ ...record, number: content.firstHand + index })),
  );
  const numbers = (keep: (record: (typeof records)[number]) => boolean) =>
    records.filter(keep).map(({ number }) => number);
  const find = (filter: Partial<HandFilter>, seat: number | null = null) =>
    searchHands(hands, seat === null ? undefined : series[seat], { ...any, seat, ...filter });
  expect(find({})).toEqual(numbers(() => true));
  expect(find({ descending: true })).toEqual(numbers(() => true).reverse());
  expect(find({ allIn: true })).toEqual(numbers(({ actions }) => actions.some(({ kind }) => kind === 5)));
  expect(find({ faults: true })).toEqual(numbers(({ actions }) => actions.some(({ fault }) => fault !== undefined)));
  for (const seat of match.playerIds.keys()) {
    expect(find({ net: 'win' }, seat)).toEqual(numbers(({ deltas }) => (deltas[seat] ?? 0) > 0));
    expect(find({ net: 'loss' }, seat)).toEqual(numbers(({ deltas }) => (deltas[seat] ?? 0) < 0));
    expect(find({ faults: true }, seat)).toEqual(
      numbers(({ actions }) => actions.some((action) => action.seat === seat && action.fault !== undefined)),
    );
    const worstFirst = [...records].sort(
      (a, b) => (a.deltas[seat] ?? 0) - (b.deltas[seat] ?? 0) || a.number - b.number,
    );
    expect(find({ sort: 'net' }, seat)).toEqual(worstFirst.map(({ number }) => number));
  }
  const pots = find({ sort: 'pot', descending: true }).map((number) => hands[number - 1]?.pot ?? 0);
  expect(pots).toEqual(hands.map(({ pot }) => pot).sort((a, b) => b - a));
  const large = pots[20] ?? 0;
  expect(find({ minPot: large, showdown: true, street: 3 })).toEqual(
    find({}).filter((number) => (hands[number - 1]?.pot ?? 0) >= large && hands[number - 1]?.showdown),
  );
});

test('ranks highlights by swing times pot, the same at every computation', async () => {
  const highlights = await highlightsOf(match.seed, results);
  expect(highlights).toHaveLength(5);
  expect(await highlightsOf(match.seed, results)).toEqual(highlights);
  const scores = highlights.map(({ swing, pot }) => swing * pot);
  expect(scores[0]).toBeGreaterThan(0);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  for (const { hand, swing, before, after, seat, street } of highlights) {
    expect(swing).toBeCloseTo(Math.abs(after - before), 2);
    expect(hands[hand - 1]).toMatchObject({ showdown: true });
    expect((hands[hand - 1]?.winners ?? 0) & (1 << seat) ? after - before : before - after).toBeGreaterThan(0);
    expect([1, 2, 3]).toContain(street);
  }
});

test('has no swing in a match without a showdown', async () => {
  const folded = results.filter((result) => !result.facts.showdown).slice(0, 3);
  expect((await highlightsOf(match.seed, folded)).map(({ swing }) => swing)).toEqual(folded.map(() => 0));
  expect(await highlightsOf(match.seed, [])).toEqual([]);
  expect((await indexOf(folded)).score).toBe(0);
});

test("has each seat's best and worst result", async () => {
  const { bestNets, worstNets } = await indexOf(results);
  for (const seat of match.playerIds.keys()) {
    const nets = results.map(({ deltas }) => deltas[seat] ?? 0);
    expect([bestNets[seat], worstNets[seat]]).toEqual([Math.max(...nets), Math.min(...nets)]);
  }
});

const act = (seat: number, kind: ActionKind, amount: number, street: Street = 0) => ({
  street,
  seat,
  kind,
  amount,
  adjusted: false,
  ms: 0,
});
const { CALL, RAISE, FOLD, ALL_IN, CHECK } = Action;

test('counts the pot without the uncalled part of the last raise', () => {
  const actions = [act(0, RAISE, 5), act(1, RAISE, 10), act(2, RAISE, 500), act(0, FOLD, 0), act(1, FOLD, 0)];
  const facts = handFacts({ startedAtMs: 0, actions, deltas: [-5, -10, 15] }, [1000, 1000, 1000]);
  expect(facts).toMatchObject({ pot: 25, allIn: false, showdown: false, out: 0, street: 0, winners: 0b100 });
});

test('names the player who lost the last chips, also one who was all-in by the big blind', () => {
  const actions = [act(0, RAISE, 5), act(1, RAISE, 7), act(0, CALL, 2), act(0, CHECK, 0, 1)];
  const facts = handFacts({ startedAtMs: 0, actions, deltas: [7, -7, 0] }, [1000, 7, 0]);
  expect(facts).toMatchObject({
    pot: 14,
    allIn: true,
    showdown: true,
    out: 0b10,
    street: 3,
    winners: 0b1,
    dealtIn: 0b11,
  });
});

test('a player who folded cannot reach the showdown', () => {
  const actions = [act(0, RAISE, 5), act(1, RAISE, 10), act(2, ALL_IN, 300), act(0, FOLD, 0), act(1, ALL_IN, 290)];
  const facts = handFacts({ startedAtMs: 0, actions, deltas: [-5, -300, 305] }, [1000, 300, 300]);
  expect(facts).toMatchObject({ pot: 605, allIn: true, showdown: true, out: 0b10, winners: 0b100, live: 0b110 });
});

test('counts a player who loses in the hand but wins a side pot as no winner', () => {
  const actions = [act(0, RAISE, 5), act(1, RAISE, 10), act(2, ALL_IN, 100), act(0, ALL_IN, 495), act(1, ALL_IN, 290)];
  const facts = handFacts({ startedAtMs: 0, actions, deltas: [-100, -100, 200] }, [500, 300, 100]);
  expect(facts).toMatchObject({ pot: 700, winners: 0b100, faults: 0 });
});

test('names the players with a fault', () => {
  const actions = [
    act(0, RAISE, 5),
    act(1, RAISE, 10),
    { ...act(2, FOLD, 0), fault: 'timeout' as const },
    act(0, FOLD, 0),
  ];
  expect(handFacts({ startedAtMs: 0, actions, deltas: [-5, 5, 0] }, [500, 500, 500])).toMatchObject({ faults: 0b100 });
});
