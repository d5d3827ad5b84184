import { describe, expect, it } from 'vitest';
import { Action } from '../src/action.ts';
import { adjudicate, type Hand } from '../src/hand.ts';
import { Table } from '../src/table.ts';
import { seeded, shuffle } from './play.ts';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function checkDecision(hand: Hand): void {
  const actor = hand.actor as number;
  const { toCall, canCheck, minRaise, maxRaise } = hand.options();
  const stack = hand.stacks[actor] as number;
  expect(stack).toBeGreaterThan(0);
  expect(hand.isLive(actor)).toBe(true);
  expect(hand.toAct[0]).toBe(actor);
  expect(new Set(hand.toAct).size).toBe(hand.toAct.length);
  expect(toCall).toBeLessThanOrEqual(stack);
  expect(canCheck).toBe(toCall === 0);
  expect(maxRaise === 0 || maxRaise === stack).toBe(true);
  expect(minRaise <= maxRaise && minRaise > 0 === maxRaise > 0).toBe(true);
  expect(hand.pot).toBe(sum(hand.totals));
  expect(sum(hand.pots().map(({ amount }) => amount))).toBe(hand.pot);
  expect(sum(hand.streetPots().map(({ amount }) => amount))).toBe(sum(hand.bets));
  expect(hand.board).toHaveLength(hand.street === 0 ? 0 : hand.street + 2);
  for (const amount of [minRaise, maxRaise]) {
    if (maxRaise > 0)
      expect(adjudicate(hand, Action.RAISE, amount)).toMatchObject({ amount, adjusted: null, fault: null });
  }
}

function checkEnd(hand: Hand, before: readonly number[]): void {
  expect(sum(hand.deltas)).toBe(0);
  expect(sum(hand.log.map(({ amount }) => amount))).toBe(hand.pot + sum(hand.returned));
  expect(sum(hand.pots().map(({ amount }) => amount))).toBe(hand.pot);
  expect(sum(hand.winnings)).toBe(hand.pot);
  for (const [seat, stack] of hand.stacks.entries()) {
    expect(stack - (before[seat] as number)).toBe(hand.deltas[seat]);
    expect(stack).toBeGreaterThanOrEqual(0);
    if (!hand.isLive(seat)) expect(hand.winnings[seat]).toBe(0);
  }
  for (const seat of hand.folded.keys()) {
    const paid = sum(hand.log.filter((action) => action.seat === seat).map(({ amount }) => amount));
    expect(paid).toBe(hand.totals[seat]);
  }
  expect(hand.board).toHaveLength(hand.street === 0 ? 0 : hand.street + 2);
  if (hand.shownHands.length > 1) expect(hand.board).toHaveLength(5);
  expect(hand.shownHands.length).toBeGreaterThan(0);
}

// A random reply of a bot, legal or not.
function reply(random: () => number, hand: Hand): [unknown, unknown] {
  const kind = random() < 0.02 ? Math.floor(random() * 9) - 1 : 1 + Math.floor(random() * 4.15);
  const { minRaise } = hand.options();
  const size = random() < 0.5 ? random() * 3 * (minRaise + hand.pot) : random() * minRaise * 2;
  return [kind, random() < 0.02 ? -size : size];
}

const tables = [2, 3, 4, 5, 6].flatMap((players) =>
  (['carry', 'reset'] as const).map((stacks) => ({
    players,
    stacks,
    startingStack: stacks === 'reset' ? 300 : 10_000,
  })),
);

describe('29. random play of whole matches', () => {
  it.each(tables)(
    'with $players players and stacks that $stacks keeps chips, pots, logs and results consistent',
    (setup) => {
      const { players, stacks, startingStack } = setup;
      for (let seed = 1; seed <= 6; seed++) {
        const random = seeded(seed * 1000 + players);
        const deck = Uint8Array.from({ length: 52 }, (_, card) => card);
        const table = new Table({
          ...setup,
          rulesVersion: 2,
          blinds: { bigBlind: 10, multiplier: '1.5', interval: 10 },
        });
        const results = new Array<number>(players).fill(0);
        while (!table.over && table.handNumber < 120) {
          shuffle(deck, random);
          const before = table.nextStacks;
          if (stacks === 'reset') expect(before).toEqual(results.map(() => startingStack));
          const lastBigBlind = table.state.bigBlindSeat;
          const hand = table.startHand(deck);
          expect(hand.bigBlindSeat).not.toBe(lastBigBlind);
          let actions = 0;
          while (!hand.over) {
            checkDecision(hand);
            const ruling = adjudicate(hand, ...reply(random, hand));
            hand.act(ruling.kind, ruling.amount, ruling.adjusted !== null);
            const { kind, amount, adjusted } = ruling;
            expect(hand.log.at(-1)).toMatchObject({ kind, amount, adjusted: adjusted !== null });
            actions += 1;
            expect(actions).toBeLessThan(1000);
          }
          checkEnd(hand, before);
          table.finishHand(hand);
          expect(sum(table.stacks)).toBe(players * startingStack);
          for (const [seat, delta] of hand.deltas.entries()) results[seat] = (results[seat] as number) + delta;
          expect(table.stacks).toEqual(results.map((chips) => startingStack + chips));
        }
        if (stacks === 'reset') expect(table.handNumber).toBe(120);
        else expect(table.handNumber).toBeGreaterThan(1);
      }
    },
  );

  it('is reproducible from the same seed', () => {
    const run = (): unknown => {
      const random = seeded(99);
      const deck = Uint8Array.from({ length: 52 }, (_, card) => card);
      const table = new Table({
        rulesVersion: 2,
        players: 6,
        startingStack: 10_000,
        blinds: { bigBlind: 10, multiplier: 1, interval: 1 },
      });
      const logs: unknown[] = [];
      while (!table.over && table.handNumber < 50) {
        shuffle(deck, random);
        const hand = table.startHand(deck);
        while (!hand.over) {
          const ruling = adjudicate(hand, ...reply(random, hand));
          hand.act(ruling.kind, ruling.amount, ruling.adjusted !== null);
        }
        table.finishHand(hand);
        logs.push(hand.log, hand.deltas);
      }
      return logs;
    };
    expect(run()).toEqual(run());
  });
});
