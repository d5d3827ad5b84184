import { readFileSync } from 'node:fs';
import { Action } from '@husky/holdem/action';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPython, LocalHost } from '../bench/local-host.ts';
import { bot, faultsOf, type Played, play } from './table.ts';

const local = await LocalHost.start(findPython());
afterAll(() => local.stop());

describe('the time limit', () => {
  it('ends decisions of a sleeping bot after three times the limit in wall time, then the bot is disabled', async () => {
    const played = await play(local, ['sleeper', 'trivial', 'trivial'], {
      hands: 30,
      limits: { decisionMs: 120, freeMs: 30 },
    });
    // Wall time by the dealer's clock: three times the limit.
    expect(played.reports[0]?.details.times?.maxMs).toBeGreaterThan(3 * 120);
    expect(faultsOf(played, 0).timeout).toBe(10);
    expect(faultsOf(played, 0).disabled).toBeGreaterThan(0);
    expect(played.reports[0]?.verdict).toContain('disabled');
    expect(played.reports[0]?.cpuMs).toBeLessThan(200);
  });

  it('ends decisions of a computing bot by its processor time', async () => {
    const played = await play(local, ['trivial', 'spinner'], { hands: 30, limits: { decisionMs: 200, freeMs: 30 } });
    expect(faultsOf(played, 1).timeout).toBe(10);
    expect(faultsOf(played, 0)).toEqual({});
    expect(played.reports[1]?.cpuMs).toBeGreaterThan(190);
  });

  it('discards a late reply and never takes it for the next one', async () => {
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

  it('draws time beyond the free time from the bank; with an empty bank only the free time is left', async () => {
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

  // The burning thread releases the interpreter lock quickly, so that the bot's turns are short.
  const burner = bot(`    def __init__(self):
        super().__init__()
        sys.setswitchinterval(0.0001)
        threading.Thread(target=self.burn, daemon=True).start()
    def burn(self):
        while True: sum(range(100))`);
  const steady = bot('    def get_action(self, s, c):\n        time.sleep(0.08)\n        return PokerAction.CALL, 0');

  it('draws processor time used outside of a bot’s turns from its bank', async () => {
    const played = await play(local, [burner, steady], { hands: 24, limits: { bankMs: 100 } });
    expect(played.reports[0]?.verdict).toContain('its bank of time is used up');
    expect(faultsOf(played, 1)).toEqual({});
  });

  it('stops the process of a bot that computes outside of its turns', async () => {
    const states = new Set<string>();
    let pids = new Map<number, number>();
    const timer = setInterval(() => {
      for (const [seat, pid] of pids) {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        states.add(`seat ${seat} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0]}`);
      }
    }, 20);
    const played = await play(local, [burner, steady], {
      hands: 24,
      onHand: (number) => {
        if (number === 1) pids = local.seatPids();
        if (number === 24) clearInterval(timer);
      },
    });
    expect(states).toContain('seat 0 T');
    expect(states).not.toContain('seat 1 T');
    expect(played.end.handsPlayed).toBe(24);
    expect([faultsOf(played, 0), faultsOf(played, 1)]).toEqual([{}, {}]);
  }, 60_000);
});

describe('an honest bot beside five hostile ones', () => {
  const folds = '        return PokerAction.FOLD, 0';
  const burn = `
import hashlib
def compute():
    while True: hashlib.pbkdf2_hmac('sha256', b'', b'', 1 << 18)
def burn(threads):
    threading.stack_size(1 << 17)
    for _ in range(threads): threading.Thread(target=compute, daemon=True).start()
def churn():
    while True:
        thread = threading.Thread(target=hashlib.pbkdf2_hmac, args=('sha256', b'', b'', 2000))
        thread.start()
        thread.join()
`;
  const work = (seconds: number) => `end = time.process_time() + ${seconds}
        while time.process_time() < end: pass`;
  const honest = bot(
    `    def get_action(self, s, c):
        ${work(0.15)}
        return PokerAction.CALL, 0
    def on_end_game(self, *a):
        ${work(0.2)}
        print('over')`,
    'end = time.process_time() + 0.4\nwhile time.process_time() < end: pass',
  );
  /** A bot that folds, with statements at the start of its file, of a method, and of its decisions. */
  const hostile = ({ load = 'pass', on = 'pass', act = 'pass', method = 'on_start' }) =>
    bot(
      `    def ${method}(self, *a):
        ${on}
    def get_action(self, s, c):
        ${act}
${folds}`,
      `${burn}\n${load}`,
    );
  const tables: [string, string[]][] = [
    [
      'load without end',
      [
        hostile({ load: 'compute()' }),
        hostile({ load: 'burn(31); compute()' }),
        hostile({ load: 'burn(31); os.write(60, b\'{"ready":false,"error":"x"}\\n\'); time.sleep(99)' }),
        hostile({ load: 'burn(31); os.close(60); compute()' }),
        hostile({ load: 'time.sleep(99)' }),
      ],
    ],
    [
      'are ready and compute in threads',
      [
        hostile({ load: 'burn(1)' }),
        hostile({ load: 'burn(31)' }),
        hostile({ load: 'burn(31)' }),
        hostile({ load: 'threading.Thread(target=churn, daemon=True).start()' }),
        hostile({ act: 'burn(30) if threading.active_count() == 1 else None' }),
      ],
    ],
    [
      'do not return from callbacks and decisions',
      [
        hostile({ on: 'burn(31); compute()' }),
        hostile({ on: 'compute()', method: 'on_round_start' }),
        hostile({ act: 'burn(31); compute()' }),
        hostile({ act: 'time.sleep(99)' }),
        hostile({ on: 'burn(31); compute()', method: 'on_end_game' }),
      ],
    ],
  ];
  const options = {
    hands: 4,
    limits: { startupMs: 1500, decisionMs: 400, bankMs: 3000, freeMs: 100, faultsToDisable: 3 },
  };
  let quiet: Played;
  beforeAll(async () => {
    quiet = await play(local, [honest, ...Array<string>(5).fill(hostile({}))], options);
  }, 60_000);

  it.each(tables)(
    'loads, plays and ends as at a quiet table when they %s',
    async (_, others) => {
      const played = await play(local, [honest, ...others], options);
      const [own, atQuietTable] = [played.reports[0], quiet.reports[0]];
      expect(own).toMatchObject({
        verdict: '',
        faults: 0,
        log: expect.stringMatching(/^(--- hand \d, on_end_game\nover\n){4}$/),
      });
      expect(played.records.map(({ deltas }) => deltas[0])).toEqual(quiet.records.map(({ deltas }) => deltas[0]));
      const used = atQuietTable?.details.bankUsedMs ?? 0;
      expect(used).toBeGreaterThan(0);
      expect(own?.details.bankUsedMs).toBeLessThan(1.5 * used);
      // What it can use between two samples of a second on each of two processors comes on top.
      for (const { cpuMs } of played.reports) expect(cpuMs).toBeLessThan(1500 + 3000 + 4 * 4 * 100 + 1000 + 2000);
    },
    300_000,
  );
});
