import { setTimeout as pause } from 'node:timers/promises';
import { Clocks, clockFileOf, clockReadMs, setClock } from './clocks.ts';
import type { Fault } from './faults.ts';
import type { Links } from './links.ts';
import { findRunnerProcesses, pidOf, signal } from './processes.ts';
import type { Random } from './random.ts';

/** Thrown if a fault is not possible on this machine or at this moment. The message is the reason. */
export class CannotInject extends Error {}

/** The parts of a platform on this machine that faults act on. */
export interface Machine {
  readonly dataDir: string;
  readonly links: Links;
  /** Its clocks, or the reason why they cannot be moved. */
  readonly clocks: Clocks | string;
}

/** Injects a fault and resolves when it is over. Throws CannotInject if the fault is not possible now. */
export async function inject(fault: Fault, { dataDir, links, clocks }: Machine, random: Random): Promise<void> {
  switch (fault.kind) {
    case 'kill':
      return signal(chooseProcess(dataDir, fault.target, random), 'SIGKILL');
    case 'stop': {
      const pid = chooseProcess(dataDir, fault.target, random);
      signal(pid, 'SIGSTOP');
      await pause(fault.ms);
      return signal(pid, 'SIGCONT');
    }
    case 'cut':
      return links.proxy(fault.link).cut();
    case 'half-open': {
      const proxy = links.proxy(fault.link);
      proxy.holdReplies();
      await pause(fault.ms);
      return proxy.releaseReplies();
    }
    case 'clock':
      return moveClock(clocks, chooseProcess(dataDir, fault.target, random), fault.aheadS, fault.ms);
  }
}

/** Moves the clock of a process for a time. If the process is restarted in that time, the new process has the same clock. */
async function moveClock(clocks: Clocks | string, pid: number, aheadS: number, ms: number): Promise<void> {
  if (!(clocks instanceof Clocks)) throw new CannotInject(clocks);
  const file = clockFileOf(pid);
  if (file === undefined) throw new CannotInject('the process has ended');
  try {
    setClock(file, aheadS);
    await pause(clockReadMs + ms);
  } finally {
    setClock(file, 0);
    await pause(clockReadMs);
  }
}

function chooseProcess(dataDir: string, name: string, random: Random): number {
  const { dealers, hosts, seats } = findRunnerProcesses(dataDir);
  const kinds: Readonly<Record<string, readonly number[]>> = { dealer: dealers, 'seat-host': hosts, seat: seats };
  const candidates = kinds[name];
  const pid =
    candidates === undefined ? pidOf(dataDir, name) : candidates.length > 0 ? random.pick(candidates) : undefined;
  if (pid === undefined) throw new CannotInject(`no ${name} runs at this moment`);
  return pid;
}
