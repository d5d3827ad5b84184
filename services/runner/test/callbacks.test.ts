import { playerIds } from '@husky/match/deck';
import { afterAll, describe, expect, it } from 'vitest';
import { findPython, LocalHost } from '../bench/local-host.ts';
import { bot, play } from './table.ts';

const local = await LocalHost.start(findPython());
afterAll(() => local.stop());

/** Returns what a bot printed in one call, below the line that names the call. */
const callsOf = (log = ''): string => log.split('\n')[1] ?? '';

describe('the callbacks of a bot', () => {
  const recorder = bot(
    `    def __init__(self):
        super().__init__()
        self.calls = []
    def set_id(self, id):
        super().set_id(id)
        self.calls = [['set_id', id]]
    def on_start(self, *a):
        self.place = a[5].index(self.id) + 1
        self.calls.append(['on_start', *a])
    def on_round_start(self, s, c): self.calls.append(['on_round_start', vars(s), c])
    def on_end_round(self, s, c): self.calls.append(['on_end_round', vars(s), c])
    def get_action(self, s, c):
        self.calls.append(['get_action', vars(s), c])
        return next_action(self, s)
    def on_end_game(self, s, *a):
        self.calls.append(['on_end_game', vars(s), *a])
        print(json.dumps(self.calls))`,
    `
def next_action(bot, s):
    script = SCRIPT[bot.place]
    return script.pop(0) if script else (PokerAction.CALL, 0)
F, K, C, R, A = PokerAction
SCRIPT = {1: [(R, 25), (C, 0), (R, 450)], 2: [(C, 0), (K, 0), (R, 120), (R, 150), (F, 0)]}
`,
  );

  it('are those of the hand in the documentation, call by call', async () => {
    // In hand 1 seat 0 is the small blind and, heads-up, the button.
    const script = recorder.replace('1: [(R, 25), (C, 0), (R, 450)]', '1: [(R, 25), (R, 40), (C, 0), (R, 450)]');
    const played = await play(local, [script, script], { hands: 1 });
    const log = played.reports[0]?.log ?? '';
    const [first, second] = playerIds(played.setup.seed, 2).map(String) as [string, string];
    const numbered = callsOf(log).replaceAll(first, '1').replaceAll(second, '2');
    const calls = JSON.parse(numbered) as [string, ...unknown[]][];
    expect(calls.map(([name]) => name)).toEqual([
      'set_id',
      'on_start',
      'on_round_start',
      'get_action',
      'on_end_round',
      'on_round_start',
      'get_action',
      'get_action',
      'on_end_round',
      'on_round_start',
      'get_action',
      'on_end_round',
      'on_end_game',
    ]);
    expect(calls[1]?.slice(3)).toEqual([10, 2, 1, [1, 2]]);
    const state = (index: number) => calls[index]?.[1] as Record<string, unknown>;
    expect(state(3)).toMatchObject({
      pot: 15,
      current_bet: 10,
      min_raise: 15,
      max_raise: 9995,
      current_player: [1, 2],
    });
    expect(state(3).player_bets).toEqual({ '1': 5, '2': 10 });
    expect(state(3).player_actions).toEqual({ '1': 'Raise', '2': 'Raise' });
    expect(calls[4]?.[2]).toBe(9970);
    expect(state(4)).toMatchObject({ round: 'Preflop', pot: 60, community_cards: [] });
    expect(state(5)).toMatchObject({ round: 'Flop', pot: 60, current_bet: 0, player_bets: { '1': 0, '2': 0 } });
    expect(state(7)).toMatchObject({ pot: 220, current_bet: 120, min_raise: 160, max_raise: 9930 });
    expect(state(7).player_actions).toEqual({ '2': 'Raise' });
    expect(state(10)).toMatchObject({ pot: 450, current_bet: 150, min_raise: 300, max_raise: 9850 });
    expect(calls[11]?.[2]).toBe(9400);
    expect(calls[12]?.slice(2, 4)).toEqual([300, { '1': 300, '2': -300 }]);
    expect(Object.keys(calls[12]?.[4] as object)).toEqual(['1']);
  });

  it('include the streets dealt after an all-in and the last callbacks of a bot without chips', async () => {
    const names = bot(
      `    def set_id(self, id):
        super().set_id(id)
        self.calls = []
    def on_start(self, *a): self.calls.append('start')
    def on_round_start(self, s, c): self.calls.append('r%d:%d' % (s.round_num, len(s.community_cards)))
    def on_end_round(self, s, c): self.calls.append('e%d:%d' % (s.round_num, len(s.community_cards)))
    def get_action(self, s, c): return PokerAction.ALL_IN, 0
    def on_end_game(self, s, *a):
        self.calls.append('g%d:%d' % (s.round_num, len(s.community_cards)))
        print(' '.join(self.calls))`,
    );
    const played = await play(local, [names, names], { hands: 1 });
    const expected = '--- hand 1, on_end_game\nstart r0:0 e0:0 r1:3 e1:3 r2:4 e2:4 r3:5 e3:5 g3:5\n';
    expect(played.reports.map(({ log }) => log)).toEqual([expected, expected]);
  });

  it('have the values of the original platform in the classic profile', async () => {
    const script = recorder.replace('1: [(R, 25), (C, 0), (R, 450)]', '1: [(R, 25), (R, 40), (C, 0), (R, 450)]');
    const played = await play(local, [script, script], { hands: 1, profile: 'classic' });
    const calls = JSON.parse(callsOf(played.reports[0]?.log)) as [string, Record<string, unknown>][];
    expect(calls[3]?.[1]).toMatchObject({ pot: 15, min_raise: 10, max_raise: 20 });
    expect(calls[6]?.[1]).toMatchObject({ pot: 0, min_raise: 0, max_raise: 0 });
    expect(calls[7]?.[1]).toMatchObject({ pot: 160, current_bet: 120, min_raise: 120, max_raise: 240 });
  });

  it.each(['documented', 'classic'] as const)(
    'name players by ten-digit ids of the seed in every field, profile %s',
    async (profile) => {
      const script = recorder.replace('1: [(R, 25), (C, 0), (R, 450)]', '1: [(R, 25), (R, 40), (C, 0), (R, 450)]');
      const firstLine = async () => {
        const played = await play(local, [script, script], { hands: 1, profile });
        return [played.setup.seed, callsOf(played.reports[0]?.log)] as const;
      };
      const [seed, line] = await firstLine();
      const ids = playerIds(seed, 2) as [number, number];
      const calls = JSON.parse(line) as [string, ...unknown[]][];
      expect(calls[0]).toEqual(['set_id', ids[0]]);
      expect(calls[1]?.slice(4)).toEqual([ids[1], ids[0], ids]);
      const keys = ids.map(String).sort();
      for (const [name, state] of calls.slice(2) as [string, Record<string, never>][]) {
        expect(Object.keys(state.player_bets ?? {}).sort(), name).toEqual(keys);
        const actors = state.current_player as unknown as number[];
        const eligible = (state.side_pots as unknown as { eligible_players: number[] }[]).flatMap(
          ({ eligible_players }) => eligible_players,
        );
        for (const id of [...actors, ...eligible, ...Object.keys(state.player_actions ?? {}).map(Number)]) {
          expect(ids, name).toContain(id);
        }
      }
      const [, , , scores, hands] = calls.at(-1) as [string, unknown, number, object, object];
      expect(scores).toEqual({ [ids[0]]: 300, [ids[1]]: -300 });
      expect(Object.keys(hands)).toEqual([String(ids[0])]);
      expect((await firstLine())[1]).toBe(line);
    },
  );
});
