import { Action, type ActionKind, type Street } from '@husky/holdem/action';
import { expect, test } from 'vitest';
import { handFacts } from './hand-facts.ts';

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
