import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { retry } from '@husky/runtime/process/retry';
import type { OwnPlatform } from '../../../up/own-platform.ts';
import type { Addresses } from './synthetic-runner.ts';

/** The services that runners call. */
const names = ['simulation', 'submission', 'live-data'] as const;

export interface Replica {
  readonly name: string;
  readonly pid: number;
}

/** Returns the environment variables of a running process. */
export function readEnvironment(pid: number): Record<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}

/** Returns the gRPC addresses of the services of a platform that runners call. */
export function readAddresses(platform: OwnPlatform): Addresses {
  const addresses = JSON.parse(readFileSync(join(platform.dataDir, 'addresses.json'), 'utf8')) as Record<
    string,
    { grpc: string }
  >;
  const address = (name: string) => addresses[name]?.grpc ?? '';
  return { simulation: address('simulation'), submission: address('submission'), 'live-data': address('live-data') };
}

/** A second process of each service that runners call. These call each other and use the platform's database and NATS. */
export class SecondReplicas {
  readonly addresses: Addresses;
  readonly processes: readonly Replica[];
  readonly #children: readonly ChildProcess[];

  private constructor(addresses: Addresses, children: readonly ChildProcess[]) {
    this.addresses = addresses;
    this.#children = children;
    this.processes = names.map((name, at) => ({ name, pid: children[at]?.pid ?? 0 }));
  }

  static async start(platform: OwnPlatform): Promise<SecondReplicas> {
    const ports = await Promise.all([...names, ...names].map(() => freePort()));
    const grpc = names.map((_, at) => `127.0.0.1:${ports[at]}`);
    const ops = names.map((_, at) => `127.0.0.1:${ports[at + names.length]}`);
    const [simulation = '', submission = '', liveData = ''] = grpc;
    const addresses: Addresses = { simulation, submission, 'live-data': liveData };
    const children = names.map((name, at) => {
      const pid = platform.pidOf(name);
      if (pid === undefined) throw new Error(`${name} does not run`);
      return spawn(process.execPath, ['src/main.ts'], {
        cwd: readlinkSync(`/proc/${pid}/cwd`),
        env: {
          ...readEnvironment(pid),
          GRPC_ADDRESS: grpc[at],
          OPS_ADDRESS: ops[at],
          SIMULATION_ADDRESS: simulation,
          SUBMISSION_ADDRESS: submission,
          LIVE_DATA_ADDRESS: liveData,
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    });
    await Promise.all(
      ops.map((address) =>
        retry(
          async () => {
            if (!(await fetch(`http://${address}/readyz`)).ok) throw new Error(`${address} is not ready`);
          },
          { maxMs: 60_000, retryIf: () => true },
        ),
      ),
    );
    return new SecondReplicas(addresses, children);
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        const closed = new Promise((resolve) => child.once('close', resolve));
        child.kill('SIGTERM');
        await closed;
      }),
    );
  }
}
