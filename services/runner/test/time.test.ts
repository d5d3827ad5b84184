import { readFileSync } from 'node:fs';
import { Action } from '@husky/holdem/action';
import { afterAll, describe, expect, it } from 'vitest';
import { findPython, LocalHost } from '../bench/local-host.ts';
import { bot, faultsOf, play } from './table.ts';

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
    const played = await play(local, [burner, steady], { hands: 8, limits: { bankMs: 100, freeMs: 300 } });
    expect(played.reports[0]?.verdict).toContain('its bank of time is used up');
    expect(faultsOf(played, 1)).toEqual({});
  });

  it('stops the process of a bot that computes outside of its turns with an empty bank', async () => {
    const states = new Set<string>();
    let pids = new Map<number, number>();
    const timer = setInterval(() => {
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
        if (number === 10) clearInterval(timer);
      },
    });
    expect(states).toContain('seat 0 T');
    expect(states).not.toContain('seat 1 T');
    expect(played.end.handsPlayed).toBe(10);
    expect([faultsOf(played, 0), faultsOf(played, 1)]).toEqual([{}, {}]);
  }, 60_000);
});
