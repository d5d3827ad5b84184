import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
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

/** User ids of seats when the seat host is root (services/runner/seat/husky_seat/uids.py). */
export const seatUsers = { first: 61_000, last: 61_183 };

/**
 * A Python program that sets a POSIX access control list in the kernel's format (linux/posix_acl_xattr.h): the owner has all rights, each
 * seat's user may enter but not list, others have none. `ls -l` shows mode 0710.
 */
const program = `
import os, struct, sys
first, last, folders = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
nobody = 0xFFFFFFFF
entries = [(0x01, 7, nobody), *((0x02, 1, user) for user in range(first, last + 1)), (0x04, 0, nobody), (0x10, 1, nobody), (0x20, 0, nobody)]
value = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
for folder in folders:
    os.setxattr(folder, "system.posix_acl_access", value)
`;

/**
 * Closes folders to all other users of this machine. Seats run as the pool's user or, if that is root, get access through an access
 * control list. On a file system without such lists the folders stay open, since seats need them, and a warning is logged.
 */
export function closeFolders(python: string, folders: readonly string[], log: Pick<Logger, 'warn'>): void {
  if (process.getuid?.() !== 0) {
    for (const folder of folders) chmodSync(folder, 0o700);
    return;
  }
  const args = ['-I', '-S', '-c', program, String(seatUsers.first), String(seatUsers.last), ...folders];
  try {
    execFileSync(python, args, { stdio: 'pipe', timeout: 10_000 });
  } catch (error) {
    const why =
      String((error as { stderr?: Buffer }).stderr ?? '')
        .trim()
        .split('\n')
        .at(-1) || messageOf(error);
    log.warn(`local users can read the bots in ${folders[0]}: no access control list can be set there (${why})`);
  }
}
