import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suspend } from '@husky/runtime/process/supervised-process';
import { CannotBackUp } from './manifest.ts';

/** Maximum pause. After it NATS continues in any case, and the backup fails. */
const maxPauseS = 30;

/**
 * Pauses the NATS server by SIGSTOP, runs `during`, copies the server's data folder to a new folder inside `dataDir` and continues the
 * server. Returns the copy, which is consistent with `during`, and the pause in ms. Publishers retry, so no event is lost. If this process
 * is killed, a second process continues NATS after 30 s.
 */
export async function copyPausedNats<T>(
  pid: number | undefined,
  dataDir: string,
  during: () => Promise<T>,
): Promise<{ readonly copy: string; readonly pauseMs: number; readonly result: T }> {
  const copy = mkdtempSync(join(dataDir, '.backup-nats-'));
  const guard = pid === undefined ? undefined : spawnGuard(pid);
  const startedMs = performance.now();
  try {
    if (pid !== undefined) await suspend(pid);
    const result = await during();
    cpSync(join(dataDir, 'nats'), copy, { recursive: true });
    const pauseMs = performance.now() - startedMs;
    if (pauseMs > maxPauseS * 1000) throw new CannotBackUp(`NATS was paused for more than ${maxPauseS} s: try again.`);
    return { copy, pauseMs, result };
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    throw error;
  } finally {
    if (pid !== undefined) process.kill(pid, 'SIGCONT');
    guard?.kill();
  }
}

function spawnGuard(pid: number) {
  const program = `setTimeout(() => process.kill(${pid}, 'SIGCONT'), ${maxPauseS * 1000})`;
  const guard = spawn(process.execPath, ['-e', program], { stdio: 'ignore', detached: true });
  guard.unref();
  return guard;
}
