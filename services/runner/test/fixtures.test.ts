import { Action } from '@husky/holdem/action';
import { afterAll, describe, expect, it } from 'vitest';
import { findPython, LocalHost } from '../bench/local-host.ts';
import { bot, faultsOf, type Played, play } from './table.ts';

const local = await LocalHost.start(findPython());
afterAll(() => local.stop());

function expectOthersUnharmed(played: Played, ...seats: readonly number[]): void {
  for (const seat of seats) {
    expect(faultsOf(played, seat)).toEqual({});
    expect(played.reports[seat]?.verdict).toBe('');
  }
}

describe('a fixture bot', () => {
  it('that throws TypeError after the flop folds from the flop on and plays before it', async () => {
    const played = await play(local, ['type-error-postflop', 'trivial', 'trivial'], { hands: 20 });
    expectOthersUnharmed(played, 1, 2);
    const faulty = played.records.flatMap(({ actions }) => actions.filter(({ fault }) => fault !== undefined));
    expect(faulty.length).toBeGreaterThan(5);
    expect(faulty.every(({ street, fault, kind }) => street > 0 && fault === 'exception' && kind === Action.FOLD)).toBe(
      true,
    );
    expect(faulty[0]?.detail).toMatch(/^TypeError: /);
    expect(played.reports[0]?.log).toContain('Traceback');
  });

  it('that throws IndexError in each decision is disabled after ten in a row', async () => {
    const played = await play(local, ['index-error-preflop', 'trivial', 'trivial'], { hands: 40 });
    expectOthersUnharmed(played, 1, 2);
    expect(faultsOf(played, 0)).toMatchObject({ exception: 10 });
    expect(faultsOf(played, 0).disabled).toBeGreaterThan(10);
    expect(played.reports[0]?.faults).toBe(10);
    expect(local.seatPids().size).toBe(0);
  });

  it('that overwrites its id still gets its own cards', async () => {
    const played = await play(local, ['trivial', 'overwrites-id', 'trivial'], { hands: 10 });
    expectOthersUnharmed(played, 0, 2);
    expect(played.reports[1]?.verdict).not.toContain('disabled');
  });

  it('that raises by fractions of a chip has them truncated', async () => {
    const played = await play(local, ['float-amounts', 'trivial', 'trivial'], { hands: 20 });
    expectOthersUnharmed(played, 0, 1, 2);
    const raises = played.records.flatMap(({ actions }) =>
      actions.slice(2).filter(({ seat, kind }) => seat === 0 && kind === 4),
    );
    expect(raises.length).toBeGreaterThan(0);
    expect(raises.every(({ amount }) => Number.isInteger(amount))).toBe(true);
  });

  it('that returns invalid values has a fault for each and is never disabled', async () => {
    const played = await play(local, ['garbage-answers', 'trivial', 'trivial'], { hands: 150 });
    expectOthersUnharmed(played, 1, 2);
    const faults = faultsOf(played, 0);
    expect((faults.exception ?? 0) + (faults.illegal ?? 0)).toBeGreaterThanOrEqual(15);
    expect(faults.disabled).toBeUndefined();
  });

  it('that calls sys.exit has an exception fault each time', async () => {
    const played = await play(local, ['exits-sys', 'trivial', 'trivial'], { hands: 20 });
    expectOthersUnharmed(played, 1, 2);
    expect(faultsOf(played, 0).exception).toBe(10);
  });

  it.each([
    'exits-os',
    bot('    def get_action(self, s, c): os._exit(94)'),
    bot("    def get_action(self, s, c): __import__('ctypes').string_at(0)"),
  ])('that ends its process folds to the end (%#)', async (given) => {
    const played = await play(local, [given, 'trivial', 'trivial'], { hands: 20 });
    expectOthersUnharmed(played, 1, 2);
    expect(played.end.handsPlayed).toBe(20);
    expect(faultsOf(played, 0).crash).toBeGreaterThan(0);
    expect(played.reports[0]?.verdict).toMatch(/^crash: /);
  });

  it.each(['memory-hog', 'memory-hog-shared'])(
    'that takes too much memory is stopped or gets a MemoryError: %s',
    async (given) => {
      const played = await play(local, [given, 'trivial', 'trivial'], { hands: 40 });
      expectOthersUnharmed(played, 1, 2);
      const faults = faultsOf(played, 0);
      const refused = played.reports[0]?.log.includes('no more memory') ?? false;
      expect(refused || (faults.memory ?? 0) + (faults.exception ?? 0) > 0).toBe(true);
      expect(played.reports[0]?.peakKib).toBeLessThan(600 << 10);
    },
  );

  it('that floods its output delays nobody, and its log is bounded', async () => {
    const played = await play(local, ['output-flooder', 'trivial', 'trivial'], { hands: 30 });
    expectOthersUnharmed(played, 1, 2);
    expect(played.reports[0]?.log.length).toBeLessThan(70_000);
  });

  it('that is not ready in time folds from the start', async () => {
    const played = await play(local, ['slow-import', 'trivial', 'trivial'], { hands: 6, limits: { startupMs: 300 } });
    expectOthersUnharmed(played, 1, 2);
    expect(Object.keys(faultsOf(played, 0))).toEqual(['startup']);
    expect(played.reports[0]?.verdict).toContain('not ready after 0.3 s');
  });

  it('that attacks its neighbours fails in every attempt', async () => {
    const played = await play(local, ['killer', 'trivial', 'trivial'], { hands: 10 });
    expectOthersUnharmed(played, 1, 2);
    expect(played.reports[0]?.log).toContain('refused');
    expect(played.reports[0]?.log).not.toContain('DONE');
  });
});

describe('a bot that writes to the connection of the dealer', () => {
  const link = `
import socket, stat
def link():
    for fd in range(3, 300):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode): return fd
        except OSError: pass
`;
  const cases: [string, string, string][] = [
    ['a reply to a future question', "os.write(link(), b'[9999,5,0]\\n')", 'protocol'],
    ['a line that is not JSON', "os.write(link(), b'hello\\n')", 'protocol'],
    ['an endless line', "os.write(link(), b'x' * 20000)", 'protocol'],
    ['nothing more, since it closes the connection', 'os.close(link())', 'crash'],
  ];
  it.each(cases)('and sends %s is stopped', async (_, statement, fault) => {
    const source = bot(
      `    def get_action(self, s, c):\n        ${statement}\n        return PokerAction.CALL, 0`,
      link,
    );
    const played = await play(local, [source, 'trivial', 'trivial'], { hands: 10 });
    expectOthersUnharmed(played, 1, 2);
    expect(Object.keys(faultsOf(played, 0))).toEqual([fault]);
  });

  it('during its start has a startup fault', async () => {
    const source = bot('', `${link}\nos.write(link(), b'{"ready":true,"load_ms":1,"skips":[]}\\n[1,5,0]\\n')`);
    const played = await play(local, [source, 'trivial', 'trivial'], { hands: 10 });
    expectOthersUnharmed(played, 1, 2);
    expect(played.reports[0]?.verdict).not.toBe('');
  });
});
