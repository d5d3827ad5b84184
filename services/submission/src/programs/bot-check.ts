import { join } from 'node:path';
import { DomainError } from '@husky/runtime/errors';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { run } from './run.ts';

const program = join(import.meta.dirname, '../../checker/check.py');
// check.py limits its processor time to 3 s. On a busy machine it gets them later.
const defaultTimeoutMs = 60_000;
const maxConcurrent = 4;
// About the checks of two minutes.
const maxWaiting = 500;

interface CheckResult {
  readonly ok: boolean;
  readonly problem?: string;
}

/**
 * Checks player.py without running it. Rejects with INVALID_ARGUMENT `bot-invalid`; the message has the problem and its line. Rejects with
 * UNAVAILABLE `check-timed-out` if the machine is too busy, and with ENFILE and the like if it has no resources for the check.
 */
export type BotCheck = (player: Uint8Array) => Promise<void>;

export function createBotCheck(
  python: string,
  environment: Readonly<Record<string, string>>,
  timeoutMs = defaultTimeoutMs,
): BotCheck {
  const limited = createConcurrencyLimit(maxConcurrent, maxWaiting, notInTime);
  return (player) =>
    limited(async () => {
      const args = ['-I', '-S', '-W', 'ignore', program];
      const finished = await run(python, args, { timeoutMs, environment, input: player });
      if (finished.code === 0) {
        const result = JSON.parse(finished.stdout) as CheckResult;
        if (!result.ok) throw invalid(result.problem ?? 'player.py is not a bot.');
        return;
      }
      // Only the system sends SIGKILL by itself, to a process in a group without free memory.
      if (finished.killedBy === 'timeout' || finished.signal === 'SIGKILL') {
        throw notInTime();
      }
      // The file is the cause of a kill by a limit and of a crash of the parser. Anything else is a fault of this service.
      if (finished.signal === null && !/MemoryError|RecursionError/.test(finished.stderr)) {
        throw new Error(`check.py ended with ${finished.code}: ${finished.stderr.slice(-500)}`);
      }
      throw invalid('player.py is nested too deeply or is too complex to be checked.');
    });
}

function notInTime(): DomainError {
  const message = 'player.py could not be checked in time, because the server is busy. Please try again later.';
  return new DomainError('UNAVAILABLE', 'check-timed-out', message, { retryAfterS: 30 });
}

function invalid(message: string): DomainError {
  return new DomainError('INVALID_ARGUMENT', 'bot-invalid', message);
}
