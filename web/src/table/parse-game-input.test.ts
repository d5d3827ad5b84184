import { describe, expect, it } from 'vitest';
import { INVALID_FORMAT, INVALID_JSON, parseGame, parseGameText } from './parse-game.ts';
import { blinds, gameOf, sampleLog } from './sample-log.ts';

function refusal(value: unknown): string {
  const result = parseGame(value);
  return result.ok ? 'read' : `${result.error} | ${result.detail}`;
}

describe('bad input', () => {
  it('returns the JSON error for text that is not JSON', () => {
    expect(parseGameText('{"rounds":')).toMatchObject({ ok: false, error: INVALID_JSON });
    expect(parseGameText('')).toMatchObject({ ok: false, error: INVALID_JSON });
  });

  it.each([[null], [42], ['text'], [[]], [{}], [{ rounds: {}, playerNames: {} }], [{ game_data: { rounds: [] } }]])(
    'refuses %j with the format error',
    (value) => {
      expect(refusal(value)).toContain(INVALID_FORMAT);
    },
  );

  it('refuses rounds, names and boards of the wrong type', () => {
    expect(refusal({ ...sampleLog([]), rounds: [] })).toContain("'rounds' must be an object");
    expect(refusal({ ...sampleLog([]), playerNames: ['a', 'b'] })).toContain("'playerNames' must be an object");
    expect(refusal({ ...sampleLog([]), finalBoard: {} })).toContain("'finalBoard' must be a list");
  });

  it('refuses 1 and 7 players and reports the number', () => {
    expect(refusal(sampleLog([], { names: ['a'] }))).toBe(
      `${INVALID_FORMAT} | Invalid number of players: 1. Must be between 2-6 players.`,
    );
    expect(refusal(sampleLog([], { names: [...'abcdefg'] }))).toContain('Invalid number of players: 7.');
  });

  it('ignores prototype keys', () => {
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

  it('refuses an action by a player who is not at the table', () => {
    expect(refusal(sampleLog([[[9, 'CALL', 5]]]))).toContain('Action 1 of round 0 is not by a player of the table.');
  });

  it('refuses too many actions or rounds', () => {
    const entries = Array.from({ length: 2_001 }, (): [number, string, number] => [0, 'CHECK', 0]);
    expect(refusal(sampleLog([entries]))).toContain('more than 2000 actions');
    expect(refusal(sampleLog(Array.from({ length: 17 }, () => [])))).toContain('at most 16 rounds');
  });

  it('shows an unknown action, which moves no chips', () => {
    const game = gameOf(sampleLog([[...blinds, [2, 'straddle!', 20]]]));
    expect(game.rounds[0]?.actions[2]).toMatchObject({ kind: 'UNKNOWN', label: 'STRADDLE!', chips: 0 });
    expect(game.warnings[0]).toContain('STRADDLE!');
  });

  it('accepts all spellings of all-in', () => {
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

  it('counts invalid amounts as 0 with a warning', () => {
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

  it('parses logs without blinds, money or hands, and with empty rounds', () => {
    const game = gameOf({
      rounds: { '0': {}, '1': { action_sequence: [] } },
      playerNames: { '0': 'a', '1': 'b' },
      finalBoard: [],
    });
    expect(game).toMatchObject({ blinds: null, smallBlindSeat: null, bigBlindSeat: null });
    expect(game.players[0]).toMatchObject({ startChips: 10_000, finalChips: null, cards: [] });
    expect(game.warnings).toEqual(['This log does not say how the hand ended.']);
  });

  it('keeps HTML as text, cuts long names and removes direction marks', () => {
    const names = ['<img src=x onerror=alert(1)>', `\u202e${'x'.repeat(400)}`, '\u200f'];
    const game = gameOf(sampleLog([blinds], { names }));
    expect(game.players.map((player) => player.name)).toEqual([names[0], 'x'.repeat(300), 'player3']);
  });

  it('replaces invalid card codes by the unknown card', () => {
    const game = gameOf(sampleLog([blinds], { board: ['10h', 'ah', 'XX', '<b>', 'Td', 'Tc'] }));
    expect(game.board).toEqual(['Th', 'Ah', '??', '??', 'Td']);
    expect(game.warnings[0]).toContain('more than five');
  });
});

describe('verdicts', () => {
  it('are read from actions and from the top-level list', () => {
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
