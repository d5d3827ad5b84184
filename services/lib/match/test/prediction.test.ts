import { Action } from '@husky/holdem/action';
import { expect, it } from 'vitest';
import { Prediction } from '../src/prediction.ts';

const { FOLD, CHECK, CALL, RAISE, ALL_IN } = Action;

it('predicts the blinds of the hand before, and no chips of folds, checks and further raises', () => {
  const prediction = new Prediction([100, 100, 100], 2, [5, 10]);
  expect([FOLD, CHECK, RAISE].map((kind) => prediction.amount(kind, 0))).toEqual([0, 0, 5]);
  prediction.apply(RAISE, 0, 5);
  expect([FOLD, CHECK, RAISE].map((kind) => prediction.amount(kind, 1))).toEqual([0, 0, 10]);
  prediction.apply(RAISE, 1, 10);
  expect([FOLD, CHECK, CALL, RAISE, ALL_IN].map((kind) => prediction.amount(kind, 2))).toEqual([0, 0, 10, 0, 100]);
});

it('predicts the small blind first after the flop, also beside a player who is all-in', () => {
  const prediction = new Prediction([100, 100, 40], 2, [5, 10]);
  prediction.apply(RAISE, 0, 5);
  prediction.apply(RAISE, 1, 10);
  expect(prediction.seat).toBe(2);
  prediction.apply(ALL_IN, 2, 40);
  prediction.apply(CALL, 0, 35);
  prediction.apply(CALL, 1, 30);
  prediction.nextStreet();
  expect(prediction.seat).toBe(0);
});

it('predicts the big blind first after the flop between two players, whoever is out of the match', () => {
  const prediction = new Prediction([100, 0, 100], 2, [5, 10]);
  prediction.apply(RAISE, 0, 5);
  expect(prediction.seat).toBe(2);
  prediction.apply(RAISE, 2, 10);
  prediction.apply(CALL, 0, 5);
  prediction.nextStreet();
  expect(prediction.seat).toBe(2);
});
