import { Action, type ActionKind, type Street } from '@husky/holdem/action';
import { expect, test } from 'vitest';
import { handFacts } from './hand-facts.ts';

const act = (seat: number, kind: ActionKind, amount: number, street: Street = 0) => ({
  ...{ street, seat, kind, amount, adjusted: false, ms: 0 },
});
const { CALL, RAISE, FOLD, ALL_IN, CHECK } = Action;

test('counts the pot without the uncalled part of the last raise', () => {
  const actions = [act(0, RAISE, 5), act(1, RAISE, 10), act(2, RAISE, 500), act(0, FOLD, 0), act(1, FOLD, 0)];
  const facts = handFacts({ startedAtMs: 0, actions, deltas: [-5, -10, 15] }, [1000, 1000, 1000]);
  expect(facts).toEqual({ pot: 25, allIn: false, showdown: false, out: [] });
});

test('names the player who lost the last chips, also one who was all-in by the big blind', () => {
  const actions = [act(0, RAISE, 5), act(1, RAISE, 7), act(0, CALL, 2), act(0, CHECK, 0, 1)];
  const facts = handFacts({ startedAtMs: 0, actions, deltas: [7, -7, 0] }, [1000, 7, 0]);
  expect(facts).toEqual({ pot: 14, allIn: true, showdown: true, out: [1] });
});

test('a player who folded cannot reach the showdown', () => {
  const actions = [act(0, RAISE, 5), act(1, RAISE, 10), act(2, ALL_IN, 300), act(0, FOLD, 0), act(1, ALL_IN, 290)];
  const facts = handFacts({ startedAtMs: 0, actions, deltas: [-5, -300, 305] }, [1000, 300, 300]);
  expect(facts).toEqual({ pot: 605, allIn: true, showdown: true, out: [1] });
});
