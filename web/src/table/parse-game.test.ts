import { describe, expect, it } from 'vitest';
import { describeStep } from './descriptions.ts';
import { realLogs } from './fixtures/load-fixtures.ts';
import { parseGameText } from './parse-game.ts';
import { stateAt } from './replay-state.ts';
import { actions, blinds, gameOf, sampleLog } from './sample-log.ts';

describe('real logs', () => {
  it.each(realLogs())('$name is parsed without warnings', ({ text }) => {
    const result = parseGameText(text);
    expect(result).toMatchObject({ ok: true, game: { warnings: [] } });
  });

  it('are parsed inside game_data, with the names of the mapping', () => {
    const [first] = realLogs();
    const game = gameOf({ message: 'ok', game_data: JSON.parse(first?.text ?? '') });
    expect(game.players.map((player) => player.name)).toContain('default');
    expect(game.players.every((player) => player.cards.length === 2)).toBe(true);
  });

  it('are parsed without user names, as the engine writes them', () => {
    const raw = JSON.parse(realLogs()[0]?.text ?? '');
    delete raw.usernameMapping;
    delete raw.playerIdToUsername;
    const game = gameOf(raw);
    expect(game.players[0]?.name).toMatch(/^player\d+$/);
    expect(game.players[0]?.startChips).toBe(10_000);
    expect(game.warnings).toEqual([]);
  });
});

describe('numberings', () => {
  it('supports seats 0..n-1 with ids 1..n', () => {
    const game = gameOf(sampleLog([blinds], { start: [100, 200, 300], final: [95, 190, 315] }));
    expect(game.players.map((player) => player.startChips)).toEqual([100, 200, 300]);
  });

  it('supports a file that uses one numbering everywhere', () => {
    const game = gameOf(sampleLog([blinds], { start: [100, 200, 300], final: [95, 190, 315], offset: 0 }));
    expect(game.players.map((player) => player.startChips)).toEqual([100, 200, 300]);
  });

  it('supports adjacent random 32-bit ids', () => {
    const log = sampleLog([]);
    log.playerNames = { '4294967294': 'a', '4294967293': 'b' };
    log.rounds = { '0': { action_sequence: [{ player: 4294967294, action: 'FOLD', amount: 0 }] } };
    log.playerMoney = {
      initialAmount: 1,
      startingMoney: { 4294967295: 7, 4294967294: 8 },
      finalMoney: { 4294967295: 6, 4294967294: 9 },
    };
    expect(gameOf(log).players.map((player) => [player.name, player.startChips, player.finalChips])).toEqual([
      ['a', 7, 6],
      ['b', 8, 9],
    ]);
  });

  it('seats players by first appearance, then those who never acted', () => {
    const game = gameOf(sampleLog([actions('2 RAISE 5, 0 RAISE 10, 2 FOLD 0')], { names: ['a', 'b', 'c', 'd'] }));
    expect(game.players.map((player) => player.name)).toEqual(['c', 'a', 'b', 'd']);
    expect([game.smallBlindSeat, game.bigBlindSeat]).toEqual([0, 1]);
  });

  it.each<[string, [number, string, number][], 'posts' | 'no posts']>([
    ['two raises of the blinds', blinds, 'posts'],
    ['all-ins for less than the blinds', actions('0 ALL IN 3, 1 ALL IN 8'), 'posts'],
    ['two checks', actions('0 CHECK 0, 1 CHECK 0'), 'no posts'],
    ['a check before a raise of the big blind', actions('0 CHECK 0, 1 RAISE 10'), 'no posts'],
    ['a call and a raise', actions('0 CALL 10, 1 RAISE 30'), 'no posts'],
    ['a bet and a raise', actions('0 BET 20, 1 RAISE 60'), 'no posts'],
  ])('parses %s as %s', (_opening, opening, expected) => {
    const game = gameOf(sampleLog([[...opening, [2, 'RAISE', 20]]]));
    const actions = game.rounds[0]?.actions ?? [];
    const seats = [game.smallBlindSeat, game.bigBlindSeat];
    expect(seats).toEqual(expected === 'posts' ? [0, 1] : [null, null]);
    expect(actions.map((action) => action.post)).toEqual(
      expected === 'posts' ? [true, true, false] : [false, false, false],
    );
  });

  it.each([
    ['is the big blind if the log says that the small blind is dead', null, [null, 0], [true, false, false]],
    ['and the second are posts if the log names the small blind', 0, [0, 1], [true, true, false]],
  ])('the first raise %s', (_, smallBlindSeat, seats, posts) => {
    const opening = actions(
      smallBlindSeat === null ? '0 RAISE 10, 1 RAISE 20, 2 CALL 20' : '0 RAISE 5, 1 RAISE 10, 2 CALL 10',
    );
    const game = gameOf({ ...sampleLog([opening]), smallBlindSeat, bigBlindSeat: seats[1] });
    expect([game.smallBlindSeat, game.bigBlindSeat]).toEqual(seats);
    expect(game.rounds[0]?.actions.map((action) => action.post)).toEqual(posts);
  });

  it('labels posted blinds as posts and keeps one step per action', () => {
    const game = gameOf(sampleLog([actions('0 RAISE 5, 1 ALL IN 8, 2 RAISE 20')]));
    const seen = [0, 1, 2].map((step) => describeStep(game, stateAt(game, 'action', step)));
    expect(seen).toEqual(['ann posts small blind $5.', 'bob posts big blind $8 and is all-in.', 'cat raises to $20.']);
    expect(stateAt(game, 'action', 0).entries).toBe(3);
  });

  it('finds the posted blinds in every real log with actions', () => {
    for (const { name, text } of realLogs()) {
      const game = gameOf(JSON.parse(text));
      const [small, big] = game.rounds[0]?.actions ?? [];
      if (small && big) expect([small.post, big.post], name).toEqual([true, true]);
    }
  });

  it('translates the ids of eligible players to seats', () => {
    const log = sampleLog([]);
    const pots = [{ id: 0, amount: 5, eligible_players: [1, 3] }];
    log.rounds = {
      '0': { action_sequence: [{ player: 0, action: 'BET', amount: 5, total_side_pots_after_action: pots }] },
    };
    expect(gameOf(log).rounds[0]?.actions[0]?.pots).toEqual([{ id: 0, amount: 5, eligible: [0, 2] }]);
  });
});
