import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { inTransaction } from '@husky/runtime/database/transaction';
import { createSharedWork } from '@husky/runtime/process/shared-work';
import { createAdmission } from '@husky/runtime/rpc/admission';
import { DomainError } from '@husky/runtime/rpc/errors';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import {
  type BotFiles,
  type CheckedBot,
  noRequirements,
  packagesOf,
  type Requirements,
  readBotFiles,
  requirementsOf,
} from '../domain/bot-files.ts';
import { putBot } from '../store/bots.ts';

const program = join(import.meta.dirname, '../../checker/check.py');
// packaging and pip-requirements-parser, installed by scripts/install-python-tools.sh.
const libraries = join(import.meta.dirname, '../../../../.tools/checker');
// check.py limits its processor time to 3 s. On a busy machine it gets them later.
const defaultTimeoutMs = 60_000;
const maxConcurrent = 4;
// A place is always free for others than one account or one address.
const share = { account: 1 / 4, address: 1 / 2 };
// About the checks of two minutes.
const maxWaiting = 500;
const maxWaitMs = 60_000;
// Processor time. The check of an ordinary bot takes less, however long it waits for a busy machine.
const lowPriorityAfterMs = 300;
const maxStored = 1000;

interface CheckResult {
  readonly ok: boolean;
  readonly problem?: string;
  readonly warnings?: readonly string[];
  readonly lines?: readonly string[];
}

export interface BotCheckSettings {
  /** Interpreter of the check. */
  readonly python: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly runnerPython: string;
  readonly platform: string;
  readonly timeoutMs?: number;
}

/**
 * Checks the files of bots without running them. Rejects with INVALID_ARGUMENT `bot-invalid` or `requirements-invalid`; the message has the
 * problem and its line. Rejects with UNAVAILABLE `check-timed-out` if the machine is too busy, and with ENFILE and the like if it has no
 * resources for the check.
 */
export interface BotCheck {
  check(files: BotFiles): Promise<CheckedBot>;
  /**
   * Reads the requirements.txt of a stored bot, which may name modules of the standard library. Keeps the hash of its upload, by which
   * its resolution is found, even if a later version of the check computes another one.
   */
  readStored(bot: { readonly requirementsFile: Buffer; readonly requirementsHash: string }): Promise<Requirements>;
}

export function createBotCheck(settings: BotCheckSettings): BotCheck {
  const checks = createAdmission({ limit: () => maxConcurrent, share, maxWaiting, maxWaitMs, refusal: notInTime });
  const reads = createSharedWork<Requirements>(checks);
  const stored = new LRUCache<string, Requirements>({ max: maxStored });

  async function runCheck(file: Buffer, refusal: (message: string) => DomainError, args: readonly string[]) {
    const { python, environment, timeoutMs = defaultTimeoutMs } = settings;
    const command = ['-I', '-S', '-W', 'ignore', program, ...args];
    const finished = await run(python, command, { timeoutMs, lowPriorityAfterMs, environment, input: file });
    if (finished.code === 0) {
      const result = JSON.parse(finished.stdout) as CheckResult;
      if (!result.ok) throw refusal(result.problem ?? 'The file was refused.');
      return result;
    }
    // Only the system sends SIGKILL by itself, to a process in a group without free memory.
    if (finished.killedBy === 'timeout' || finished.signal === 'SIGKILL') {
      throw notInTime();
    }
    // The file is the cause of a kill by a limit and of a crash of the parser. Anything else is a fault of this service.
    if (finished.signal === null && !/MemoryError|RecursionError/.test(finished.stderr)) {
      throw new Error(`check.py ended with ${finished.code}: ${finished.stderr.slice(-500)}`);
    }
    const name = args[0] === 'player' ? 'player.py' : 'requirements.txt';
    throw refusal(`${name} is nested too deeply or is too complex to be checked.`);
  }

  async function readRequirements(file: Buffer, ...more: 'stored'[]): Promise<Requirements> {
    if (file.length === 0) return noRequirements;
    const args = ['requirements', settings.runnerPython, settings.platform, libraries, ...more];
    const { lines = [] } = await runCheck(file, requirementsInvalid, args);
    return requirementsOf(lines);
  }

  return {
    check: (files) =>
      checks.run('checks', async () => {
        const requirements = await readRequirements(files.requirementsFile);
        const args = ['player', settings.runnerPython, ...packagesOf(requirements.lines)];
        const { warnings = [] } = await runCheck(files.player, invalid, args);
        return { ...files, warnings, requirements };
      }),
    async readStored({ requirementsFile, requirementsHash }) {
      if (requirementsHash === noRequirements.hash) return noRequirements;
      const read = () => readRequirements(requirementsFile, 'stored');
      const known = stored.get(requirementsHash) ?? (await reads.run(requirementsHash, read));
      stored.set(requirementsHash, known);
      return { ...known, hash: requirementsHash };
    },
  };
}

function notInTime(): DomainError {
  const message = 'player.py could not be checked in time, because the server is busy. Please try again later.';
  return new DomainError('UNAVAILABLE', 'check-timed-out', message, { retryAfterS: 30 });
}

function invalid(message: string): DomainError {
  return new DomainError('INVALID_ARGUMENT', 'bot-invalid', message);
}

function requirementsInvalid(message: string): DomainError {
  return new DomainError('INVALID_ARGUMENT', 'requirements-invalid', message);
}

/** Reads the house bot from its folder, checks it like an upload and stores it. Idempotent. */
export async function loadHouseBot(pool: pg.Pool, folder: string, botCheck: BotCheck): Promise<CheckedBot> {
  const [player, requirements] = await Promise.all(
    ['player.py', 'requirements.txt'].map((name) => readFile(join(folder, name))),
  );
  if (!player || !requirements) throw new Error(`The house bot in ${folder} is incomplete`);
  const files = await botCheck.check(readBotFiles(player, requirements));
  await inTransaction(pool, (client) => putBot(client, files, true));
  return files;
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What made this process kill the program: `timeoutMs` or the abort signal; null: the program ended by itself. */
  readonly killedBy: 'timeout' | 'signal' | null;
}

export interface RunOptions {
  readonly timeoutMs: number;
  /** Processor time after which the program gets low priority, so that it does not slow short ones; default: never. */
  readonly lowPriorityAfterMs?: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly input?: Uint8Array;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

const maxOutput = 256 * 1024;
const lowPriority = 10;
/** Milliseconds in a tick of /proc. */
const tickMs = 10;

/** Returns the processor time that a process has used (proc_pid_stat(5)); Infinity: it has ended. */
function processorMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return tickMs * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return Infinity;
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, lowPriority);
  } catch (error) {
    // ESRCH: the program has just ended.
    if ((error as NodeJS.ErrnoException & { info?: { code?: string } }).info?.code !== 'ESRCH') throw error;
  }
}

/** Runs a short-lived program in its own process group, with limits on time and output. Rejects with the `code` of `spawn` if it cannot be run. */
export function run(program: string, args: readonly string[], options: RunOptions): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...options.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    let killedBy: Finished['killedBy'] = null;
    const kill = (by: 'timeout' | 'signal') => {
      killedBy ??= by;
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch (error) {
        // ESRCH: the program has just ended.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    };
    const timer = setTimeout(() => kill('timeout'), options.timeoutMs);
    const { lowPriorityAfterMs } = options;
    let yielding: NodeJS.Timeout | undefined;
    const yieldAfter = (pid: number, usableMs: number, waitMs = usableMs) => {
      yielding = setTimeout(() => {
        const leftMs = usableMs - processorMs(pid);
        if (leftMs > 0) yieldAfter(pid, usableMs, leftMs);
        else lowerPriority(pid);
      }, waitMs);
    };
    if (child.pid !== undefined && lowPriorityAfterMs !== undefined) yieldAfter(child.pid, lowPriorityAfterMs);
    const onAbort = () => kill('signal');
    options.signal?.addEventListener('abort', onAbort, { once: true });
    const output = { stdout: '', stderr: '' };
    const settle = () => {
      clearTimeout(timer);
      clearTimeout(yielding);
      options.signal?.removeEventListener('abort', onAbort);
    };
    child.once('error', (error) => {
      settle();
      const { code } = error as NodeJS.ErrnoException;
      reject(Object.assign(new Error(`${program} could not be run: ${error.message}`), { code }));
    });
    // Without a free file descriptor there are no pipes; 'error' follows.
    if (child.stdin === undefined) return;
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (output[name].length < maxOutput) output[name] += text;
      });
    }
    child.once('close', (code, signal) => {
      settle();
      resolve({ code, signal, killedBy, ...output });
    });
    // A child that exits before it has read all its input is reported by its exit code, not by the pipe.
    child.stdin.on('error', () => child.stdin.destroy());
    child.stdin.end(options.input ?? '');
  });
}
