import { join } from 'node:path';
import type { Logger } from '@husky/runtime/process/logger';
import { type BackOff, type Program, SupervisedProcess } from '@husky/runtime/process/supervised-process';
import { messageOf } from '@husky/runtime/rpc/errors';
import type { FleetRunner } from '../domain/containers.ts';
import { RunnerLog } from './runner-log.ts';

/** Parameters of a runner's two programs. */
export interface RunnerParameters {
  readonly name: string;
  readonly number: number;
  /** `<RUNNERS_DIR>/<name>` */
  readonly folder: string;
  readonly runDir: string;
  /** The core for dealer and seats; undefined: any. */
  readonly cpu: number | undefined;
}

export interface RunnerPrograms {
  dealer(parameters: RunnerParameters): Program;
  seats(parameters: RunnerParameters): Program;
}

export interface RunnerGrace {
  /** Time for the dealer to hand its match back. */
  readonly dealerMs: number;
  /** Time for the seat host to end its seats. */
  readonly seatsMs: number;
}

/** One runner on this machine: two supervised process groups, dealer and seat host. */
export class LocalRunner {
  readonly parameters: RunnerParameters;
  readonly port: number;
  readonly log: RunnerLog;
  readonly #dealer: SupervisedProcess;
  readonly #seats: SupervisedProcess;
  readonly #grace: RunnerGrace;
  #startedAtMs: number;
  #stopped: Promise<void> | null = null;

  constructor(
    parameters: RunnerParameters,
    port: number,
    settings: { programs: RunnerPrograms; grace: RunnerGrace; log: Logger; now: () => number; backOff?: BackOff },
  ) {
    this.parameters = parameters;
    this.port = port;
    this.#grace = settings.grace;
    this.#startedAtMs = settings.now();
    this.log = new RunnerLog(join(parameters.folder, 'runner.log'), (error) => {
      settings.log.warn(`${parameters.name}: writing its log file failed: ${messageOf(error)}`);
    });
    const supervise = (label: string, program: Program) =>
      new SupervisedProcess({
        label,
        program,
        onLine: (line) => this.log.add(label, line),
        // Reports that simulation has from before this start are stale.
        onStart: () => {
          this.#startedAtMs = settings.now();
        },
        onLoss: (why, restartMs) => {
          const text = `${why}; it starts again in ${restartMs / 1000} s`;
          this.log.add('pool', text);
          settings.log.warn({ runner: parameters.name }, `${parameters.name}: ${text}`);
        },
        ...(settings.backOff === undefined ? {} : { backOff: settings.backOff }),
      });
    this.#dealer = supervise('dealer', settings.programs.dealer(parameters));
    this.#seats = supervise('seats', settings.programs.seats(parameters));
  }

  /** Starts the seat host and then the dealer, which needs it to claim a match. */
  start(): void {
    this.#seats.start();
    this.#dealer.start();
  }

  /** Stops the dealer, which hands its match back and reads the seats' logs, and then the seat host. Idempotent. */
  stop(): Promise<void> {
    this.#stopped ??= (async () => {
      await this.#dealer.stop(this.#grace.dealerMs, false);
      await this.#seats.stop(this.#grace.seatsMs);
      await this.log.close();
    })();
    return this.#stopped;
  }

  get pids(): { dealer: number | undefined; seats: number | undefined } {
    return { dealer: this.#dealer.pid, seats: this.#seats.pid };
  }

  describe(): FleetRunner {
    const problem = [this.#seats.problem, this.#dealer.problem].filter((text) => text !== '').join('; ');
    const alive = this.#dealer.alive && this.#seats.alive;
    return {
      name: this.parameters.name,
      port: this.port,
      phase: this.#stopped !== null ? 'stopping' : alive ? 'running' : 'starting',
      startedAtMs: this.#startedAtMs,
      problem,
    };
  }
}
