import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@husky/runtime/process/logger';
import type { BackOff } from '@husky/runtime/process/supervised-process';
import type { FleetRunner } from '../domain/containers.ts';
import { type Fleet, soleLeader } from './fleet.ts';
import { LocalRunner, type RunnerGrace, type RunnerParameters, type RunnerPrograms } from './local-runner.ts';

export interface LocalFleetSettings {
  readonly runnersDir: string;
  readonly basePort: number;
  readonly programs: RunnerPrograms;
  /** Cores assigned to runners round-robin; with fewer than two nothing is pinned. */
  readonly cpus: readonly number[];
  readonly log: Logger;
  readonly now: () => number;
  /** Closes a runner's folders to other users of the machine. Without it the umask determines their permissions. */
  readonly closeFolders?: ((folders: readonly string[]) => void) | undefined;
  readonly grace?: RunnerGrace;
  readonly backOff?: BackOff;
}

// Less than the 10 s of an onStop handler.
const defaultGrace: RunnerGrace = { dealerMs: 6000, seatsMs: 2500 };
// sun_path of Linux, its last byte excluded.
const socketPathBytes = 107;

/** Runs runners as child processes, named runner-1, runner-2 ...; free numbers are reused. */
export class LocalFleet implements Fleet {
  readonly #settings: LocalFleetSettings;
  readonly #runners = new Map<number, LocalRunner>();
  readonly problem = '';
  readonly leadership = soleLeader;
  readonly opened = Promise.resolve();
  #closed = false;

  constructor(settings: LocalFleetSettings) {
    this.#settings = settings;
    const longest = join(settings.runnersDir, 'runner-999/run/seat-5.sock');
    if (Buffer.byteLength(longest) > socketPathBytes) {
      throw new Error(`RUNNERS_DIR ${settings.runnersDir} is too long a path for the unix sockets in it`);
    }
  }

  async runners(): Promise<readonly FleetRunner[]> {
    return [...this.#runners.values()].sort((a, b) => a.port - b.port).map((runner) => runner.describe());
  }

  async start(count: number): Promise<readonly string[]> {
    const names: string[] = [];
    for (let number = 1; names.length < count && !this.#closed; number++) {
      if (this.#runners.has(number)) continue;
      names.push(this.#add(number));
    }
    return names;
  }

  async stop(names: readonly string[]): Promise<void> {
    for (const [number, runner] of this.#runners) {
      if (!names.includes(runner.parameters.name)) continue;
      void runner.stop().then(() => {
        this.#runners.delete(number);
        this.#settings.log.info({ runner: runner.parameters.name }, `${runner.parameters.name} stopped`);
      });
    }
  }

  async log(name: string, maxBytes: number): Promise<string | null> {
    const runner = [...this.#runners.values()].find((candidate) => candidate.parameters.name === name);
    return runner === undefined ? null : runner.log.tail(maxBytes);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#runners.values()].map((runner) => runner.stop()));
    this.#runners.clear();
  }

  /** Returns the process ids of a runner, for tests that kill them. */
  pidsOf(name: string): { dealer: number | undefined; seats: number | undefined } | undefined {
    return [...this.#runners.values()].find((runner) => runner.parameters.name === name)?.pids;
  }

  #add(number: number): string {
    const { runnersDir, basePort, programs, cpus, log, now, backOff, closeFolders } = this.#settings;
    const name = `runner-${number}`;
    const folder = join(runnersDir, name);
    const bots = ['bots', 'packages'].map((kind) => join(folder, 'run', kind));
    for (const path of bots) mkdirSync(path, { recursive: true, mode: 0o755 });
    closeFolders?.([runnersDir, ...bots]);
    const cpu = cpus.length > 1 ? cpus[(number - 1) % cpus.length] : undefined;
    const parameters: RunnerParameters = { name, number, folder, runDir: join(folder, 'run'), cpu };
    const grace = this.#settings.grace ?? defaultGrace;
    const settings = { programs, grace, log, now, ...(backOff === undefined ? {} : { backOff }) };
    const runner = new LocalRunner(parameters, basePort + number, settings);
    this.#runners.set(number, runner);
    runner.start();
    log.info({ runner: name }, `${name} starting${cpu === undefined ? '' : ` on core ${cpu}`}`);
    return name;
  }
}
