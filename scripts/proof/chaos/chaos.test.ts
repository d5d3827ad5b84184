import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readChaos } from '../../up/chaos.ts';
import { CannotStart } from '../../up/preflight.ts';
import { Caller } from './caller.ts';
import { checkHistory } from './check-history.ts';
import { Clocks, clockFileOf, setClock } from './clocks.ts';
import { createSchedule, describeFault } from './faults.ts';
import { History } from './history.ts';
import { watchMatch } from './watcher.ts';

describe('caller', () => {
  let platform: Server;
  let history: History;
  let caller: Caller;

  beforeEach(async () => {
    // Resets each connection: in the middle of a response, of the second hand of a stream, or without a response.
    platform = createServer((request, response) => {
      const reset = () => void request.socket.resetAndDestroy();
      if (request.url?.startsWith('/admin')) return reset();
      if (!request.url?.endsWith('/events')) return response.writeHead(200, { 'content-length': 99 }).write('{', reset);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.write('id: 1:1\nevent: hand\ndata: {}\n\nid: 1:2\nevent: hand\nda', () => setTimeout(reset, 50));
    });
    await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
    const address = platform.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    history = new History();
    caller = new Caller(`http://127.0.0.1:${address.port}`, history);
  });

  afterEach(async () => {
    platform.closeAllConnections();
    await new Promise((resolve) => platform.close(resolve));
  });

  const outcomes = () => history.calls.map(({ call, outcome, status }) => [call, outcome, status]);

  test('records a call whose response is cut as unknown, which is no violation', async () => {
    await caller.send('POST', '/submission/upload', {}, () => ({ call: 'upload', user: 'ada' }));
    expect(await caller.download('/live/job/j/download')).toMatchObject({ status: 0 });
    await caller.send('POST', '/admin/toggle-job-public/j', {}, () => ({ call: 'make-public', jobId: 'j' }));
    expect(outcomes()).toEqual([
      ['upload', 'unknown', 0],
      ['other', 'unknown', 0],
      ['make-public', 'unknown', 0],
    ]);
    expect(checkHistory(history.calls)).toEqual([]);
  });

  test('keeps the complete hands of a watch whose stream is cut', async () => {
    const stop = new AbortController();
    const watching = watchMatch({ anonymous: caller, history }, 'j', stop.signal);
    await expect.poll(outcomes).toEqual([['watch', 'unknown', 200]]);
    stop.abort();
    await watching;
    expect(history.calls[0]).toMatchObject({ after: '0:0', hands: ['1:1'] });
    expect(checkHistory(history.calls)).toEqual([]);
  });
});

// Moves the clock of a real Node.js process while it runs.
describe('clocks', () => {
  const clocks = Clocks.open();
  const hourS = 3600;

  // Prints its time and its monotonic clock for each line that it reads.
  const program = `require('node:readline').createInterface({ input: process.stdin })
  .on('line', () => console.log(JSON.stringify({ atMs: Date.now(), monotonicMs: performance.now() })))`;

  test.skipIf(typeof clocks === 'string')(
    `moves the clock of one process forward and back, and not its monotonic clock${typeof clocks === 'string' ? ` (skipped: ${clocks})` : ''}`,
    async () => {
      if (typeof clocks === 'string') return;
      onTestFinished(() => clocks.remove());
      const env = { ...process.env, ...readChaos(JSON.stringify({ clocks: clocks.settings })).clockOf('gateway') };
      const child = spawn(process.execPath, ['-e', program], { env, stdio: ['pipe', 'pipe', 'inherit'] });
      onTestFinished(() => void child.kill());
      const lines = createInterface({ input: child.stdout });
      const read = async (): Promise<{ atMs: number; monotonicMs: number }> => {
        child.stdin.write('\n');
        const [line] = await once(lines, 'line');
        return JSON.parse(line);
      };
      const aheadH = async () => Math.round(((await read()).atMs - Date.now()) / hourS / 1000);
      const first = await read();
      const file = clockFileOf(child.pid ?? 0) ?? '';
      for (const hours of [3, -2, 0]) {
        setClock(file, hours * hourS);
        await expect.poll(aheadH, { timeout: 60_000 }).toBe(hours);
      }
      const last = await read();
      expect(last.monotonicMs - first.monotonicMs).toBeLessThan(hourS * 1000);
      expect(last.monotonicMs).toBeGreaterThan(first.monotonicMs);
      expect(clockFileOf(process.pid)).toBeUndefined();
    },
  );

  test('gives each part and each dealer its own clock', () => {
    const { clockOf } = readChaos('{"clocks":{"library":"/lib/faketime.so","folder":"/tmp/clocks"}}');
    expect(clockOf('auth').FAKETIME_TIMESTAMP_FILE).toBe('/tmp/clocks/auth');
    expect(clockOf('auth')).not.toHaveProperty('DEALER_VARIABLES');
    expect(JSON.parse(clockOf('pool').DEALER_VARIABLES ?? '')).toMatchObject({
      FAKETIME_TIMESTAMP_FILE: '/tmp/clocks/dealer-{number}',
    });
  });
});

test('gives a pair of parts the configured address, and all others the direct one', () => {
  const { routeOf } = readChaos('{"routes":{"simulation postgres":"127.0.0.1:5000"}}');
  expect(routeOf('simulation', 'postgres', '127.0.0.1:1')).toBe('127.0.0.1:5000');
  expect(routeOf('auth', 'postgres', '127.0.0.1:1')).toBe('127.0.0.1:1');
});

test('changes nothing without CHAOS, and refuses what it cannot be', () => {
  const { routeOf, clockOf } = readChaos('');
  expect([routeOf('simulation', 'postgres', '127.0.0.1:1'), clockOf('auth')]).toEqual(['127.0.0.1:1', {}]);
  const routes = [
    '{',
    '[]',
    'null',
    '{"simulation postgres":5000}',
    '{"simulation postgres":"nowhere"}',
    '{"x":"a:1"}',
  ];
  const clocks = ['{"library":"/lib/faketime.so"}', '{"library":"faketime.so","folder":"/tmp"}'];
  for (const text of [
    '{',
    '[]',
    'null',
    ...routes.map((one) => `{"routes":${one}}`),
    ...clocks.map((one) => `{"clocks":${one}}`),
  ])
    expect(() => readChaos(text), text).toThrow(CannotStart);
});

describe('faults', () => {
  const kindsOf = (seed: number, steps: number) =>
    new Set(createSchedule(seed, steps).flatMap(({ faults }) => faults.map(({ kind }) => kind)));

  test('returns the same schedule for the same seed, independent of its length', () => {
    expect(createSchedule(7, 50)).toEqual(createSchedule(7, 200).slice(0, 50));
    expect(createSchedule(7, 50)).not.toEqual(createSchedule(8, 50));
  });

  test('the schedule of make chaos-ci has every kind of fault, alone and in pairs', () => {
    expect(kindsOf(1609, 10)).toEqual(new Set(['kill', 'stop', 'cut', 'half-open', 'clock']));
    expect(new Set(createSchedule(1609, 10).map(({ faults }) => faults.length))).toEqual(new Set([1, 2]));
  });

  test('describes a fault', () => {
    expect(describeFault({ kind: 'kill', target: 'nats' })).toBe('kill nats');
    expect(describeFault({ kind: 'cut', link: 'auth nats' })).toBe('cut auth to nats');
    expect(describeFault({ kind: 'half-open', link: 'client gateway', ms: 10 })).toBe(
      'half-open client to gateway for 10 ms',
    );
    expect(describeFault({ kind: 'clock', target: 'auth', aheadS: -5, ms: 10 })).toBe(
      'clock auth 5 s behind for 10 ms',
    );
  });
});
