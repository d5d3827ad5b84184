import { expect, it } from 'vitest';
import { engineLogs } from './engine-log.ts';
import { parseGame } from './parse-game.ts';
import { type ReplayMode, stateAt } from './replay-state.ts';

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const tables = [2, 3, 4, 5, 6].flatMap((players) => [1, 2, 3].map((seed) => [players, seed] as const));

it.each(tables)('replays random matches of our own engine: %i players, seed %i', (players, seed) => {
  const logs = engineLogs(players, 60, seed);
  expect(logs.length).toBeGreaterThan(5);
  for (const log of logs) {
    const result = parseGame(log);
    if (!result.ok) throw new Error(result.detail);
    const { game } = result;
    expect(game.warnings).toEqual([]);
    const chips = sum(game.players.map((player) => player.startChips));
    for (const mode of ['action', 'round'] as ReplayMode[]) {
      const { steps } = stateAt(game, mode, 0);
      for (let step = 0; step < steps; step += 1) {
        const state = stateAt(game, mode, step);
        expect(sum(state.seats.map((seat) => seat.stack)) + (state.over ? 0 : state.totalPot)).toBe(chips);
        expect(Math.min(...state.seats.map((seat) => seat.stack))).toBeGreaterThanOrEqual(0);
        expect(sum(state.seats.map((seat) => seat.streetBet))).toBe(state.roundPot);
        expect(sum(state.pots.map((pot) => pot.amount))).toBe(state.totalPot);
      }
      const end = stateAt(game, mode, steps);
      expect(end.seats.map((seat) => seat.stack)).toEqual(game.players.map((player) => player.finalChips));
      expect(sum(end.seats.map((seat) => seat.winnings))).toBe(end.totalPot);
      expect(Math.min(...end.seats.map((seat) => seat.winnings))).toBeGreaterThanOrEqual(0);
    }
  }
});
