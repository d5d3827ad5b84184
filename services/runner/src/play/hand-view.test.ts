import { Action, type ActionKind } from '@husky/holdem/action';
import { Hand } from '@husky/holdem/hand';
import { describe, expect, it } from 'vitest';
import { HandView } from './hand-view.ts';
import type { Profile } from './setup.ts';

const ids = [11, 22, 33, 44];

/** A hand with blinds of 5 and 10 at seats 0 and 1, an unshuffled deck (2h 2d 2c 2s 3h ...) and the view of it. */
function dealt(stacks: readonly number[], button: number, profile: Profile = 'documented') {
  const deck = Uint8Array.from({ length: 52 }, (_, card) => card);
  const hand = new Hand({ stacks, button, smallBlindSeat: 0, bigBlindSeat: 1, smallBlind: 5, bigBlind: 10, deck });
  const view = new HandView(hand, profile);
  const act = (kind: ActionKind, amount = 0, raised = false) => {
    const seat = hand.actor as number;
    hand.act(kind, amount);
    view.note(seat, hand.log.at(-1)?.kind as ActionKind, raised);
  };
  return { hand, view, act };
}

const names: Readonly<Record<string, string>> = { F: 'Fold', K: 'Check', C: 'Call', R: 'Raise', A: 'All In' };
const idsOf = (seats: string) => [...seats].map((seat) => ids[Number(seat)] as number);

/** Names fields and players of a state as the seat does. */
function fields(state: string) {
  const [street, board, pot, waiting, bet, players, bets, actions, pots] = JSON.parse(state);
  const acted = [...(actions as string)].map((letter, seat) => [ids[seat], names[letter]] as const);
  return {
    street,
    board: board.join(' '),
    pot,
    waiting: idsOf(waiting),
    bet,
    bets: Object.fromEntries(idsOf(players).map((id, at) => [id, bets[at]])),
    actions: Object.fromEntries(acted.filter(([, action]) => action !== undefined)),
    pots: (pots as [number, string][]).map(([amount, eligible]) => [amount, idsOf(eligible)]),
  };
}

describe('the state that bots see', () => {
  it('shows both blinds as raises, the players to act in order, and no player without chips', () => {
    const { view } = dealt([1000, 60, 1000, 0], 2);
    expect(fields(view.current())).toEqual({
      street: 0,
      board: '',
      pot: 15,
      waiting: [33, 11, 22],
      bet: 10,
      bets: { 11: 5, 22: 10, 33: 0 },
      actions: { 11: 'Raise', 22: 'Raise' },
      pots: [
        [10, [11, 22]],
        [5, [22]],
      ],
    });
  });

  it('after a raise shows the actions of folded and all-in players, but none of players who must respond', () => {
    const { view, act } = dealt([1000, 1000, 30, 1000], 3);
    act(Action.ALL_IN, 0, true);
    expect(fields(view.current()).actions).toEqual({ 33: 'All In' });
    act(Action.FOLD);
    expect(fields(view.current()).actions).toEqual({ 33: 'All In', 44: 'Fold' });
    act(Action.RAISE, 95, true);
    expect(fields(view.current())).toMatchObject({
      waiting: [22],
      bet: 100,
      bets: { 11: 100, 22: 10, 33: 30, 44: 0 },
      actions: { 11: 'Raise', 33: 'All In', 44: 'Fold' },
    });
    act(Action.CALL);
    view.openStreet(1);
    expect(fields(view.current())).toMatchObject({ bets: { 11: 0, 22: 0, 33: 0 }, actions: {} });
    act(Action.CHECK);
    expect(fields(view.current()).actions).toEqual({ 11: 'Check' });
  });

  it('keeps the bets of a closed street, then begins the next one without bets and actions', () => {
    const { view, act } = dealt([1000, 60, 1000, 0], 2);
    act(Action.RAISE, 100, true);
    act(Action.CALL);
    act(Action.ALL_IN);
    expect(fields(view.closed())).toEqual({
      street: 0,
      board: '',
      pot: 260,
      waiting: [],
      bet: 100,
      bets: { 11: 100, 22: 60, 33: 100 },
      actions: { 11: 'Call', 22: 'All In', 33: 'Raise' },
      pots: [
        [180, [11, 22, 33]],
        [80, [11, 33]],
      ],
    });
    view.openStreet(1);
    expect(fields(view.current())).toEqual({
      street: 1,
      board: '5h 5d 5c',
      pot: 260,
      waiting: [11, 33],
      bet: 0,
      bets: { 11: 0, 22: 0, 33: 0 },
      actions: {},
      pots: [[0, [11, 22, 33]]],
    });
  });

  it('drops folded players on the next street, without a change to the hand', () => {
    const { hand, view, act } = dealt([1000, 1000, 1000], 2);
    act(Action.FOLD);
    act(Action.CALL);
    act(Action.CHECK);
    view.openStreet(1);
    expect(fields(view.current()).bets).toEqual({ 11: 0, 22: 0 });
    expect(hand.dealtIn).toEqual([true, true, true]);
  });

  it('is that of the open street while no street has closed', () => {
    const { view } = dealt([1000, 1000], 0);
    expect(view.closed()).toBe(view.current());
  });

  it('shows the streets of a run-out without bets, with the cards dealt so far', () => {
    const { hand, view, act } = dealt([1000, 60, 1000, 0], 2);
    act(Action.RAISE, 100, true);
    act(Action.CALL);
    act(Action.ALL_IN);
    view.openStreet(1);
    act(Action.CHECK);
    act(Action.RAISE, 50, true);
    act(Action.FOLD);
    expect(hand.over).toBe(true);
    expect(fields(view.closed())).toMatchObject({
      pot: 310,
      bets: { 11: 0, 22: 0, 33: 50 },
      actions: { 11: 'Fold', 33: 'Raise' },
      pots: [[50, [33]]],
    });
    for (const [street, board] of [
      [2, '5h 5d 5c 5s'],
      [3, '5h 5d 5c 5s 6h'],
    ] as const) {
      view.openStreet(street);
      const expected = { street, board, pot: 310, waiting: [], bet: 0, bets: { 22: 0, 33: 0 }, actions: {} };
      expect(fields(view.dealt())).toEqual({ ...expected, pots: [[0, [22, 33]]] });
    }
    expect([0, 1, 2, 3].map((seat) => view.remaining(seat))).toEqual([900, 0, 850, 0]);
    expect(view.result()).toBe('[-100,30,70,0],"12",[["2c","2s"],["3h","3d"]]');
  });

  it('counts only the chips of the street in the pot of the classic profile', () => {
    const { view, act } = dealt([1000, 1000, 1000], 2, 'classic');
    act(Action.CALL);
    act(Action.CALL);
    expect(fields(view.current()).pot).toBe(30);
    act(Action.CHECK);
    expect(fields(view.closed()).pot).toBe(30);
    view.openStreet(1);
    act(Action.RAISE, 40, true);
    expect(fields(view.current()).pot).toBe(40);
  });
});

describe('the limits of a raise', () => {
  it('are those of a first raise at the start of a street, at most the stack, and 0 for a player who cannot raise', () => {
    const { hand, view, act } = dealt([1000, 60, 1000, 0], 2);
    expect([0, 1, 2, 3].map((seat) => view.openingRange(seat))).toEqual(['15,995', '10,50', '20,1000', '0,0']);
    act(Action.RAISE, 100, true);
    expect([view.openingRange(0), view.openingRange(1)]).toEqual(['105,995', '50,50']);
    act(Action.FOLD);
    expect(view.openingRange(0)).toBe('0,0');
    act(Action.FOLD);
    expect(hand.over).toBe(true);
    expect(view.openingRange(2)).toBe('0,0');
    expect(view.closedRange()).toBe('0,0');
  });

  it('of a question are those of the engine', () => {
    const { view } = dealt([1000, 1000], 0);
    expect([view.raiseRange(15, 995), view.minRaise(15)]).toEqual(['15,995', 15]);
  });

  it('are the bet and twice the bet in the classic profile', () => {
    const { view, act } = dealt([1000, 1000], 0, 'classic');
    expect([view.raiseRange(15, 995), view.minRaise(15)]).toEqual(['10,20', 10]);
    expect([view.openingRange(0), view.closedRange()]).toEqual(['10,20', '0,0']);
    act(Action.RAISE, 35, true);
    act(Action.CALL);
    view.openStreet(1);
    expect([view.openingRange(0), view.closedRange()]).toEqual(['0,0', '40,80']);
    act(Action.RAISE, 25, true);
    expect(view.openingRange(0)).toBe('25,50');
    act(Action.FOLD);
    expect([view.openingRange(0), view.closedRange()]).toEqual(['0,0', '25,50']);
  });
});
