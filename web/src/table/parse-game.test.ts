import { describe, expect, it } from 'vitest';
import { describeStep } from './action-bar.tsx';
import { realLogs } from './fixtures/load-fixtures.ts';
import type { Game } from './game.ts';
import { INVALID_FORMAT, INVALID_JSON, parseGame, parseGameText } from './parse-game.ts';
import { stateAt } from './replay-state.ts';
import { sampleLog } from './sample-log.ts';

function gameOf(value: unknown): Game {
  const result = parseGame(value);
  if (!result.ok) throw new Error(`${result.error} ${result.detail}`);
  return result.game;
}

function refusal(value: unknown): string {
  const result = parseGame(value);
  return result.ok ? 'read' : `${result.error} | ${result.detail}`;
}

const blinds: [number, string, number][] = [
  [0, 'RAISE', 5],
  [1, 'RAISE', 10],
];

describe('real logs', () => {
  it.each(realLogs())('$name is read without a warning', ({ text }) => {
    const result = parseGameText(text);
    expect(result).toMatchObject({ ok: true, game: { warnings: [] } });
  });

  it('are read inside game_data and with the names of the mapping', () => {
    const [first] = realLogs();
    const game = gameOf({ message: 'ok', game_data: JSON.parse(first?.text ?? '') });
    expect(game.players.map((player) => player.name)).toContain('default');
    expect(game.players.every((player) => player.cards.length === 2)).toBe(true);
  });

  it('are read as the engine writes them, without the names', () => {
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
  it('reads seats 0..n-1 with ids 1..n', () => {
    const game = gameOf(sampleLog([blinds], { start: [100, 200, 300], final: [95, 190, 315] }));
    expect(game.players.map((player) => player.startChips)).toEqual([100, 200, 300]);
  });

  it('reads a file that uses one numbering everywhere', () => {
    const game = gameOf(sampleLog([blinds], { start: [100, 200, 300], final: [95, 190, 315], offset: 0 }));
    expect(game.players.map((player) => player.startChips)).toEqual([100, 200, 300]);
  });

  it('reads random 32-bit ids next to each other', () => {
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
    const game = gameOf(
      sampleLog(
        [
          [
            [2, 'RAISE', 5],
            [0, 'RAISE', 10],
            [2, 'FOLD', 0],
          ],
        ],
        { names: ['a', 'b', 'c', 'd'] },
      ),
    );
    expect(game.players.map((player) => player.name)).toEqual(['c', 'a', 'b', 'd']);
    expect([game.smallBlindSeat, game.bigBlindSeat]).toEqual([0, 1]);
  });

  it.each<[string, [number, string, number][], 'posts' | 'no posts']>([
    ['two raises of the blinds', blinds, 'posts'],
    [
      'all-ins for less than the blinds',
      [
        [0, 'ALL IN', 3],
        [1, 'ALL IN', 8],
      ],
      'posts',
    ],
    [
      'two checks',
      [
        [0, 'CHECK', 0],
        [1, 'CHECK', 0],
      ],
      'no posts',
    ],
    [
      'a check before a raise of the big blind',
      [
        [0, 'CHECK', 0],
        [1, 'RAISE', 10],
      ],
      'no posts',
    ],
    [
      'a call and a raise',
      [
        [0, 'CALL', 10],
        [1, 'RAISE', 30],
      ],
      'no posts',
    ],
    [
      'a bet and a raise',
      [
        [0, 'BET', 20],
        [1, 'RAISE', 60],
      ],
      'no posts',
    ],
  ])('takes %s for %s', (_opening, opening, expected) => {
    const game = gameOf(sampleLog([[...opening, [2, 'RAISE', 20]]]));
    const actions = game.rounds[0]?.actions ?? [];
    const seats = [game.smallBlindSeat, game.bigBlindSeat];
    expect(seats).toEqual(expected === 'posts' ? [0, 1] : [null, null]);
    expect(actions.map((action) => action.post)).toEqual(
      expected === 'posts' ? [true, true, false] : [false, false, false],
    );
  });

  it('names posted blinds as posts, in as many steps as there are actions', () => {
    const game = gameOf(
      sampleLog([
        [
          [0, 'RAISE', 5],
          [1, 'ALL IN', 8],
          [2, 'RAISE', 20],
        ],
      ]),
    );
    const seen = [0, 1, 2].map((step) => describeStep(game, stateAt(game, 'action', step)));
    expect(seen[0]).toBe('ann: posts small blind $5. Pre-flop, total pot $5');
    expect(seen[1]).toBe('bob: posts big blind (all-in) $8. Pre-flop, total pot $13');
    expect(seen[2]).toMatch(/^cat: RAISE \$20\. /);
    expect(stateAt(game, 'action', 0).steps).toBe(3);
  });

  it('finds the posted blinds of every real log that has action', () => {
    for (const { name, text } of realLogs()) {
      const game = gameOf(JSON.parse(text));
      const [small, big] = game.rounds[0]?.actions ?? [];
      if (small && big) expect([small.post, big.post], name).toEqual([true, true]);
    }
  });

  it('gives eligible players of pots by id', () => {
    const log = sampleLog([]);
    const pots = [{ id: 0, amount: 5, eligible_players: [1, 3] }];
    log.rounds = {
      '0': { action_sequence: [{ player: 0, action: 'BET', amount: 5, total_side_pots_after_action: pots }] },
    };
    expect(gameOf(log).rounds[0]?.actions[0]?.pots).toEqual([{ id: 0, amount: 5, eligible: [0, 2] }]);
  });
});

describe('bad input', () => {
  it('says when the text is no JSON', () => {
    expect(parseGameText('{"rounds":')).toMatchObject({ ok: false, error: INVALID_JSON });
    expect(parseGameText('')).toMatchObject({ ok: false, error: INVALID_JSON });
  });

  it.each([[null], [42], ['text'], [[]], [{}], [{ rounds: {}, playerNames: {} }], [{ game_data: { rounds: [] } }]])(
    'refuses %j with the format text',
    (value) => {
      expect(refusal(value)).toContain(INVALID_FORMAT);
    },
  );

  it('refuses rounds, names and boards of another type', () => {
    expect(refusal({ ...sampleLog([]), rounds: [] })).toContain("'rounds' must be an object");
    expect(refusal({ ...sampleLog([]), playerNames: ['a', 'b'] })).toContain("'playerNames' must be an object");
    expect(refusal({ ...sampleLog([]), finalBoard: {} })).toContain("'finalBoard' must be a list");
  });

  it('refuses 1 and 7 players with their number', () => {
    expect(refusal(sampleLog([], { names: ['a'] }))).toBe(
      `${INVALID_FORMAT} | Invalid number of players: 1. Must be between 2-6 players.`,
    );
    expect(refusal(sampleLog([], { names: [...'abcdefg'] }))).toContain('Invalid number of players: 7.');
  });

  it('does not follow prototype keys', () => {
    const text = JSON.stringify(sampleLog([blinds])).replace(
      '"gameId"',
      '"__proto__":{"rounds":{},"polluted":1},"constructor":{"prototype":{"polluted":1}},"gameId"',
    );
    const result = parseGameText(text);
    expect(result.ok && result.game.rounds[0]?.actions).toHaveLength(2);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(
      refusal(JSON.parse('{"__proto__":{"rounds":{},"playerNames":{"0":"a","1":"b"},"finalBoard":[]}}')),
    ).toContain(INVALID_FORMAT);
    expect(refusal(JSON.parse('{"rounds":{},"playerNames":{"__proto__":"a","0":"b"},"finalBoard":[]}'))).toContain(
      'whole numbers',
    );
  });

  it('refuses an action by somebody who is not at the table', () => {
    expect(refusal(sampleLog([[[9, 'CALL', 5]]]))).toContain('Action 1 of round 0 is not by a player of the table.');
  });

  it('refuses endless rounds', () => {
    const entries = Array.from({ length: 2_001 }, (): [number, string, number] => [0, 'CHECK', 0]);
    expect(refusal(sampleLog([entries]))).toContain('more than 2000 actions');
    expect(refusal(sampleLog(Array.from({ length: 17 }, () => [])))).toContain('at most 16 rounds');
  });

  it('shows an unknown action and moves no chips by it', () => {
    const game = gameOf(sampleLog([[...blinds, [2, 'straddle!', 20]]]));
    expect(game.rounds[0]?.actions[2]).toMatchObject({ kind: 'UNKNOWN', label: 'STRADDLE!', chips: 0 });
    expect(game.warnings[0]).toContain('STRADDLE!');
  });

  it('reads all-ins however they are written', () => {
    const game = gameOf(
      sampleLog([
        [
          [0, 'ALL_IN', 5],
          [1, 'all-in', 5],
          [2, 'ALL IN', 5],
        ],
      ]),
    );
    expect(game.rounds[0]?.actions.map((action) => action.kind)).toEqual(['ALL IN', 'ALL IN', 'ALL IN']);
  });

  it('counts amounts that are none as 0 and says so', () => {
    const log = sampleLog([]);
    log.rounds = {
      '0': {
        action_sequence: [
          { player: 0, action: 'RAISE', amount: -5 },
          { player: 1, action: 'RAISE', amount: '1e999' },
        ],
      },
    };
    const game = gameOf(log);
    expect(game.rounds[0]?.actions.map((action) => action.chips)).toEqual([0, 0]);
    expect(game.warnings).toHaveLength(2);
  });

  it('works without blinds, money, hands and with empty rounds', () => {
    const game = gameOf({
      rounds: { '0': {}, '1': { action_sequence: [] } },
      playerNames: { '0': 'a', '1': 'b' },
      finalBoard: [],
    });
    expect(game).toMatchObject({ blinds: null, smallBlindSeat: null, bigBlindSeat: null });
    expect(game.players[0]).toMatchObject({ startChips: 10_000, finalChips: null, cards: [] });
    expect(game.warnings).toEqual(['This log does not say how the hand ended.']);
  });

  it('keeps HTML as text, cuts long names and takes out direction marks', () => {
    const names = ['<img src=x onerror=alert(1)>', `\u202e${'x'.repeat(400)}`, '\u200f'];
    const game = gameOf(sampleLog([blinds], { names }));
    expect(game.players.map((player) => player.name)).toEqual([names[0], 'x'.repeat(300), 'player3']);
  });

  it('shows cards that are none face up as unknown', () => {
    const game = gameOf(sampleLog([blinds], { board: ['10h', 'ah', 'XX', '<b>', 'Td', 'Tc'] }));
    expect(game.board).toEqual(['Th', 'Ah', '??', '??', 'Td']);
    expect(game.warnings[0]).toContain('more than five');
  });
});

describe('verdicts', () => {
  it('reads those of an action and those at the top', () => {
    const log = {
      ...sampleLog([]),
      rounds: {
        '0': {
          action_sequence: [
            { player: 0, action: 'RAISE', amount: 5, adjusted: true },
            { player: 1, action: 'FOLD', amount: 0, verdict: 'timeout', reason: 'No answer within 5 s' },
            { player: 2, action: 'FOLD', amount: 0, verdict: { code: 'exception', text: 'IndexError' } },
          ],
        },
      },
      verdicts: [{ round: 1, index: 2, seat: 1, code: 'disabled', text: 'Ten faults in a row' }, 'noise', { code: 5 }],
    };
    const game = gameOf(log);
    expect(
      game.rounds[0]?.actions.map((action) => [action.adjusted, action.verdict?.code, action.verdict?.text]),
    ).toEqual([
      [true, undefined, undefined],
      [false, 'timeout', 'No answer within 5 s'],
      [false, 'exception', 'IndexError'],
    ]);
    expect(game.verdicts[0]).toEqual({ round: 1, action: 2, seat: 1, code: 'disabled', text: 'Ten faults in a row' });
  });
});
