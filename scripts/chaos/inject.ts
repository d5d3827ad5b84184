import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { Clocks, clockFileOf, clockReadMs, setClock } from './clocks.ts';
import { SmallDisk } from './disk.ts';
import type { Links } from './links.ts';
import type { MachineFault } from './machine-faults.ts';
import { MemoryLimit } from './memory.ts';
import { pidOf, runnerProcesses, signal } from './processes.ts';
import type { LinkProxy } from './proxy.ts';
import type { Random } from './random.ts';
import { CannotInject } from './target.ts';
import { pause } from './workload.ts';

/** A platform of this machine, as far as faults reach it. */
export interface Machine {
  readonly dataDir: string;
  readonly links: Links;
  /** The disk of its data; a sentence: why it has none of its own. */
  readonly disk: SmallDisk | string;
  /** A sentence: why its clocks cannot be moved. */
  readonly clocks: Clocks | string;
  databaseUrl(): string;
}

/** Makes a fault happen and resolves when it is over and nothing of it is left but its consequences. */
export async function inject(fault: MachineFault, target: Machine, random: Random): Promise<void> {
  switch (fault.kind) {
    case 'kill':
      return signal(processOf(target, fault.target, random), 'SIGKILL');
    case 'restart':
      // PostgreSQL's fast shutdown is SIGINT; SIGTERM would wait for its clients.
      return signal(processOf(target, fault.target, random), fault.target === 'postgres' ? 'SIGINT' : 'SIGTERM');
    case 'immediate-shutdown':
      return signal(processOf(target, 'postgres', random), 'SIGQUIT');
    case 'stop':
      return stop(processOf(target, fault.target, random), fault.ms);
    case 'slow':
      return slow(processOf(target, fault.target, random), fault.ms);
    case 'network':
      return disturb(target.links.proxy(fault.link), fault, random);
    case 'cut-connections':
      return cutConnections(target);
    case 'lose-nats-disk':
      return loseNatsDisk(target, random);
    case 'full-disk':
      return fillDisk(target, fault.ms, async () => undefined);
    case 'full-disk-in-checkpoint':
      return fillDisk(target, fault.ms, () => asSuperuser(target, 'CHECKPOINT'));
    case 'memory-pressure':
      return press(processOf(target, fault.target, random), fault.ms);
    case 'clock':
      return moveClock(target, processOf(target, fault.target, random), fault);
  }
}

/** The clock of a process is wrong for a time. Whatever restarts it meanwhile, the new process has the same clock. */
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

function processOf({ dataDir }: Machine, name: string, random: Random): number {
  const { dealers, hosts, seats } = runnerProcesses(dataDir);
  const kinds: Readonly<Record<string, readonly number[]>> = { dealer: dealers, 'seat-host': hosts, seat: seats };
  const chosen = kinds[name];
  const pid = chosen === undefined ? pidOf(dataDir, name) : chosen.length > 0 ? random.pick(chosen) : undefined;
  if (pid === undefined) throw new CannotInject(`no ${name} runs at this moment`);
  return pid;
}

async function stop(pid: number, ms: number): Promise<void> {
  signal(pid, 'SIGSTOP');
  await pause(ms);
  signal(pid, 'SIGCONT');
}

/** The process runs a tenth of the time. */
async function slow(pid: number, ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    await stop(pid, 90);
    await pause(10);
  }
}

async function disturb(
  proxy: LinkProxy,
  fault: Extract<MachineFault, { kind: 'network' }>,
  random: Random,
): Promise<void> {
  const { how, ms } = fault;
  if (how === 'cut') return proxy.cut();
  if (how === 'dead') return proxy.blackHole();
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

/** Runs a statement. PostgreSQL may be away because of another fault: then this one is left out. */
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

/** NATS loses all streams and consumers and starts with an empty disk. */
async function loseNatsDisk(target: Machine, random: Random): Promise<void> {
  const pid = processOf(target, 'nats', random);
  // It must not write while its files are removed.
  signal(pid, 'SIGSTOP');
  const folder = join(target.dataDir, 'nats/jetstream');
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  signal(pid, 'SIGKILL');
}

async function fillDisk({ disk }: Machine, ms: number, meanwhile: () => Promise<void>): Promise<void> {
  if (!(disk instanceof SmallDisk)) throw new CannotInject(disk);
  disk.fill();
  try {
    await Promise.all([pause(ms), meanwhile()]);
  } finally {
    disk.free();
  }
}

async function press(pid: number, ms: number): Promise<void> {
  if (!MemoryLimit.available) throw new CannotInject('memory control groups cannot be made here');
  const limit = MemoryLimit.press(pid);
  await pause(ms);
  limit.release();
}
