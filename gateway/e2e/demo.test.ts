// `make demo` with its own platform and with a running one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { expect, inject, test, vi } from 'vitest';

const { origin, adminPassword } = inject('platform');
const root = join(import.meta.dirname, '../..');

/** Runs the demo with these variables only; those of the platform under test are removed. */
function startDemo(variables: Record<string, string>) {
  const { ORIGIN, PORT, DATA_DIR, KEEP, ADMIN_USERNAME, ADMIN_PASSWORD, ...environment } = process.env;
  const child = spawn(process.execPath, ['scripts/demo/main.ts'], {
    cwd: root,
    env: { ...environment, HANDS: '12', POOL_SIZE: '3', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  return { child, output: () => output, ended: once(child, 'close') };
}

const isReachable = (address: string) =>
  fetch(`${address}/healthz`).then(
    () => true,
    () => false,
  );

test('starts its own platform, plays, prints the result and stops it; with KEEP=1 keeps it until Ctrl-C', async () => {
  const own = `http://localhost:${await freePort()}`;
  const demo = startDemo({ PORT: new URL(own).port, KEEP: '1' });
  try {
    await vi.waitFor(() => expect(demo.output()).toContain('stays up at'), { timeout: 100_000, interval: 200 });
    expect(demo.output()).toMatch(/no platform at .*: starting one with its data in a temporary folder/);
    expect(demo.output()).toMatch(/finished after [\d.]+ s: \d+ hands/);
    expect(demo.output()).toContain('deltas sum to zero');
    expect(demo.output()).toContain(`match and graph   ${own}/games/`);
    expect(await isReachable(own)).toBe(true);
  } finally {
    demo.child.kill('SIGINT');
  }
  expect(await demo.ended, demo.output()).toEqual([0, null]);
  expect(await isReachable(own)).toBe(false);
}, 150_000);

test('plays on a running platform and leaves it running', async () => {
  const demo = startDemo({ ORIGIN: origin, ADMIN_PASSWORD: adminPassword });
  expect(await demo.ended, demo.output()).toEqual([0, null]);
  expect(demo.output()).not.toContain('starting one');
  expect(demo.output()).toContain(`match and graph   ${origin}/games/`);
  expect(await isReachable(origin)).toBe(true);
}, 150_000);

test('reports an unreachable address and starts nothing', async () => {
  const demo = startDemo({ ORIGIN: `http://localhost:${await freePort()}` });
  expect((await demo.ended)[0]).toBe(1);
  expect(demo.output()).toContain('start it first (make up)');
});
