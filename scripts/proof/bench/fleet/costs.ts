import { readFileSync } from 'node:fs';
import type pg from 'pg';
import type { OwnPlatform } from '../../../up/own-platform.ts';
import { coresBetween, nameLimit, partsOf, type Sample, sample } from '../../load/processor-time.ts';
import type { Replica } from './replicas.ts';

/** The parts whose processor time is reported. */
export const parts = ['simulation', 'live-data', 'submission', 'postgresql', 'nats'] as const;

interface State {
  readonly sample: Sample;
  readonly wal: number;
  readonly bytes: number;
  readonly transactions: number;
  readonly rssMib: ReadonlyMap<string, number>;
}

/** Resources used during an action. */
export interface Costs {
  readonly elapsedS: number;
  /** Processor seconds by part, summed over its replicas. */
  readonly seconds: ReadonlyMap<string, number>;
  readonly wal: number;
  /** Growth of all tables and indexes in bytes. */
  readonly bytes: number;
  readonly transactions: number;
  /** Resident memory at the end. */
  readonly rssMib: ReadonlyMap<string, number>;
  readonly limit: string;
}

/** Measures the resources that the parts of a platform and its database use. */
export class CostMeter {
  readonly #platform: OwnPlatform;
  readonly #client: pg.Client;
  readonly #runnersPid: number;
  replicas: readonly Replica[] = [];

  constructor(platform: OwnPlatform, client: pg.Client, runnersPid: number) {
    this.#platform = platform;
    this.#client = client;
    this.#runnersPid = runnersPid;
  }

  /** Runs an action. Returns its result with its costs. */
  async measure<T>(action: () => Promise<T>): Promise<{ result: T; costs: Costs }> {
    const before = await this.#read();
    const result = await action();
    const after = await this.#read();
    const seconds = new Map<string, number>();
    for (const [name, total] of after.sample.seconds) {
      const part = name.replace(/ \d$/, '');
      seconds.set(part, (seconds.get(part) ?? 0) + total - (before.sample.seconds.get(name) ?? 0));
    }
    const { atMs } = before.sample;
    const costs = {
      elapsedS: (after.sample.atMs - atMs) / 1000,
      seconds,
      wal: after.wal - before.wal,
      bytes: after.bytes - before.bytes,
      transactions: after.transactions - before.transactions,
      rssMib: after.rssMib,
      limit: nameLimit(coresBetween([before.sample, after.sample], atMs, after.sample.atMs)),
    };
    return { result, costs };
  }

  async #read(): Promise<State> {
    const pids = partsOf(this.#platform).set('runners', this.#runnersPid);
    for (const { name, pid } of this.replicas) pids.set(`${name} 2`, pid);
    const { rows } = await this.#client.query<{ wal: string; bytes: string; transactions: string }>(
      `SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS wal, pg_database_size(current_database()) AS bytes,
         (SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()) AS transactions`,
    );
    const [row] = rows;
    return {
      sample: sample(pids),
      wal: Number(row?.wal),
      bytes: Number(row?.bytes),
      transactions: Number(row?.transactions),
      rssMib: new Map([...pids].map(([name, pid]) => [name, readRssMib(pid)])),
    };
  }
}

function readRssMib(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
}
