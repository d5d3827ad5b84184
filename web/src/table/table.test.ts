import { describe, expect, it } from 'vitest';
import { analyseSituation } from './analysis/analyse-hand.ts';
import { analysisInput } from './analysis/situations.ts';
import { decisionsOf, outputOf } from './bot-log.ts';
import { formatBigBlinds } from './chips.ts';
import { engineLogs } from './engine-log.ts';
import { equitiesOf } from './equity-line.tsx';
import { parsePreferences } from './preferences.ts';
import { statesOf } from './replay-state.ts';
import { actions, blinds, expectChips, gameOf, sampleLog, sum } from './sample-log.ts';
import { soundOf } from './sound.ts';

describe('equity line', () => {
  const game = gameOf(
    sampleLog([[...blinds, [2, 'FOLD', 0], [0, 'CALL', 5], [1, 'CHECK', 0]], actions('0 ALL IN 90, 1 CALL 90')], {
      start: [100, 200, 100],
      final: [0, 300, 100],
      board: ['Ks', '7h', '9d', 'Jc', '5s'],
    }),
  );

  it('equities of every step of a run-out add up to 1; a folded seat has none', () => {
    const input = analysisInput(game);
    if (input === null) throw new Error('no input');
    const insights = new Map(input.situations.map((situation) => [situation.key, analyseSituation(input, situation)]));
    const lines = equitiesOf(game, 'action', insights);
    const steps = statesOf(game, 'action');
    expect(lines.map((line) => line.length)).toEqual([steps.length, steps.length, steps.length]);
    for (const { step } of steps) expect(sum(lines.map((line) => line[step] ?? 0))).toBeCloseTo(1, 9);
    expect(lines[2]?.slice(2).every((equity) => equity === null)).toBe(true);
    // Threes against twos: certain on the river, and a favourite at every step before.
    expect(lines[1]?.at(-1)).toBe(1);
    expect(lines[1]?.slice(2).every((equity) => (equity ?? 0) > 0.5)).toBe(true);
  });

  it('has a sound for each kind of step', () => {
    expect(statesOf(game, 'action').map(soundOf)).toEqual([
      'chips',
      'chips',
      'fold',
      'chips',
      'check',
      'chips',
      'chips',
      'card',
      'card',
      'win',
    ]);
    expect(statesOf(game, 'round').map(soundOf)).toEqual([null, 'win']);
  });
});

describe('preferences', () => {
  describe('stored preferences', () => {
    const defaults = { fourColourDeck: false, bigBlinds: false, sound: false, shortcuts: true, speed: 1 };

    it.each([null, '', '{', 'null', '[]', '"text"', '{"speed": 3, "sound": "yes"}'])(
      '%j gives the defaults',
      (text) => {
        expect(parsePreferences(text)).toEqual(defaults);
      },
    );

    it('keep valid values beside invalid ones', () => {
      expect(parsePreferences('{"fourColourDeck": true, "speed": 4, "bigBlinds": 1}')).toEqual({
        ...defaults,
        fourColourDeck: true,
        speed: 4,
      });
    });
  });

  it.each([
    [15, 10, '1.5 BB'],
    [10_000, 10, '1,000 BB'],
    [1, 3, '0.33 BB'],
    [-25, 10, '-2.5 BB'],
  ])('formats %i chips at a big blind of %i as %s', (amount, big, text) => {
    expect(formatBigBlinds(amount, big)).toBe(text);
  });
});

describe('bot log', () => {
  const log = `loaded
--- hand 1, on_start
ready
--- hand 1, get_action 1
pot odds 0.3
call

--- hand 1, on_round_start
flop
--- hand 1, get_action 2
  bluff
--- hand 3, get_action 1
three
[123 bytes left out here]
--- hand 9, get_action 2
nine
`;

  it.each([
    [log, 1, ['pot odds 0.3\ncall', '  bluff', '']],
    [log, 2, ['', '']],
    [log, 3, ['three\n[123 bytes left out here]', null]],
    [log, 5, [null]],
    [log, 9, [null, 'nine']],
    [log, 12, ['']],
    ['', 1, ['']],
    ['printed by an earlier release\n', 1, [null]],
    ['--- hand 1, get_action 1\na\n[9 bytes left out here]\n', 4, [null]],
  ])('the output of a decision is found in the log (%#)', (text, hand, outputs) => {
    const output = outputOf(text, hand);
    expect(outputs.map((_, index) => output(index + 1))).toEqual(outputs);
  });

  it('each decision of the seat has its step, time and output; posts are none', () => {
    const file = sampleLog([[...blinds, ...actions('2 CALL 10, 0 CALL 5')], actions('0 CHECK 0')]);
    const sequence = Object.values(file.rounds).flatMap(
      (round) => (round as { action_sequence: { timestamp: number }[] }).action_sequence,
    );
    for (const [index, action] of sequence.entries()) action.timestamp = 1_754_788_302_000 + 7 * index * index;
    const found = decisionsOf(gameOf(file), 0, log, 1);
    expect(found.map(({ step, ms, output }) => [step, ms, output])).toEqual([
      [3, 35, 'pot odds 0.3\ncall'],
      [4, 49, '  bluff'],
    ]);
  });
});

describe('engine games', () => {
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
});
