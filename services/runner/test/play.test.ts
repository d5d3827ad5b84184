import { readFileSync } from 'node:fs';
import { Action } from '@husky/holdem/action';
import { playerIds } from '@husky/match/player-ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPython, LocalHost } from '../bench/local-host.ts';
import { bot, faultsOf, matchOf, play, verify } from './table.ts';

let local: LocalHost;
beforeAll(async () => {
  local = await LocalHost.start(findPython());
});
afterAll(() => local.stop());

describe('a match', () => {
  it('of six house bots is played to its end without a fault', async () => {
    const bots = ['house', 'calling-station', 'random-legal', 'tight-aggressive', 'position-aware', 'pressure'];
    const played = await play(local, bots, { hands: 60 });
    expect(played.reports.map(({ verdict }) => verdict)).toEqual(['', '', '', '', '', '']);
    expect(played.end.handsPlayed === 60 || played.end.endedEarly !== '').toBe(true);
  });

  it('plays heads-up', async () => {
    const played = await play(local, ['house', 'tight-aggressive'], { hands: 40 });
    expect(played.end).toEqual({ handsPlayed: 40, endedEarly: '' });
    expect(played.deltas[0]).toBe(-(played.deltas[1] as number));
  });

  it('deals the same cards in every attempt, whatever the bots do', async () => {
    const seed = new Uint8Array(32).fill(99);
    const first = await play(local, ['trivial', 'trivial', 'trivial'], { hands: 10, seed });
    const second = await play(local, ['trivial', 'random-legal', 'random-legal'], { hands: 10, seed });
    const cards = (played: typeof first) =>
      verify(played).map(({ hand }) => [hand.holeCards(0), hand.holeCards(1), hand.holeCards(2), hand.deck[12]]);
    const dealt = cards(first);
    const again = cards(second);
    expect(again).toEqual(dealt.slice(0, again.length));
  });

  it('ends early when one player holds every chip, and says so', async () => {
    const allIn = bot('    def get_action(self, s, c): return PokerAction.ALL_IN, 0');
    const played = await play(local, [allIn, allIn, allIn], { hands: 500 });
    expect(played.end.handsPlayed).toBeLessThan(500);
    expect(played.end.endedEarly).toBe('one player holds every chip');
    expect(played.deltas.filter((delta) => delta === 20_000)).toHaveLength(1);
  });

  it('runs the board out when the blinds put everybody all-in', async () => {
    const played = await play(local, ['trivial', 'trivial'], { hands: 5, startingStack: 5, bigBlind: 10 });
    expect(played.end.endedEarly).toBe('one player holds every chip');
    expect(played.records[0]?.actions.map(({ kind }) => kind)).toEqual([Action.ALL_IN, Action.ALL_IN]);
  });

  it('goes on when nobody can be started: the blinds go round', async () => {
    const broken = 'from nowhere import nothing\n';
    const played = await play(local, [broken, broken, broken], { hands: 30 });
    expect(played.end.handsPlayed).toBe(30);
    expect(faultsOf(played, 0)).toEqual({ startup: 20 });
    expect(played.reports[0]?.verdict).toMatch(/^startup: .*No module named 'nowhere' \(line 1\)/);
  });

  it('can be stopped at any time, and the host is free for the next one', async () => {
    const [match] = matchOf(local, ['trivial', 'trivial'], {
      hands: 100_000,
      onHand: (number) => {
        if (number === 50) match.stop(new Error('cancelled'));
      },
    });
    await match.start();
    await expect(match.play()).rejects.toThrow('cancelled');
    expect(match.handsDone).toBeGreaterThanOrEqual(49);
    await match.close();
    await play(local, ['trivial', 'trivial'], { hands: 2 });
  });

  it('stopped while bots are loaded leaves the host free', async () => {
    const [match] = matchOf(local, ['slow-import', 'trivial']);
    const started = match.start();
    setTimeout(() => match.stop(new Error('drain')), 50);
    await expect(started).rejects.toThrow('drain');
    await match.close();
    await play(local, ['trivial', 'trivial'], { hands: 2 });
  });
});

describe('a killed seat', () => {
  it('folds for the rest of the match with the verdict crash, and the others play on', async () => {
    const played = await play(local, ['trivial', 'trivial', 'trivial', 'trivial'], {
      hands: 60,
      onHand: (number) => {
        if (number !== 10) return;
        const pid = local.seatPids().get(2);
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
      },
    });
    expect(played.end.handsPlayed).toBe(60);
    expect(Object.keys(faultsOf(played, 2))).toEqual(['crash']);
    expect(played.records[9]?.actions.every(({ fault }) => fault === undefined)).toBe(true);
    expect(played.reports[2]?.verdict).toContain('crash: the bot stopped running: ended by SIGKILL');
    for (const seat of [0, 1, 3]) expect(faultsOf(played, seat)).toEqual({});
  });
});

describe('the time', () => {
  it('of a bot that sleeps is stopped by the wall clock at three times its limit, then the bot is disabled', async () => {
    const begun = performance.now();
    const played = await play(local, ['sleeper', 'trivial', 'trivial'], {
      hands: 30,
      limits: { decisionMs: 120, freeMs: 30 },
    });
    expect(performance.now() - begun).toBeGreaterThan(360);
    expect(faultsOf(played, 0).timeout).toBe(10);
    expect(faultsOf(played, 0).disabled).toBeGreaterThan(0);
    expect(played.reports[0]?.verdict).toContain('disabled');
    expect(played.reports[0]?.cpuMs).toBeLessThan(200);
  });

  it('of a bot that computes for ever is stopped by its processor time', async () => {
    const played = await play(local, ['trivial', 'spinner'], { hands: 30, limits: { decisionMs: 200, freeMs: 30 } });
    expect(faultsOf(played, 1).timeout).toBe(10);
    expect(faultsOf(played, 0)).toEqual({});
    expect(played.reports[1]?.cpuMs).toBeGreaterThan(190);
  });

  it('that passes has a late answer thrown away, never taken for the next one', async () => {
    const played = await play(local, ['late-answer', 'trivial', 'trivial'], {
      hands: 400,
      limits: { decisionMs: 100, freeMs: 100 },
    });
    const own = played.records.flatMap(({ actions }) => actions.slice(2).filter(({ seat }) => seat === 0));
    expect(own.filter(({ kind }) => kind === Action.ALL_IN)).toEqual([]);
    expect(faultsOf(played, 0).timeout).toBeGreaterThanOrEqual(1);
    expect(faultsOf(played, 0).timeout).toBeLessThan(10);
    expect(own.filter(({ fault }) => fault === undefined).length).toBeGreaterThan(100);
  });

  it('beyond the free part is drawn from the bank; when it is empty, only the free part is left', async () => {
    const slow = bot(`    def get_action(self, s, c):
        end = time.process_time() + 0.09
        while time.process_time() < end: pass
        return PokerAction.CALL, 0`);
    const played = await play(local, [slow, 'trivial'], {
      hands: 30,
      limits: { decisionMs: 1000, freeMs: 40, bankMs: 300 },
    });
    const own = played.records.flatMap(({ actions }) => actions.slice(2).filter(({ seat }) => seat === 0));
    const firstFault = own.findIndex(({ fault }) => fault !== undefined);
    expect(own[firstFault]?.fault).toBe('timeout');
    expect(firstFault).toBeGreaterThanOrEqual(3);
    expect(firstFault).toBeLessThanOrEqual(9);
    expect(played.reports[0]?.verdict).toContain('its bank of time is used up');
  });

  it('burnt outside of a bot’s turns is drawn from its bank', async () => {
    // Hands the interpreter over at once when it is asked, so that its turns are short.
    const burner = bot(`    def __init__(self):
        super().__init__()
        sys.setswitchinterval(0.0001)
        threading.Thread(target=self.burn, daemon=True).start()
    def burn(self):
        while True: sum(range(100))`);
    const steady = bot('    def get_action(self, s, c):\n        time.sleep(0.08)\n        return PokerAction.CALL, 0');
    const played = await play(local, [burner, steady], { hands: 8, limits: { bankMs: 100, freeMs: 300 } });
    expect(played.reports[0]?.verdict).toContain('its bank of time is used up');
    expect(faultsOf(played, 1)).toEqual({});
  });

  it('cannot be burnt outside of a bot’s turns once its bank is empty: its process is stopped', async () => {
    const burner = bot(`    def __init__(self):
        super().__init__()
        sys.setswitchinterval(0.0001)
        threading.Thread(target=self.burn, daemon=True).start()
    def burn(self):
        while True: sum(range(100))`);
    const steady = bot('    def get_action(self, s, c):\n        time.sleep(0.08)\n        return PokerAction.CALL, 0');
    const states = new Set<string>();
    let pids = new Map<number, number>();
    const watch = setInterval(() => {
      for (const [seat, pid] of pids) {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        states.add(`seat ${seat} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0]}`);
      }
    }, 20);
    const played = await play(local, [burner, steady], {
      hands: 10,
      limits: { bankMs: 100, freeMs: 300 },
      onHand: (number) => {
        if (number === 1) pids = local.seatPids();
        if (number === 10) clearInterval(watch);
      },
    });
    expect(states).toContain('seat 0 T');
    expect(states).not.toContain('seat 1 T');
    expect(played.end.handsPlayed).toBe(10);
    expect([faultsOf(played, 0), faultsOf(played, 1)]).toEqual([{}, {}]);
  }, 60_000);
});

describe('what bots are told', () => {
  const teller = bot(
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

  it('is the hand of the documentation, call by call', async () => {
    // Seat 0 is the small blind of hand 1, heads-up on the button.
    const script = teller.replace('1: [(R, 25), (C, 0), (R, 450)]', '1: [(R, 25), (R, 40), (C, 0), (R, 450)]');
    const played = await play(local, [script, script], { hands: 1 });
    const log = played.reports[0]?.log ?? '';
    const [first, second] = playerIds(played.setup.seed, 2).map(String) as [string, string];
    const numbered = (log.split('\n')[0] ?? '').replaceAll(first, '1').replaceAll(second, '2');
    const calls = JSON.parse(numbered) as [string, ...unknown[]][];
    expect(calls.map(([name]) => name)).toEqual([
      ...['set_id', 'on_start', 'on_round_start', 'get_action', 'on_end_round'],
      ...['on_round_start', 'get_action', 'get_action', 'on_end_round'],
      ...['on_round_start', 'get_action', 'on_end_round', 'on_end_game'],
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

  it('includes the streets that are only dealt after an all-in, and the last calls of a bot without chips', async () => {
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
    const expected = 'start r0:0 e0:0 r1:3 e1:3 r2:4 e2:4 r3:5 e3:5 g3:5\n';
    expect(played.reports.map(({ log }) => log)).toEqual([expected, expected]);
  });

  it('in the classic profile are the observed values', async () => {
    const script = teller.replace('1: [(R, 25), (C, 0), (R, 450)]', '1: [(R, 25), (R, 40), (C, 0), (R, 450)]');
    const played = await play(local, [script, script], { hands: 1, profile: 'classic' });
    const calls = JSON.parse(played.reports[0]?.log.split('\n')[0] ?? '') as [string, Record<string, unknown>][];
    expect(calls[3]?.[1]).toMatchObject({ pot: 15, min_raise: 10, max_raise: 20 });
    expect(calls[6]?.[1]).toMatchObject({ pot: 0, min_raise: 0, max_raise: 0 });
    expect(calls[7]?.[1]).toMatchObject({ pot: 160, current_bet: 120, min_raise: 120, max_raise: 240 });
  });

  it.each(['documented', 'classic'] as const)(
    'names players by ten-digit numbers of the seed in every field, profile %s',
    async (profile) => {
      const script = teller.replace('1: [(R, 25), (C, 0), (R, 450)]', '1: [(R, 25), (R, 40), (C, 0), (R, 450)]');
      const told = async () => {
        const played = await play(local, [script, script], { hands: 1, profile });
        return [played.setup.seed, played.reports[0]?.log.split('\n')[0] ?? ''] as const;
      };
      const [seed, line] = await told();
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
      expect((await told())[1]).toBe(line);
    },
  );
});
