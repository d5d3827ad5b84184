import { parseCards } from '@husky/holdem/card';
import { describe, expect, it } from 'vitest';
import { realLogs } from '../fixtures/load-fixtures.ts';
import { parseGame, parseGameText } from '../parse-game.ts';
import { stateAt } from '../replay-state.ts';
import { actions, sampleLog } from '../sample-log.ts';
import type { ReplayMode } from '../table-state.ts';
import { analyseSituation } from './analyse-hand.ts';
import { analysisInput, situationKey } from './situations.ts';
import { winProbabilities } from './win-probability.ts';

describe('win probabilities', () => {
  it('are exact before the flop', () => {
    const [aces, kings] = winProbabilities([parseCards('AhAs'), parseCards('KhKs')], [], []);
    // Counted with the independent evaluator eval7: 1,410,336 boards won and 9,308 split of 1,712,304.
    expect(aces?.win).toBe(1_410_336 / 1_712_304);
    expect(aces?.tie).toBe(9_308 / 1_712_304);
    expect(kings?.win).toBe(292_660 / 1_712_304);
  });

  it('count the outs on the turn, without dead cards', () => {
    const board = parseCards('Ah7h2cKs');
    const hands = [parseCards('AdKd'), parseCards('QhJh')];
    // All hearts except the king, which makes a full house for the opponent, and three tens.
    const outs = (dead: string) => winProbabilities(hands, board, parseCards(dead))[1]?.win;
    expect(outs('')).toBeCloseTo((8 + 3) / 44, 6);
    expect(outs('3h4h')).toBeCloseTo((6 + 3) / 42, 6);
  });

  it('are certain on the river', () => {
    expect(winProbabilities([parseCards('2h3d'), parseCards('2c3c')], parseCards('AsKsQsJsTs'), [])).toEqual([
      { win: 0, tie: 1, equity: 0.5 },
      { win: 0, tie: 1, equity: 0.5 },
    ]);
  });
});

describe('situations', () => {
  it.each(realLogs())('of $name cover every step of both modes', ({ text }) => {
    const result = parseGameText(text);
    if (!result.ok) throw new Error(result.detail);
    const { game } = result;
    const keys = new Set(analysisInput(game)?.situations.map(({ key }) => key));
    for (const mode of ['action', 'round'] as ReplayMode[]) {
      for (let step = 0; step < stateAt(game, mode, 0).steps; step += 1) {
        expect(keys).toContain(situationKey(game, stateAt(game, mode, step)));
      }
    }
  });

  it('have hand names from the flop on, and the last player wins with probability 1', () => {
    const log = sampleLog([actions('0 RAISE 5, 1 RAISE 10, 2 FOLD 0, 0 CALL 5'), actions('1 CHECK 0, 0 FOLD 0')], {
      board: ['2d', '2s', '3d'],
    });
    const result = parseGame(log);
    const input = result.ok ? analysisInput(result.game) : null;
    if (input === null) throw new Error('no input');
    const insights = input.situations.map((situation) => analyseSituation(input, situation));
    expect(insights.map(({ key }) => key)).toEqual(['0:111', '0:110', '3:110', '3:010']);
    expect(insights[0]?.seats.map((seat) => seat?.handName)).toEqual([
      'Pair of Twos',
      'Pair of Threes',
      'Pair of Fours',
    ]);
    expect(insights[2]?.seats[0]?.handName).toBe('Four of a Kind, Twos');
    expect(insights[3]?.seats).toEqual([
      null,
      { handName: 'Full House, Threes over Twos', win: 1, tie: 0, equity: 1 },
      null,
    ]);
    const total = insights[2]?.seats.reduce((sum, seat) => sum + (seat?.win ?? 0), 0);
    expect(total).toBeCloseTo(1, 9);
  });

  it('are null if a card is unknown or a duplicate', () => {
    const unknown = parseGame(sampleLog([], { board: ['??'] }));
    const twice = parseGame(sampleLog([], { board: ['2h'] }));
    expect([unknown, twice].map((result) => result.ok && analysisInput(result.game))).toEqual([null, null]);
  });
});
