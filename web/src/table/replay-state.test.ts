import { describe, expect, it } from 'vitest';
import { realLogs } from './fixtures/load-fixtures.ts';
import type { Game } from './game.ts';
import { parseGame, parseGameText } from './parse-game.ts';
import { handResults, stateAt, verdictsAt } from './replay-state.ts';
import { actions, expectChips, sampleLog, sum } from './sample-log.ts';
import type { ReplayMode, TableState } from './table-state.ts';

function read(result: ReturnType<typeof parseGame>): Game {
  if (!result.ok) throw new Error(`${result.error} ${result.detail}`);
  return result.game;
}

function everyState(game: Game, mode: ReplayMode): TableState[] {
  const { steps } = stateAt(game, mode, 0);
  return Array.from({ length: Math.max(1, steps) }, (_, step) => stateAt(game, mode, step));
}

const stacks = (state: TableState) => state.seats.map((seat) => seat.stack);

describe.each(realLogs())('$name', ({ text }) => {
  const game = read(parseGameText(text));

  it.each(['action', 'round'] as const)('keeps the number of chips constant at every step of the %s mode', (mode) => {
    for (const state of everyState(game, mode)) {
      expectChips(game, state);
    }
  });

  it('pays out the total pot and ends at the final money', () => {
    for (const mode of ['action', 'round'] as const) {
      const end = stateAt(game, mode, Number.POSITIVE_INFINITY);
      expect(end.over).toBe(true);
      expect(stacks(end)).toEqual(game.players.map((player) => player.finalChips));
      expect(sum(end.seats.map((seat) => seat.winnings))).toBe(end.totalPot);
      expect(Math.min(...end.seats.map((seat) => seat.winnings))).toBeGreaterThanOrEqual(0);
      expect(end.seats.filter((seat) => seat.folded && seat.winnings > 0)).toEqual([]);
    }
    expect(sum(handResults(game).map((result) => result.change))).toBe(0);
  });

  it('shows the board by street, and pots that add up to the total', () => {
    for (const state of everyState(game, 'action')) {
      expect(state.board).toHaveLength([0, 3, 4, 5][state.round] ?? 5);
      expect(sum(state.pots.map((pot) => pot.amount))).toBe(state.totalPot);
      expect(state.pots.every((pot) => pot.eligible.every((seat) => seat >= 0 && seat < game.players.length))).toBe(
        true,
      );
    }
  });
});

describe('chips', () => {
  const game = read(
    parseGame(
      sampleLog(
        [actions('0 RAISE 5, 1 RAISE 10, 2 ALL IN 100, 0 ALL IN 45, 1 CALL 90'), actions('1 CHECK 0, 2 ALL IN 0')],
        { start: [50, 200, 100], final: [150, 100, 100] },
      ),
    ),
  );

  it('subtracts all-ins from the stacks', () => {
    expect(stacks(stateAt(game, 'action', 2))).toEqual([45, 190, 0]);
    expect(stacks(stateAt(game, 'action', 3))).toEqual([0, 190, 0]);
    expect(stateAt(game, 'action', 3).seats.map((seat) => seat.allIn)).toEqual([true, false, true]);
  });

  it('resets bets when a street opens and ignores an all-in of 0', () => {
    const state = stateAt(game, 'action', 5);
    expect(state.seats.map((seat) => seat.streetBet)).toEqual([0, 0, 0]);
    expect([state.roundPot, state.totalPot]).toEqual([0, 250]);
  });

  it('deals the rest of the board and pushes the side pot before the main pot, one step each', () => {
    const stages = everyState(game, 'action').slice(6);
    expect(stages.map((state) => [state.stage, stacks(state), state.board.length])).toEqual([
      [null, [0, 100, 0], 3],
      [{ kind: 'deal', round: 2 }, [0, 100, 0], 4],
      [{ kind: 'deal', round: 3 }, [0, 100, 0], 5],
      [{ kind: 'award', award: { name: 'side pot 1', shares: [{ seat: 2, amount: 100 }] } }, [0, 100, 100], 5],
      [{ kind: 'award', award: { name: 'main pot', shares: [{ seat: 0, amount: 150 }] } }, [150, 100, 100], 5],
    ]);
    expect(stages.map(({ step, steps, entries, over }) => [step, steps, entries, over])).toEqual([
      [6, 11, 7, false],
      [7, 11, 7, false],
      [8, 11, 7, false],
      [9, 11, 7, false],
      [10, 11, 7, true],
    ]);
  });

  it('marks no winner who ends the hand without a gain', () => {
    const end = stateAt(game, 'action', 99);
    expect(end.seats.map((seat) => [seat.winnings, seat.won])).toEqual([
      [150, true],
      [0, false],
      [100, false],
    ]);
    expect(handResults(game).map((result) => result.change)).toEqual([100, -100, 0]);
  });

  it('keeps the board as it is if everybody else folded', () => {
    const fold = read(
      parseGame(sampleLog([actions('0 RAISE 5, 1 RAISE 10, 2 FOLD 0, 0 FOLD 0')], { final: [9_995, 10_005, 10_000] })),
    );
    const end = stateAt(fold, 'action', 99);
    expect(end.board).toEqual([]);
    expect(end.seats.map((seat) => seat.folded)).toEqual([true, false, true]);
    expect(end.seats[1]).toMatchObject({ winnings: 10, returned: 5, won: true });
    expect(end).toMatchObject({ step: 3, steps: 4 });
  });

  it('gives the pot to the last player if the log has no final money', () => {
    const log = {
      ...sampleLog([actions('0 RAISE 5, 1 RAISE 10, 0 FOLD 0, 2 FOLD 0')]),
      playerMoney: {},
    };
    const end = stateAt(read(parseGame(log)), 'action', 99);
    expect(stacks(end)).toEqual([9_995, 10_005, 10_000]);
  });

  it('marks a call of the whole stack as all-in', () => {
    const call = read(parseGame(sampleLog([actions('0 RAISE 5, 1 CALL 10, 2 CHECK 0')], { start: [100, 10, 100] })));
    expect(stateAt(call, 'action', 1).seats[1]).toMatchObject({ stack: 0, allIn: true });
  });
});

describe('steps', () => {
  const game = read(
    parseGame(
      sampleLog([actions('0 RAISE 5, 1 RAISE 10'), [], [[0, 'FOLD', 0]]], {
        names: ['ann', 'bob'],
        final: [9_995, 10_005],
      }),
    ),
  );

  it('applies the action at the index and clamps at both ends', () => {
    expect(stateAt(game, 'action', 0)).toMatchObject({ step: 0, steps: 3, over: false, roundName: 'Pre-flop' });
    expect(stateAt(game, 'action', -4).step).toBe(0);
    expect(stateAt(game, 'action', Number.NaN).step).toBe(0);
    expect(stateAt(game, 'action', 50)).toMatchObject({ step: 2, over: true, roundName: 'Turn' });
  });

  it('steps by betting round in results mode, empty rounds included', () => {
    expect(stateAt(game, 'round', 0)).toMatchObject({ steps: 3, roundName: 'Pre-flop', board: [] });
    expect(stateAt(game, 'round', 1)).toMatchObject({ roundName: 'Flop', roundPot: 0, totalPot: 15 });
    expect(stateAt(game, 'round', 1).seats[0]).toMatchObject({ folded: false });
    expect(stateAt(game, 'round', 2).seats[0]).toMatchObject({ folded: true });
  });

  it('shows a hand without actions as one settled state', () => {
    const empty = read(parseGame(sampleLog([], { final: [10_000, 10_000, 10_000] })));
    expect(stateAt(empty, 'action', 0)).toMatchObject({ step: 0, steps: 0, over: true, action: null });
    expect(stateAt(empty, 'round', 0)).toMatchObject({ step: 0, steps: 0, over: true });
  });

  it('numbers rounds after the river', () => {
    const log = sampleLog([]);
    log.rounds = { '4': { action_sequence: [{ player: 0, action: 'CHECK', amount: 0 }] } };
    expect(stateAt(read(parseGame(log)), 'action', 0)).toMatchObject({ roundName: 'Round 5' });
  });

  it('returns the verdicts of a step without duplicates', () => {
    const log = {
      ...sampleLog([]),
      rounds: {
        '0': {
          action_sequence: [
            { player: 0, action: 'RAISE', amount: 5 },
            { player: 1, action: 'FOLD', amount: 0, verdict: 'timeout' },
          ],
        },
      },
      verdicts: [{ round: 0, index: 1, seat: 1, code: 'timeout', text: 'No answer within 5 s' }],
    };
    const judged = read(parseGame(log));
    expect(verdictsAt(judged, stateAt(judged, 'action', 0))).toEqual([]);
    expect(verdictsAt(judged, stateAt(judged, 'action', 1)).map((verdict) => verdict.text)).toEqual([
      'No answer within 5 s',
    ]);
    expect(verdictsAt(judged, stateAt(judged, 'round', 0))).toHaveLength(1);
  });
});
