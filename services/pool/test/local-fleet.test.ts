import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@husky/runtime/process/logger';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LocalFleet, type LocalFleetSettings } from '../src/fleet/local-fleet.ts';
import { closeFolders, type RunnerPrograms, seatUsers } from '../src/fleet/local-runner.ts';
import { isAlive, testPrograms } from './programs.ts';

const log = createLogger('pool', 'fatal');
let runnersDir: string;
const fleets: LocalFleet[] = [];
beforeEach(() => {
  runnersDir = join(mkdtempSync(join(tmpdir(), 'husky-fleet-')), 'runners');
  mkdirSync(runnersDir);
  // Seats' users pass through this folder.
  chmodSync(join(runnersDir, '..'), 0o755);
});
afterEach(async () => {
  await Promise.all(fleets.splice(0).map((fleet) => fleet.close()));
  rmSync(join(runnersDir, '..'), { recursive: true });
});

function newFleet(programs: RunnerPrograms, change: Partial<LocalFleetSettings> = {}): LocalFleet {
  const fleet = new LocalFleet({
    runnersDir,
    basePort: 9000,
    programs,
    cpus: [],
    log,
    now: Date.now,
    backOff: { firstMs: 20, maxMs: 200, resetAfterMs: 30_000 },
    grace: { dealerMs: 2000, seatsMs: 1000 },
    ...change,
  });
  fleets.push(fleet);
  return fleet;
}

const phases = async (fleet: LocalFleet) =>
  (await fleet.runners()).map(({ name, port, phase }) => `${name} ${port} ${phase}`);
const logHas = (fleet: LocalFleet, name: string, text: string) =>
  vi.waitFor(async () => expect(await fleet.log(name, 65_536)).toContain(text), { timeout: 10_000 });

test('starts runners with stable names and ports and reuses free numbers', async () => {
  const fleet = newFleet(testPrograms());
  expect(await fleet.start(3)).toEqual(['runner-1', 'runner-2', 'runner-3']);
  await logHas(fleet, 'runner-2', 'dealer | dealer is up');
  await fleet.stop(['runner-2', 'nobody']);
  await vi.waitFor(
    async () => expect(await phases(fleet)).toEqual(['runner-1 9001 running', 'runner-3 9003 running']),
    10_000,
  );
  expect(await fleet.start(2)).toEqual(['runner-2', 'runner-4']);
  expect(await fleet.log('nobody', 100)).toBeNull();
});

test('stops the dealer first, by SIGTERM, and then the seats', async () => {
  // Long enough for a process on a busy machine.
  const fleet = newFleet(testPrograms(), { grace: { dealerMs: 20_000, seatsMs: 20_000 } });
  await fleet.start(1);
  await logHas(fleet, 'runner-1', 'dealer is up');
  await logHas(fleet, 'runner-1', 'seats is up');
  await fleet.stop(['runner-1']);
  expect(await phases(fleet)).toEqual(['runner-1 9001 stopping']);
  await vi.waitFor(async () => expect(await fleet.runners()).toEqual([]), 25_000);
  const log = readFileSync(join(runnersDir, 'runner-1/runner.log'), 'utf8');
  expect(log.indexOf('dealer: SIGTERM')).toBeGreaterThan(0);
  expect(log.search(/seats: (SIGTERM|the lifeline ended)/)).toBeGreaterThan(log.indexOf('dealer: SIGTERM'));
});

test('restarts a process that ends by itself and reports why', async () => {
  const dealer =
    "if (!require('node:fs').existsSync('once')) { require('node:fs').writeFileSync('once', ''); console.error('no address given'); process.exitCode = 3; setTimeout(() => process.exit(), 20); }";
  const fleet = newFleet(testPrograms({ dealer }));
  await fleet.start(1);
  await logHas(fleet, 'runner-1', 'pool | dealer ended with code 3: no address given; it starts again in 0.02 s');
  await vi.waitFor(async () => expect(await phases(fleet)).toEqual(['runner-1 9001 running']), 10_000);
  const before = fleet.pidsOf('runner-1');
  process.kill(before?.seats ?? 0, 'SIGKILL');
  await logHas(fleet, 'runner-1', 'pool | seats was killed by SIGKILL');
  await vi.waitFor(() => expect(fleet.pidsOf('runner-1')?.seats).toEqual(expect.any(Number)), 10_000);
  expect(fleet.pidsOf('runner-1')?.dealer).toBe(before?.dealer);
});

test('names a missing program and retries with exponential backoff', async () => {
  const programs = testPrograms();
  const fleet = newFleet({
    ...programs,
    seats: (parameters) => ({ ...programs.seats(parameters), command: 'python-that-is-not-there' }),
  });
  await fleet.start(1);
  await logHas(fleet, 'runner-1', 'it starts again in 0.08 s');
  await vi.waitFor(
    async () =>
      expect(await fleet.runners()).toMatchObject([
        { phase: 'starting', problem: 'seats: python-that-is-not-there was not found' },
      ]),
    10_000,
  );
});

test('kills a process that ignores SIGTERM, with its descendants', async () => {
  const seats =
    "process.on('SIGTERM', () => {}); const c = require('node:child_process').spawn('sleep', ['300']); console.log('child ' + c.pid); setInterval(() => {}, 1000); process.stdin.removeAllListeners('end');";
  const fleet = newFleet(testPrograms({ seats }), { grace: { dealerMs: 500, seatsMs: 200 } });
  await fleet.start(1);
  await logHas(fleet, 'runner-1', 'seats | child ');
  const child = Number(/child (\d+)/.exec((await fleet.log('runner-1', 65_536)) ?? '')?.[1]);
  const pids = fleet.pidsOf('runner-1');
  expect(isAlive(child)).toBe(true);
  await fleet.close();
  await vi.waitFor(() => expect([child, pids?.seats, pids?.dealer].filter(isAlive)).toEqual([]), 10_000);
});

test('ends runners when the pool is killed, by closing their standard input', async () => {
  const pids = join(runnersDir, 'pids');
  const script = `
    import { LocalFleet } from '${join(import.meta.dirname, '../src/fleet/local-fleet.ts')}';
    import { testPrograms } from '${join(import.meta.dirname, 'programs.ts')}';
    import { writeFileSync } from 'node:fs';
    const log = { info() {}, warn() {} };
    const fleet = new LocalFleet({ runnersDir: '${runnersDir}', basePort: 9000, programs: testPrograms(), cpus: [], log, now: Date.now });
    await fleet.start(1);
    setInterval(async () => {
      const text = await fleet.log('runner-1', 4096);
      if (text.includes('dealer is up') && text.includes('seats is up')) writeFileSync('${pids}', JSON.stringify(fleet.pidsOf('runner-1')));
    }, 20);`;
  const pool = execFile(process.execPath, ['--input-type=module', '-e', script]);
  const started = await vi.waitFor(() => JSON.parse(readFileSync(pids, 'utf8')) as { dealer: number; seats: number }, {
    timeout: 10_000,
  });
  expect(isAlive(started.dealer) && isAlive(started.seats)).toBe(true);
  pool.kill('SIGKILL');
  await vi.waitFor(() => expect([started.dealer, started.seats].filter(isAlive)).toEqual([]), { timeout: 10_000 });
});

test('assigns cores round-robin', async () => {
  const fleet = newFleet(
    {
      ...testPrograms(),
      dealer: (parameters) => ({
        ...testPrograms().dealer(parameters),
        args: ['-e', `console.log('core ${parameters.cpu}'); process.stdin.resume().on('end', () => process.exit(0));`],
      }),
    },
    { cpus: [0, 5] },
  );
  await fleet.start(3);
  await logHas(fleet, 'runner-1', 'core 0');
  await logHas(fleet, 'runner-2', 'core 5');
  await logHas(fleet, 'runner-3', 'core 0');
});

test('refuses a folder whose path is too long for sockets', () => {
  expect(() => newFleet(testPrograms(), { runnersDir: `/tmp/${'x'.repeat(90)}` })).toThrow(/too long a path/);
});

const python = '/usr/bin/python3';
const isRoot = process.getuid?.() === 0;

/** Reads a file in a process of this user (default: the test's user). Returns the content or the text of the error. */
function readAs(uid: number | undefined, path: string): string {
  const as = uid === undefined ? {} : { uid, gid: uid };
  const program = 'import sys\ntry: print(open(sys.argv[1]).read())\nexcept OSError as error: print(error.strerror)';
  return execFileSync(python, ['-I', '-S', '-c', program, path], { ...as, cwd: '/', encoding: 'utf8' }).trim();
}

/** Starts a fleet of one runner and writes a bot's file to the folder that a dealer uses. Returns the file's path. */
async function fetchedBot(): Promise<string> {
  const fleet = newFleet(testPrograms(), { closeFolders: (folders) => closeFolders(python, folders, log) });
  await fleet.start(1);
  const folder = join(runnersDir, 'runner-1/run/bots/hash');
  mkdirSync(folder, { mode: 0o755 });
  writeFileSync(join(folder, 'player.py'), 'a secret strategy', { mode: 0o644 });
  return join(folder, 'player.py');
}

test("closes a runner's folders to the machine's other users and opens them to seats' users", async () => {
  const bot = await fetchedBot();
  for (const folder of ['.', 'runner-1/run/bots', 'runner-1/run/packages']) {
    expect(statSync(join(runnersDir, folder)).mode & 0o027, folder).toBe(0);
  }
  const seats = isRoot ? [seatUsers.first, 61_007, seatUsers.last] : [undefined];
  for (const seat of seats) expect(readAs(seat, bot)).toBe('a secret strategy');
  const others = isRoot ? [65_534, seatUsers.first - 1, seatUsers.last + 1] : [];
  for (const other of others) {
    expect(readAs(other, bot)).toBe('Permission denied');
    expect(readAs(other, join(runnersDir, 'runner-1/runner.log'))).toBe('Permission denied');
  }
});

test('uses the same range of user ids as the seat host', () => {
  const uids = readFileSync(join(import.meta.dirname, '../../runner/seat/husky_seat/uids.py'), 'utf8');
  expect(uids).toContain(`_FIRST, _LAST = ${seatUsers.first}, ${seatUsers.last}`);
});

test('warns on a file system without access control lists, whose folders stay open', () => {
  const warn = vi.fn();
  if (isRoot) closeFolders(python, ['/proc/self'], { warn });
  else expect(() => closeFolders(python, ['/proc/1'], { warn })).toThrow('EPERM');
  if (isRoot) expect(warn).toHaveBeenCalledWith(expect.stringContaining('local users can read the bots in /proc/self'));
});
