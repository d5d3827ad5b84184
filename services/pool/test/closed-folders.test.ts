import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@husky/runtime/process/logger';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LocalFleet } from '../src/fleet/local-fleet.ts';
import { closeFolders, seatUsers } from '../src/fleet/local-runner.ts';
import { testPrograms } from './programs.ts';

const python = '/usr/bin/python3';
const log = createLogger('pool', 'fatal');
const isRoot = process.getuid?.() === 0;
let runnersDir: string;

beforeEach(() => {
  runnersDir = join(mkdtempSync(join(tmpdir(), 'husky-closed-')), 'runners');
  mkdirSync(runnersDir);
  chmodSync(join(runnersDir, '..'), 0o755);
});
afterEach(() => rmSync(join(runnersDir, '..'), { recursive: true }));

/** Reads a file in a process of this user (default: the test's user). Returns the content or the text of the error. */
function readAs(uid: number | undefined, path: string): string {
  const as = uid === undefined ? {} : { uid, gid: uid };
  const program = 'import sys\ntry: print(open(sys.argv[1]).read())\nexcept OSError as error: print(error.strerror)';
  return execFileSync(python, ['-I', '-S', '-c', program, path], { ...as, cwd: '/', encoding: 'utf8' }).trim();
}

/** Starts a fleet of one runner and writes a bot's file to the folder that a dealer uses. Returns the fleet and the file's path. */
async function fetchedBot(): Promise<{ fleet: LocalFleet; bot: string }> {
  const close = (folders: readonly string[]) => closeFolders(python, folders, log);
  const programs = testPrograms();
  const shared = { runnersDir, basePort: 9000, programs, cpus: [], log, now: Date.now };
  const fleet = new LocalFleet({ ...shared, closeFolders: close });
  await fleet.start(1);
  const folder = join(runnersDir, 'runner-1/run/bots/hash');
  mkdirSync(folder, { mode: 0o755 });
  writeFileSync(join(folder, 'player.py'), 'a secret strategy', { mode: 0o644 });
  return { fleet, bot: join(folder, 'player.py') };
}

test("closes a runner's folders to the machine's other users and opens them to seats' users", async () => {
  const { fleet, bot } = await fetchedBot();
  try {
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
  } finally {
    await fleet.close();
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
