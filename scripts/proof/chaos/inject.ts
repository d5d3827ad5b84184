import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { Clocks, clockFileOf, clockReadMs, setClock } from './clocks.ts';
import { SmallDisk } from './disk.ts';
import { clientLink, type Links } from './links.ts';
import type { MachineFault, NetworkFault } from './machine-faults.ts';
import { findMemoryGroups, type MemoryGroups, MemoryLimit } from './memory.ts';
import { findRunnerProcesses, pidOf, signal } from './processes.ts';
import type { LinkProxy } from './proxy.ts';
import type { Random } from './random.ts';
import { CannotInject } from './target.ts';
import { pause } from './workload.ts';

/** The parts of a platform on this machine that faults act on. */
export interface Machine {
  readonly dataDir: string;
  readonly links: Links;
  /** The file system of its data, or the reason why there is none of its own. */
  readonly disk: SmallDisk | string;
  /** Its clocks, or the reason why they cannot be moved. */
  readonly clocks: Clocks | string;
  databaseUrl(): string;
}

/** Injects a fault and resolves when it is over. Throws CannotInject if the fault is not possible now. */
export async function inject(fault: MachineFault, target: Machine, random: Random): Promise<void> {
  switch (fault.kind) {
    case 'kill':
      return signal(chooseProcess(target, fault.target, random), 'SIGKILL');
    case 'restart':
      // PostgreSQL's fast shutdown is SIGINT; SIGTERM would wait for its clients.
      return signal(chooseProcess(target, fault.target, random), fault.target === 'postgres' ? 'SIGINT' : 'SIGTERM');
    case 'immediate-shutdown':
      return signal(chooseProcess(target, 'postgres', random), 'SIGQUIT');
    case 'stop':
      return stop(chooseProcess(target, fault.target, random), fault.ms);
    case 'slow':
    case 'slow-runner':
      return slowDown(chooseProcess(target, fault.target, random), fault.ms);
    case 'network':
      return disturbNetwork(target.links.proxy(fault.link), fault, random);
    case 'client-network':
      return disturbNetwork(target.links.proxy(clientLink), fault, random);
    case 'cut-connections':
      return cutConnections(target);
    case 'lose-nats-disk':
      return loseNatsDisk(target, random);
    case 'full-disk':
      return fillDisk(target, fault.ms, async () => undefined);
    case 'full-disk-in-checkpoint':
      return fillDisk(target, fault.ms, () => asSuperuser(target, 'CHECKPOINT'));
    case 'memory-pressure':
      return limitMemory(chooseProcess(target, fault.target, random), fault.ms);
    case 'clock':
      return moveClock(target, chooseProcess(target, fault.target, random), fault);
  }
}

/** Moves the clock of a process for a time. If the process is restarted in that time, the new process has the same clock. */
async function moveClock(
  { clocks }: Machine,
  pid: number,
  { aheadS, ms }: { aheadS: number; ms: number },
): Promise<void> {
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

function chooseProcess({ dataDir }: Machine, name: string, random: Random): number {
  const { dealers, hosts, seats } = findRunnerProcesses(dataDir);
  const kinds: Readonly<Record<string, readonly number[]>> = { dealer: dealers, 'seat-host': hosts, seat: seats };
  const candidates = kinds[name];
  const pid =
    candidates === undefined ? pidOf(dataDir, name) : candidates.length > 0 ? random.pick(candidates) : undefined;
  if (pid === undefined) throw new CannotInject(`no ${name} runs at this moment`);
  return pid;
}

async function stop(pid: number, ms: number): Promise<void> {
  signal(pid, 'SIGSTOP');
  await pause(ms);
  signal(pid, 'SIGCONT');
}

/** Lets a process run a tenth of the time. */
async function slowDown(pid: number, ms: number): Promise<void> {
  const deadline = performance.now() + ms;
  while (performance.now() < deadline) {
    await stop(pid, 90);
    await pause(10);
  }
}

async function disturbNetwork(
  proxy: LinkProxy,
  { how, ms }: { readonly how: NetworkFault; readonly ms: number },
  random: Random,
): Promise<void> {
  if (how === 'cut') return proxy.cut();
  if (how === 'dead') return proxy.silenceConnections();
  if (how === 'cut-in-message') {
    proxy.cutAfter(random.integer(1, 2000));
    return;
  }
  if (how === 'delay') proxy.disturb({ kind: how, ms: 200 });
  else if (how === 'loss') proxy.disturb({ kind: how, probability: 0.3, ms: 200, random: () => random.next() });
  else proxy.disturb({ kind: how });
  await pause(ms);
  proxy.disturb({ kind: 'none' });
}

async function cutConnections(target: Machine): Promise<void> {
  await asSuperuser(
    target,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'husky%' AND pid <> pg_backend_pid()`,
  );
}

/** Runs a statement. Throws CannotInject if PostgreSQL is unavailable because of another fault. */
async function asSuperuser(target: Machine, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: target.databaseUrl(), connectionTimeoutMillis: 3000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query({ text: sql, query_timeout: 10_000 } as pg.QueryConfig);
  } catch (error) {
    if (sql !== 'CHECKPOINT') throw new CannotInject(`PostgreSQL: ${error instanceof Error ? error.message : error}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Deletes all streams and consumers of NATS and kills it, so that it starts with an empty disk. */
async function loseNatsDisk(target: Machine, random: Random): Promise<void> {
  const pid = chooseProcess(target, 'nats', random);
  // Stopped, so that it does not write while its files are removed.
  signal(pid, 'SIGSTOP');
  const folder = join(target.dataDir, 'nats/jetstream');
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  signal(pid, 'SIGKILL');
}

async function fillDisk({ disk }: Machine, ms: number, during: () => Promise<void>): Promise<void> {
  if (!(disk instanceof SmallDisk)) throw new CannotInject(disk);
  disk.fill();
  try {
    await Promise.all([pause(ms), during()]);
  } finally {
    disk.free();
  }
}

async function limitMemory(pid: number, ms: number): Promise<void> {
  const groups = findMemoryGroups();
  if (typeof groups === 'string') throw new CannotInject(groups);
  const limit = startLimit(pid, groups);
  await pause(ms);
  limit.release();
}

function startLimit(pid: number, groups: MemoryGroups): MemoryLimit {
  try {
    return MemoryLimit.apply(pid, groups);
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new CannotInject('the process has ended');
  }
}
