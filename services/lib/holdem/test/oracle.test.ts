import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Action, type ActionKind } from '../src/action.ts';
import { parseCards } from '../src/card.ts';
import { adjudicate, Hand } from '../src/hand.ts';

interface OracleHand {
  stacks: number[];
  button: number;
  smallBlindSeat: number;
  bigBlindSeat: number;
  blinds: [number, number];
  deck: string;
  boardCards: number;
  /** seat, kind, chips added, to call, minimum and maximum chips of a raise (null: pokerkit allows none). */
  actions: [number, ActionKind, number, number, number | null, number | null][];
  deltas: number[];
}

const hands = readFileSync(new URL('./oracle/pokerkit.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as OracleHand);

function open(oracle: OracleHand): Hand {
  const [smallBlind, bigBlind] = oracle.blinds;
  const { stacks, button, smallBlindSeat, bigBlindSeat } = oracle;
  return new Hand({
    stacks,
    button,
    smallBlindSeat,
    bigBlindSeat,
    smallBlind,
    bigBlind,
    deck: parseCards(oracle.deck),
  });
}

// pokerkit forbids a raise that nobody can call; here it is legal, and the uncalled part is returned.
const othersCovered = (hand: Hand): boolean =>
  hand.shownHands.every(
    (seat) => seat === hand.actor || (hand.bets[seat] as number) + (hand.stacks[seat] as number) <= hand.currentBet,
  );

describe('hands played by pokerkit', () => {
  it('cover every table size, side pots, ties and fold-outs', () => {
    const finished = hands.map((oracle) => {
      const hand = open(oracle);
      for (const [, kind, amount] of oracle.actions) hand.act(kind, amount);
      return hand;
    });
    for (const players of [2, 3, 4, 5, 6]) {
      expect(finished.filter((hand) => hand.seats === players).length).toBeGreaterThan(80);
    }
    expect(finished.filter((hand) => hand.pots().length >= 3).length).toBeGreaterThan(40);
    expect(finished.filter((hand) => hand.winnings.filter((chips) => chips > 0).length >= 2).length).toBeGreaterThan(
      80,
    );
    expect(finished.filter((hand) => hand.shownHands.length === 1).length).toBeGreaterThan(40);
  });

  it('have the same order of actors, legal calls and raises, and results here', () => {
    for (const [index, oracle] of hands.entries()) {
      const hand = open(oracle);
      for (const [seat, kind, amount, toCall, minRaise, maxRaise] of oracle.actions) {
        const where = `hand ${index}, action ${hand.log.length}`;
        expect(hand.actor, where).toBe(seat);
        const options = hand.options();
        expect(options.toCall, where).toBe(toCall);
        if (minRaise !== null) expect([options.minRaise, options.maxRaise], where).toEqual([minRaise, maxRaise]);
        else if (!othersCovered(hand) && options.toCall < (hand.stacks[seat] as number))
          expect(options.maxRaise, where).toBe(0);
        expect(adjudicate(hand, kind, amount), where).toEqual({ kind, amount, adjusted: null, fault: null });
        hand.act(kind, amount);
        expect(hand.log.at(-1), where).toMatchObject({ seat, kind, amount });
      }
      expect(hand.over, `hand ${index}`).toBe(true);
      expect(hand.deltas, `hand ${index}`).toEqual(oracle.deltas);
      expect(hand.board.length, `hand ${index}`).toBe(oracle.boardCards);
    }
  });

  it('differ in results when two seats swap their cards', () => {
    const tied = hands.find((oracle) => oracle.actions.every(([, kind]) => kind !== Action.FOLD)) as OracleHand;
    const hand = open({ ...tied, deck: tied.deck.slice(4, 8) + tied.deck.slice(0, 4) + tied.deck.slice(8) });
    for (const [, kind, amount] of tied.actions) hand.act(kind, amount);
    expect(hand.deltas).not.toEqual(tied.deltas);
  });
});
