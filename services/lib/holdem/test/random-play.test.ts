import { equal, ok } from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { Action, type ActionKind } from '../src/action.ts';
import { adjudicate, type Hand } from '../src/hand.ts';
import { Table } from '../src/table.ts';
import { deal, play, seeded, shuffle } from './play.ts';

describe('every line', () => {
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
});

describe('random play', () => {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

  // Not vitest's expect, which takes most of the time of millions of comparisons.
  function checkDecision(hand: Hand): void {
    const actor = hand.actor as number;
    const { toCall, canCheck, minRaise, maxRaise } = hand.options();
    const stack = hand.stacks[actor] as number;
    ok(stack > 0);
    equal(hand.isLive(actor), true);
    equal(hand.toAct[0], actor);
    equal(new Set(hand.toAct).size, hand.toAct.length);
    ok(toCall <= stack);
    equal(canCheck, toCall === 0);
    equal(maxRaise === 0 || maxRaise === stack, true);
    equal(minRaise <= maxRaise && minRaise > 0 === maxRaise > 0, true);
    equal(hand.pot, sum(hand.totals));
    equal(sum(hand.pots().map(({ amount }) => amount)), hand.pot);
    equal(sum(hand.streetPots().map(({ amount }) => amount)), sum(hand.bets));
    equal(hand.board.length, hand.street === 0 ? 0 : hand.street + 2);
    for (const amount of [minRaise, maxRaise]) {
      if (maxRaise === 0) continue;
      const ruling = adjudicate(hand, Action.RAISE, amount);
      ok(ruling.amount === amount && ruling.adjusted === null && ruling.fault === null);
    }
  }

  function checkEnd(hand: Hand, before: readonly number[]): void {
    equal(sum(hand.deltas), 0);
    equal(sum(hand.log.map(({ amount }) => amount)), hand.pot + sum(hand.returned));
    equal(sum(hand.pots().map(({ amount }) => amount)), hand.pot);
    equal(sum(hand.winnings), hand.pot);
    for (const [seat, stack] of hand.stacks.entries()) {
      equal(stack - (before[seat] as number), hand.deltas[seat]);
      ok(stack >= 0);
      if (!hand.isLive(seat)) equal(hand.winnings[seat], 0);
    }
    for (const seat of hand.folded.keys()) {
      const paid = sum(hand.log.filter((action) => action.seat === seat).map(({ amount }) => amount));
      equal(paid, hand.totals[seat]);
    }
    equal(hand.board.length, hand.street === 0 ? 0 : hand.street + 2);
    if (hand.shownHands.length > 1) equal(hand.board.length, 5);
    ok(hand.shownHands.length > 0);
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
              const logged = hand.log.at(-1);
              ok(logged?.kind === kind && logged.amount === amount && logged.adjusted === (adjusted !== null));
              actions += 1;
              ok(actions < 1000);
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
});
