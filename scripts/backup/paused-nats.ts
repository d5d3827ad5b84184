import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CannotBackUp } from './manifest.ts';

/** Longest pause: NATS continues then whatever happened to this process, and the backup fails. */
const maxPauseS = 30;

/**
 * Stops the NATS server by SIGSTOP, runs `during`, copies its data folder to a new folder inside `dataDir` and lets it continue.
 * Returns the copy, which is in the state of `during`, and the pause in ms. Publishers retry, so that nothing is lost. A second
 * process lets NATS continue after 30 s if this one is killed.
 */
export async function copyPausedNats<T>(
  pid: number | undefined,
  dataDir: string,
  during: () => Promise<T>,
): Promise<{ readonly copy: string; readonly pauseMs: number; readonly result: T }> {
  const copy = mkdtempSync(join(dataDir, '.backup-nats-'));
  const guard = pid === undefined ? undefined : spawnGuard(pid);
  const began = performance.now();
  try {
    if (pid !== undefined) process.kill(pid, 'SIGSTOP');
    const result = await during();
    cpSync(join(dataDir, 'nats'), copy, { recursive: true });
    const pauseMs = performance.now() - began;
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
