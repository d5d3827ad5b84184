import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { judgeGrowth } from './growth.ts';
import { findExistingK6 } from './k6.ts';
import { coresBetween, nameLimit } from './processor-time.ts';
import { isSustained, reportSteps } from './report.ts';
import { readSettings } from './settings.ts';

const empty = mkdtempSync(join(tmpdir(), 'load-test-'));
afterAll(() => rmSync(empty, { recursive: true }));

function run(variables: Record<string, string>): [number | null, string] {
  const env = { PATH: '/nowhere', XDG_CACHE_HOME: '/nowhere', RESULTS: empty, ...variables };
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, './main.ts')], { env });
  return [status, stderr.toString()];
}

test('says how to install k6 if neither k6 nor Go is installed', () => {
  expect(run({})).toEqual([
    1,
    'k6 is not on PATH nor in /nowhere/husky-holdem/bin: install Go, which builds it, or k6 from grafana.com/docs/k6\n',
  ]);
});

test('refuses an unknown profile and lists the known ones', () => {
  const message = 'Unknown profile lod. Profiles: smoke, load, stress, soak, spike, overload\n';
  expect(run({ PROFILE: 'lod' })).toEqual([1, message]);
});

test.each([
  [{ ORIGIN: 'holdem.example' }, 'ORIGIN must begin with http:// or https://, as in https://holdem.example.org'],
  [{ USERS: 'many' }, 'USERS must be an integer from 1 to 5000, not many'],
  [{ RATE: '-3' }, 'RATE must be a positive number, not -3'],
  [
    { ORIGIN: 'http://localhost:1' },
    'ORIGIN needs ADMIN_PASSWORD (and ADMIN_USERNAME, if not admin), or ACCOUNTS with a file of accounts',
  ],
])('refuses %o with a message', (env, message) => {
  expect(() => readSettings(env)).toThrow(message);
});

test('reads the password of an administrator from a file', () => {
  const file = join(empty, 'password');
  writeFileSync(file, 'secret\n');
  expect(readSettings({ ORIGIN: 'http://a.example/', ADMIN_PASSWORD_FILE: file })).toMatchObject({
    origin: 'http://a.example',
    admin: { username: 'admin', password: 'secret' },
  });
});

test('computes the processors of each part and leaves out a restarted one', () => {
  const at = (atMs: number, gateway: number, pool: number) => ({
    atMs,
    seconds: new Map(Object.entries({ gateway, pool })),
  });
  const samples = [at(0, 1, 9), at(1000, 2, 9), at(3000, 4, 1), at(9000, 99, 99)];
  expect(coresBetween(samples, 0, 4000)).toEqual([['gateway', 1]]);
  expect(coresBetween(samples, 5000, 6000)).toEqual([]);
});

test('names a saturated process as the limit of the platform', () => {
  expect(nameLimit([['gateway', 0.97]], 2)).toBe('gateway is the limit: it uses 0.97 of a processor');
  expect(nameLimit([['gateway', 0.1]], 2)).toContain('no processor is the limit');
});

test('a step is sustained at its rate, within the latency objective, without failures and refusals', () => {
  const step = { targetRate: 100, seconds: 10, requestsPerSecond: 101, refused: 0, failed: 0, p99Ms: 80 };
  expect(isSustained(step)).toBe(true);
  for (const change of [{ p99Ms: 300 }, { failed: 1 }, { refused: 1 }, { requestsPerSecond: 50 }]) {
    expect(isSustained({ ...step, ...change })).toBe(false);
  }
});

const stressed = (startedMs: number) => {
  const step = { seconds: 10, refused: 0, failed: 0, p99Ms: 80 };
  const steps = [
    { ...step, targetRate: 100, requestsPerSecond: 101 },
    { ...step, targetRate: 200, requestsPerSecond: 201, p99Ms: 900 },
  ];
  return JSON.stringify({ startedMs, durationMs: 20_000, steps });
};

test('finds the knee without measured parts', () => {
  const file = join(empty, 'summary.json');
  writeFileSync(file, stressed(0));
  expect(reportSteps(file, [], 'stress')).toBe(
    '- the knee is between 100 and 200 requests/s: the parts were not measured',
  );
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    knee: expect.stringContaining('between 100 and 200'),
  });
});

test('names what grows in a soak instead of levelling off, and does not judge a short run', () => {
  const judge = (minutes: number, valueAt: (at: number) => number, name = 'gateway: MiB') =>
    judgeGrowth(
      Array.from({ length: 6 * minutes }, (_, at) => ({ atMs: at * 10_000, values: new Map([[name, valueAt(at)]]) })),
    );
  const sawTooth = (at: number) => ((at * 37) % 100) / 5;
  expect(judge(60, (at) => 100 + at).growing).toEqual(['gateway: MiB']);
  expect(
    judge(60, (at) => 100 + at)
      .table.split('\n')
      .at(-1),
  ).toBe('| gateway: MiB | 280.0 | 400.0 | grows |');
  expect(judge(60, (at) => 100 + Math.min(at, 100) + sawTooth(at)).growing).toEqual([]);
  expect(judge(20, (at) => 100 + at).growing).toEqual([]);
  expect(judge(60, (at) => 40 + at / 10, 'nats: MiB').growing).toEqual([]);
  expect(judge(60, (at) => 300 + at / 10, 'nats: MiB').growing).toEqual(['nats: MiB']);
});

// Modules that only k6 has.
vi.mock('k6/execution', () => ({ default: {} }));

interface Summary {
  handleSummary(run: object): Readonly<Record<string, string>>;
}

test('writes JUnit to the results, and to standard output where they do not outlive the run', async () => {
  vi.stubGlobal('__ENV', { PROFILE: 'smoke', RESULTS: '/results' });
  const summary = join(import.meta.dirname, '../../../charts/husky-holdem/files/load/summary.js');
  const { handleSummary } = (await import(summary)) as Summary;
  const metrics = {
    checks: { thresholds: { 'rate>0.99': { ok: false } }, values: { rate: 0.5 } },
    verdict_duration: {
      thresholds: { 'min>0': { ok: false }, 'p(95)<60000': { ok: true } },
      values: { count: 0, min: 0, med: 0, 'p(95)': 0 },
    },
  };
  const checks = [{ name: 'page <a>', passes: 1, fails: 1 }];
  const run = { metrics, root_group: { checks }, state: { testRunDurationMs: 1000 }, setup_data: {} };
  const { stdout, '/results/junit.xml': junit } = handleSummary(run);
  expect(junit).toContain(
    '<testcase classname="check" name="page &lt;a&gt;"><failure message="1 of 2 failed"/></testcase>',
  );
  expect(junit).toContain('<testsuite name="load" tests="4" failures="3">');
  expect(junit).toContain('name="verdict_duration: min&gt;0"><failure message="nothing measured"/></testcase>');
  expect(junit, 'an objective without a measurement is not met').toContain(
    'name="verdict_duration: p(95)&lt;60000"><skipped/></testcase>',
  );
  expect(stdout).not.toContain('<?xml');
  vi.stubGlobal('__ENV', { PRINT_JUNIT: 'true' });
  expect(handleSummary(run)).toEqual({ stdout: `${stdout}\n${junit}` });
  vi.unstubAllGlobals();
});

const k6 = findExistingK6();
if (k6 === undefined) process.stdout.write('skipped: k6 is missing: scripts/proof/cluster/build.sh k6 builds it\n');
// A copy of the folder alone, as somebody takes it who knows only k6.
const scripts = join(empty, 'scripts');
cpSync(join(import.meta.dirname, '../../../charts/husky-holdem/files/load'), scripts, { recursive: true });

/** Runs a script with k6 alone against a server that answers with `bodyOf(path)`. Returns its exit code and output. */
async function runScript(script: string, bodyOf: (path: string) => object, env: Record<string, string> = {}) {
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(bodyOf(url)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const ORIGIN = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const child = spawn(k6 ?? '', ['run', '--no-usage-report', '--quiet', script], {
    cwd: scripts,
    env: { HOME: empty, ORIGIN, DURATION: '1', ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes));
  const code = await new Promise((resolve) => child.once('close', resolve));
  server.close();
  return { code, output };
}

const emptyPlatform = (path: string): object => (path === '/app-config.json' ? { identity: 'own' } : { running: [] });

test.runIf(k6)(
  'browse.js needs nothing but k6 and ORIGIN',
  async () => {
    const { code, output } = await runScript('browse.js', emptyPlatform);
    expect(output).toContain('ok      checks rate==1: 1');
    expect(output).toMatch(/ok {6}http_reqs\{scenario:browse} count>0: [1-9]/);
    expect(code).toBe(0);
  },
  60_000,
);

test.runIf(k6)(
  'a scenario that has measured nothing fails',
  async () => {
    const { code, output } = await runScript('live.js', emptyPlatform);
    expect(output).toContain('MISSED  live_first_byte min>0: nothing measured');
    expect(code).toBe(99);
  },
  60_000,
);

test.runIf(k6)(
  'an exception in a scenario fails the run',
  async () => {
    const { code, output } = await runScript('browse.js', (path) => ({
      ...emptyPlatform(path),
      job_ids: ['1'],
      hands: 5,
    }));
    expect(output).toContain('TypeError');
    expect(output).toMatch(/MISSED {2}exceptions count==0: [1-9]/);
    expect(code).toBe(99);
  },
  60_000,
);

const needsPassword =
  'needs accounts: set ADMIN_PASSWORD (and ADMIN_USERNAME, if not admin), with which the script makes them, or ACCOUNTS';
test
  .runIf(k6)
  .each<[string, Record<string, string>, string]>([
    ['browse.js', { ORIGIN: '' }, 'Set ORIGIN to the address of the platform'],
    ['browse.js', { ORIGIN: 'holdem.example.org' }, 'ORIGIN must be a scheme and a host'],
    ['browse.js', { ORIGIN: 'http://user:secret@127.0.0.1' }, 'ORIGIN must be a scheme and a host'],
    ['browse.js', { ORIGIN: 'http://127.0.0.1:1' }, 'Nothing answers at http://127.0.0.1:1'],
    ['browse.js', { ACCOUNTS: 'none.json' }, 'ACCOUNTS must be a file with a JSON list of accounts'],
    ...['admin', 'batch-night', 'event-day', 'lists', 'match', 'sign-in', 'test-run', 'upload-storm'].map(
      (name): [string, Record<string, string>, string] => [`${name}.js`, {}, `${name} ${needsPassword}`],
    ),
    ['load.js', {}, needsPassword],
    ['admin.js', { ADMIN_PASSWORD: 'wrong' }, 'admin is no administrator'],
  ])(
  '%s with %o ends with one sentence',
  async (script, env, sentence) => {
    const { code, output } = await runScript(script, emptyPlatform, env);
    expect(output.trim().split('\n')).toEqual([expect.stringContaining(sentence)]);
    expect(output).not.toContain('secret');
    expect(code).toBe(108);
  },
  60_000,
);

test.runIf(k6)(
  'browse.js refuses a server that is no platform',
  async () => {
    const { code, output } = await runScript('browse.js', () => ({}));
    expect(output).toContain("is no Husky Hold'em platform: /app-config.json returns status 200");
    expect(code).toBe(108);
  },
  60_000,
);
