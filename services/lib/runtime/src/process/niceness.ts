import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Without privileges the kernel allows one change in 100 ms on the whole machine. */
const retryMs = 150;
const maxAttempts = 40;

/**
 * Gives a process that leads a session the nice value of this process plus `change`; negative: a larger share of busy processors.
 * Processes that it starts later inherit it. Linux may share processors between sessions first (sched(7), autogroup), and then a nice value counts only inside of a
 * session, so the session gets the same value. What the system does not support or allow is left as it is.
 */
export function changeNiceness(pid: number, change: number): void {
  const niceness = Math.max(-20, Math.min(19, getPriority() + change));
  try {
    setPriority(pid, niceness);
  } catch {
    return;
  }
  setSessionNiceness(pid, niceness, 1);
}

function setSessionNiceness(pid: number, niceness: number, attempt: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || attempt === maxAttempts) return;
    setTimeout(() => setSessionNiceness(pid, niceness, attempt + 1), retryMs).unref();
  }
}
