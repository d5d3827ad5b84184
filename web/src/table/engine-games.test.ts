import { expect, it } from 'vitest';
import { engineLogs } from './engine-log.ts';
import { statesOf } from './replay-state.ts';
import { expectChips, gameOf, sum } from './sample-log.ts';

const tables = [2, 3, 4, 5, 6].flatMap((players) => [1, 2, 3].map((seed) => [players, seed] as const));

it.each(tables)('replays random matches of our own engine: %i players, seed %i', (players, seed) => {
  const logs = engineLogs(players, 60, seed);
  expect(logs.length).toBeGreaterThan(5);
  for (const log of logs) {
    const game = gameOf(log);
    expect(game.warnings).toEqual([]);
    for (const mode of ['action', 'round'] as const) {
      const states = statesOf(game, mode);
      for (const state of states) {
        expectChips(game, state);
        expect(sum(state.pots.map((pot) => pot.amount))).toBe(state.totalPot);
      }
      const end = states.at(-1);
      expect(end?.seats.map((seat) => seat.stack)).toEqual(game.players.map((player) => player.finalChips));
      // Our own logs match their pots: every award of a hand with side pots names its pot.
      const awards = end?.paid.flatMap((payment) => (payment.kind === 'award' ? [payment.award.name] : [])) ?? [];
      expect(awards).toEqual(
        awards.length === 1
          ? ['']
          : [...awards.slice(1).map((_, index) => `side pot ${awards.length - 1 - index}`), 'main pot'],
      );
    }
  }
});

it('keeps the seats of a match and moves the button', () => {
  const games = engineLogs(4, 12, 5).map(gameOf);
  for (const game of games)
    expect(game.players.map((player) => player.name)).toEqual(['bot-0', 'bot-1', 'bot-2', 'bot-3']);
  expect(new Set(games.map((game) => game.buttonSeat)).size).toBeGreaterThan(1);
  expect(games.every((game) => game.players[game.smallBlindSeat ?? -1]?.pid === game.smallBlindSeat)).toBe(true);
});

it('shows the blinds of every hand, also where the small blind is dead', () => {
  const logs = tables.flatMap(([players, seed]) => engineLogs(players, 60, seed)) as {
    smallBlindSeat: number | null;
    bigBlindSeat: number;
  }[];
  const seats = logs
    .map((log) => gameOf(log))
    .map(({ smallBlindSeat, bigBlindSeat }) => ({ smallBlindSeat, bigBlindSeat }));
  expect(seats).toEqual(logs.map(({ smallBlindSeat, bigBlindSeat }) => ({ smallBlindSeat, bigBlindSeat })));
  expect(seats.some(({ smallBlindSeat }) => smallBlindSeat === null)).toBe(true);
});
