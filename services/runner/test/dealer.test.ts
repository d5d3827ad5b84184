import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { findPython, LocalHost } from '../bench/local-host.ts';
import { DealerProcess } from './dealer-process.ts';
import { Services } from './services.ts';
import { bot } from './table.ts';

let services: Services;
let local: LocalHost;
let dealer: DealerProcess;
/** False once a test has ended dealer, seat host or services; the next test starts them again. */
let started = false;

async function begin(): Promise<void> {
  services = await Services.start();
  local = await LocalHost.start(findPython());
  // The dealer has the only connection: a match belongs to the connection that opened it.
  local.host.disconnect();
  dealer = new DealerProcess(local.runDir, services);
  started = true;
}

async function end(): Promise<void> {
  if (!started) return;
  started = false;
  await dealer.stop();
  await local.stop();
  await services.stop();
}

beforeEach(async () => {
  if (!started) await begin();
});
afterAll(end);

const thinker = bot('    def get_action(self, s, c):\n        time.sleep(0.01)\n        return PokerAction.CALL, 0');

describe('the dealer', () => {
  it('plays one match after another and delivers each completely', async () => {
    const first = await services.order({ bots: ['house', 'random-legal', 'pressure'], hands: 150 });
    await services.until(() => first.completed !== null);
    expect(first.completed?.handsPlayed).toBe(first.hands);
    expect(first.reports.map(({ seat, verdict }) => [seat, verdict])).toEqual([
      [0, ''],
      [1, ''],
      [2, ''],
    ]);
    expect(first.heartbeats.some(({ state }) => state === 'ACTIVE')).toBe(true);
    const second = await services.order({ bots: ['index-error-preflop', 'trivial'], hands: 20 });
    await services.until(() => second.completed !== null);
    expect(second.completed).toMatchObject({ handsPlayed: 20, endedEarly: '' });
    expect(second.reports[0]).toMatchObject({ seat: 0, faults: 10 });
    expect(second.reports[0]?.verdict).toMatch(/^disabled: /);
    expect(second.reports[0]?.log).toContain('IndexError');
    expect([first.loss, first.handedBack, second.loss, second.handedBack]).toEqual([null, null, null, null]);
    await services.until(() => services.totals?.matches === 2);
    expect(services.totals).toMatchObject({ hands: first.hands + 20, seatKills: [{ reason: 'disabled', count: 1 }] });
    expect(services.totals?.acts).toBeGreaterThan(first.hands);
    expect(services.totals?.playMs).toBeGreaterThan(0);
    expect(services.totals?.sandbox).toMatchObject({
      means: expect.arrayContaining(['seccomp', 'limits']),
      missing: [],
    });
  });

  const lucky = bot(
    '    def get_action(self, s, c):\n        import random\n        return random.choice([*{PokerAction.CALL, PokerAction.FOLD}, PokerAction.ALL_IN]), 0',
  );
  const playedOnce = async (bots: readonly string[], hands: number) => {
    const match = await services.order({ bots, hands, stacks: 'reset' });
    await services.until(() => match.completed !== null);
    return match;
  };
  const outcomeOf = async (match: Awaited<ReturnType<typeof playedOnce>>) => {
    const ended = () => match.repeated.find(({ outcome }) => outcome !== '');
    await services.until(() => ended() !== undefined);
    return ended();
  };

  it('repeats a finished match while it has none, and reports that all acts are equal', async () => {
    const match = await playedOnce([lucky, lucky, 'pressure'], 150);
    services.repeat(match);
    expect(await outcomeOf(match)).toMatchObject({ outcome: 'equal' });
    expect([match.hands, match.reports.length]).toEqual([150, 3]);
  });

  it('reports the first act of a repetition that differs, and one that cannot be compared', async () => {
    const match = await playedOnce([lucky, lucky], 40);
    const [act] = match.acts[20]?.slice(-1) ?? [];
    match.acts[20] = [
      ...(match.acts[20] ?? []).slice(0, -1),
      { ...act, verdict: 'timeout' } as NonNullable<typeof act>,
    ];
    services.repeat(match);
    expect(await outcomeOf(match)).toMatchObject({
      outcome: 'different',
      hand: 21,
      act: match.acts[20].length,
      byLimit: true,
    });
    const other = await playedOnce(['pressure', 'trivial'], 5);
    services.repeat(other, 'f'.repeat(64));
    expect(await outcomeOf(other)).toMatchObject({ outcome: 'not_compared', cause: expect.stringMatching(/\S/) });
  });

  it('leaves a repetition at once when a match waits for the runner, or simulation says so', async () => {
    const slow = await playedOnce([thinker, thinker], 30);
    const before = services.repetitions;
    services.repeat(slow);
    await services.until(() => services.repetitions > before);
    const user = await services.order({ bots: ['trivial', 'trivial'], hands: 5 });
    await services.until(() => user.completed !== null);
    expect(await outcomeOf(slow)).toMatchObject({ outcome: 'stopped' });
    services.repeat(slow);
    services.cancelled = true;
    slow.repeated.length = 0;
    const outcome = await outcomeOf(slow);
    services.cancelled = false;
    expect(outcome).toMatchObject({ outcome: 'stopped' });
  });

  it('takes the times of the attempt and its hands from simulation’s clock, which also dates the commitment', async () => {
    const nowMs = Date.UTC(2031, 4, 1);
    const match = await services.order({ bots: ['trivial', 'trivial'], hands: 20, nowMs });
    await services.until(() => match.completed !== null);
    expect(match.startsMs).toHaveLength(21);
    expect(match.startsMs).toEqual(match.startsMs.toSorted((a, b) => a - b));
    expect(match.startsMs[0]).toBeGreaterThanOrEqual(nowMs);
    expect(match.startsMs[20]).toBeLessThan(nowMs + 24 * 3_600_000);
  });

  it('plays when a replica of live-data has opened the attempt that knows the rules of the match', async () => {
    services.earlierReplicas = 2;
    const match = await services.order({ bots: ['trivial', 'trivial'], hands: 5 });
    await services.until(() => match.completed !== null);
    expect(services.earlierReplicas).toBe(-1);
    expect([match.loss, match.handedBack]).toEqual([null, null]);
  });

  it('delivers all hands of a match of reset stacks', async () => {
    const allIn = bot('    def get_action(self, s, c): return PokerAction.ALL_IN, 0');
    const match = await services.order({ bots: [allIn, allIn, allIn], hands: 150, stacks: 'reset' });
    await services.until(() => match.completed !== null);
    expect(match.completed).toMatchObject({ handsPlayed: 150, endedEarly: '' });
    expect(match.hands).toBe(150);
  });

  it('reports why a match ended early', async () => {
    const allIn = bot('    def get_action(self, s, c): return PokerAction.ALL_IN, 0');
    const received = await services.order({ bots: [allIn, allIn], hands: 400 });
    await services.until(() => received.completed !== null);
    expect(received.completed?.endedEarly).toBe('one player holds every chip');
    expect(received.completed?.handsPlayed).toBeLessThan(400);
  });

  it.each(['UNAVAILABLE', 'INTERNAL'] as const)(
    'delivers all hands in order while live-data answers %s for a time',
    async (failure) => {
      services.failure = failure;
      services.failing = 5;
      const received = await services.order({ bots: ['trivial', 'trivial'], hands: 300 });
      await services.until(() => received.hands > 0);
      services.failing = 3;
      await services.until(() => received.completed !== null);
      expect(received.completed?.handsPlayed).toBe(300);
      expect(received.loss).toBeNull();
    },
  );

  it('stops at once when the match is cancelled, and claims the next one', async () => {
    const received = await services.order({ bots: [thinker, thinker], hands: 100_000 });
    services.cancelled = true;
    await dealer.waitForLine('the match was cancelled: deleted by its owner');
    services.cancelled = false;
    const next = await services.order({ bots: ['trivial', 'trivial'], hands: 5 });
    await services.until(() => next.completed !== null);
    expect([received.completed, received.handedBack, received.loss]).toEqual([null, null, null]);
    expect(local.seatPids().size).toBe(0);
  });

  it('hands its match back and ends its seats on SIGTERM', async () => {
    const received = await services.order({ bots: [thinker, thinker], hands: 100_000 });
    await services.until(() => received.hands > 0);
    dealer.process.kill('SIGTERM');
    expect(await dealer.ended).toBe(0);
    expect(received.handedBack).toBe('drain');
    expect([received.completed, received.loss]).toEqual([null, null]);
    expect(local.seatPids().size).toBe(0);
    await end();
  });

  it('hands its match back when its lifeline is closed', async () => {
    const received = await services.order({ bots: [thinker, thinker], hands: 100_000 });
    await services.until(() => received.hands > 0);
    expect(await dealer.stop()).toBe(0);
    expect(received.handedBack).toBe('drain');
    await end();
  });

  it('reports a bot-suspect loss when the seat host dies, then continues with a new one', async () => {
    const received = await services.order({ bots: [thinker, thinker, thinker], hands: 100_000 });
    await services.until(() => received.hands > 0);
    local.process.kill('SIGKILL');
    await services.until(() => received.loss !== null);
    expect(received.loss).toMatchObject({ botSuspect: true });
    expect(received.loss?.cause).toContain('the seat host is lost');
    expect(received.loss?.usage.map(({ seat }) => seat)).toEqual([0, 1, 2]);
    const again = await LocalHost.start(findPython(), [], local.runDir);
    again.host.disconnect();
    const next = await services.order({ bots: ['trivial', 'trivial'], hands: 5 });
    await services.until(() => next.completed !== null);
    await end();
    await again.stop();
  });

  it('abandons its match when no heartbeat succeeds for the length of the lease', async () => {
    services.leaseSeconds = 2;
    const received = await services.order({ bots: [thinker, thinker], hands: 100_000 });
    await services.until(() => received.hands > 0);
    await services.stop();
    await dealer.waitForLine('match abandoned: the lease ran out');
    await dealer.waitForLine('no match can be claimed');
    expect(local.seatPids().size).toBe(0);
    await end();
  });

  it('reports a loss that is not bot-suspect when a bot cannot be fetched', async () => {
    const received = await services.order({ bots: ['no-such-bot', 'trivial'], hands: 10 });
    await services.until(() => received.loss !== null);
    expect(received.loss).toMatchObject({ botSuspect: false, cause: 'No such bot.' });
  });

  it('gives bots the packages of their archive', async () => {
    services.packages.set('a'.repeat(64), await archive({ 'lucky.py': 'NUMBER = 7\n' }));
    const user = bot(
      '    def get_action(self, s, c): return PokerAction.CALL, 0',
      'import lucky\nprint("lucky", lucky.NUMBER)',
    );
    const received = await services.order({ bots: [user, 'trivial'], hands: 5, packagesHash: 'a'.repeat(64) });
    await services.until(() => received.completed !== null);
    expect(received.reports[0]?.log).toContain('lucky 7');
  });

  it('hands a match back with the seats whose archive is damaged, without a loss', async () => {
    services.packages.set('b'.repeat(64), Buffer.from('no archive at all'.repeat(50)));
    const received = await services.order({ bots: ['trivial', 'trivial'], hands: 5, packagesHash: 'b'.repeat(64) });
    await services.until(() => received.handedBack !== null);
    expect([received.loss, received.completed]).toEqual([null, null]);
    expect(received.handedBack).toContain('packages could not be fetched: seat 1: the package archive is damaged');
    const cause = expect.stringContaining('the package archive is damaged');
    expect(received.unfetched).toMatchObject([
      { seat: 0, cause },
      { seat: 1, cause },
    ]);
    await dealer.waitForLine('packages could not be fetched: the package archive is damaged');
  });

  it('hands a match back when it cannot store packages, without a path of this machine, and lets others claim it first', async () => {
    const folder = join(local.runDir, 'packages');
    renameSync(folder, `${folder}-moved`);
    writeFileSync(folder, '');
    const packagesHash = 'c'.repeat(64);
    services.packages.set(packagesHash, await archive({ 'lucky.py': 'NUMBER = 7\n' }));
    const received = await services.order({ bots: ['trivial', 'trivial'], hands: 5, packagesHash });
    await services.until(() => received.handedBack !== null);
    expect([received.loss, received.completed]).toEqual([null, null]);
    expect(received.unfetched.map(({ cause }) => cause)).toEqual(Array(2).fill('the runner failed with EEXIST'));
    await dealer.waitForLine('no match can be claimed: the runner failed with EEXIST');
    rmSync(folder);
    renameSync(`${folder}-moved`, folder);
    const again = await services.order({ bots: ['trivial', 'trivial'], hands: 5, packagesHash });
    await services.until(() => again.completed !== null);
  });

  it('treats a seat with unfetchable packages as a bot that could not be started', async () => {
    const given = 'its packages could not be brought to a runner in 3 tries: it is too large';
    const received = await services.order({
      bots: ['trivial', 'trivial', 'trivial'],
      hands: 10,
      unfetchable: ['', given],
    });
    await services.until(() => received.completed !== null);
    expect(received.completed?.handsPlayed).toBe(10);
    expect(received.reports.map(({ verdict }) => verdict.replace(/; .*/, ''))).toEqual([
      '',
      `startup: the bot could not be started: ${given}`,
      '',
    ]);
    const alone = await services.order({ bots: ['trivial', 'trivial'], hands: 4, unfetchable: [given, given] });
    await services.until(() => alone.completed !== null);
    expect(alone.completed?.handsPlayed).toBe(4);
  });
});

describe('a dealer with an incomplete sandbox', () => {
  it('claims no match and reports what is missing', async () => {
    await dealer.stop();
    const runDir = mkdtempSync(join(tmpdir(), 'husky-run-'));
    const requested: string[] = [];
    const host = createServer((socket) => {
      socket.on('data', (data) => {
        const { id, op } = JSON.parse(data.toString()) as { id: number; op: string };
        requested.push(op);
        const sandbox = { seccomp: false, landlock: 0, own_uid: false, missing: ['seccomp: none'], lacking: [] };
        socket.write(`${JSON.stringify({ id, ok: true, python: '3.11.2', abi: 'x', sandbox, strangers: true })}\n`);
      });
      socket.on('error', () => socket.destroy());
    }).listen(join(runDir, 'host.sock'));
    const received = await services.order({ bots: ['trivial', 'trivial'], hands: 5 });
    dealer = new DealerProcess(runDir, services);
    await dealer.waitForLine(
      'sandbox is incomplete (seccomp: none): matches are refused unless ALLOW_STRANGERS_WITHOUT_SANDBOX is true',
    );
    expect(received.opened).toBe(false);
    await dealer.stop();
    dealer = new DealerProcess(runDir, services, { ALLOW_STRANGERS_WITHOUT_SANDBOX: 'true' });
    await dealer.waitForLine('bots run in an incomplete sandbox: seccomp: none');
    await dealer.stop();
    host.close();
    rmSync(runDir, { recursive: true });
    expect(new Set(requested)).toContain('hello');
  });
});

async function archive(files: Record<string, string>): Promise<Buffer> {
  const packed = pack();
  for (const [name, text] of Object.entries(files)) packed.entry({ name }, text);
  packed.finalize();
  const parts: Buffer[] = [];
  for await (const part of packed.pipe(createGzip())) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
