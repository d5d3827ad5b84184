import { expect, it } from 'vitest';
import { Action, type ActionKind } from '../src/action.ts';
import type { Hand } from '../src/hand.ts';
import { deal, play } from './play.ts';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const letters: Readonly<Record<number, string>> = { [Action.FOLD]: 'f', [Action.CALL]: 'c', [Action.ALL_IN]: 'a' };

function choices(hand: Hand): ActionKind[] {
  const { toCall, maxRaise } = hand.options();
  const kinds: ActionKind[] = [Action.FOLD];
  const stack = hand.stacks[hand.actor as number] as number;
  if (toCall < stack) kinds.push(Action.CALL);
  if (toCall === stack || (maxRaise > 0 && hand.street === 0)) kinds.push(Action.ALL_IN);
  return kinds;
}

/** Visits every sequence of folds, calls and all-ins, unfinished and finished; all-in raises occur before the flop only. */
function visit(stacks: number[], line: string, check: (hand: Hand, line: string) => void): void {
  const hand = play(deal({ stacks }), line);
  check(hand, line);
  if (hand.over) return;
  for (const kind of choices(hand)) visit(stacks, `${line} ${letters[kind]}`, check);
}

it('keeps every chip in a pot in every sequence of actions, also with blinds posted short', () => {
  const sizes = [3, 4, 8, 12];
  let lines = 0;
  for (const smallBlind of sizes) {
    for (const bigBlind of sizes) {
      for (const other of sizes.flatMap((first) => sizes.map((second) => [first, second]))) {
        visit([smallBlind, bigBlind, ...other], '', (hand, line) => {
          lines += 1;
          const where = `${hand.startStacks} ${line}`;
          expect(sum(hand.pots().map(({ amount }) => amount)), where).toBe(hand.pot);
          expect(sum(hand.streetPots().map(({ amount }) => amount)), where).toBe(sum(hand.bets));
          expect(sum(hand.stacks) + (hand.over ? 0 : hand.pot), where).toBe(sum(hand.startStacks));
          // layerPots relies on this; it also ensures that an uncalled bet is returned to a live seat.
          expect(Math.max(...hand.shownHands.map((seat) => hand.totals[seat] as number)), where).toBe(
            Math.max(...hand.totals),
          );
        });
      }
    }
  }
  expect(lines).toBeGreaterThan(8000);
});
