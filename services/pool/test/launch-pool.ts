import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poolService } from '@husky/contracts/services';
import type { PoolServiceDefinition } from '@husky/contracts/types/pool/v1/PoolService';
import { createLogger } from '@husky/runtime/process/logger';
import type { Caller } from '@husky/runtime/rpc/caller';
import type { RpcClient } from '@husky/runtime/rpc/grpc-client';
import { type TestDatabase, testClient, testDatabase } from '@husky/testkit/servers';
import { testLife, testSettings } from '@husky/testkit/service-under-test';
import { vi } from 'vitest';
import type { Config } from '../src/config.ts';
import type { Fleet } from '../src/fleet/fleet.ts';
import { LocalFleet } from '../src/fleet/local-fleet.ts';
import { start } from '../src/start.ts';
import { KubernetesApi } from './kubernetes-api.ts';
import { testPrograms } from './programs.ts';
import { type FakeSimulation, startSimulation } from './simulation.ts';

export const userId = '11111111-1111-4111-8111-111111111111';
export const admin: Caller = { kind: 'user', id: userId, username: 'boss', admin: true, verified: true };
export const asAdmin = { caller: admin };
export const log = createLogger('pool', 'fatal');

export interface TestWorld {
  readonly database: TestDatabase;
  readonly simulation: FakeSimulation;
  readonly runnersDir: string;
  stop(): Promise<void>;
}

export interface LaunchedPool {
  readonly client: RpcClient<PoolServiceDefinition>;
  readonly fleet: Fleet;
  stop(): Promise<void>;
}

/** Creates the surroundings of a pool: database, simulation and a folder for runners. */
export async function testWorld(): Promise<TestWorld> {
  const database = await testDatabase('pool');
  const simulation = await startSimulation();
  const runnersDir = mkdtempSync(join(tmpdir(), 'husky-pool-'));
  return {
    database,
    simulation,
    runnersDir,
    async stop() {
      await simulation.stop();
      await database.drop();
      rmSync(runnersDir, { recursive: true, force: true });
    },
  };
}

/** Starts a Kubernetes API whose pods claim matches from the world's simulation as soon as they are ready. */
export async function startKubernetesApi(world: TestWorld): Promise<KubernetesApi> {
  const api = new KubernetesApi();
  api.onReady = (name) => world.simulation.runners.set(name, { state: 'IDLE', cordoned: false });
  await api.start();
  return api;
}

export interface Launch {
  readonly config?: Partial<Config>;
  readonly programs?: ReturnType<typeof testPrograms>;
  readonly fleet?: Fleet;
  readonly startMs?: number;
  /** host:port; default: the world's simulation. */
  readonly simulation?: string;
}

/** Creates a fleet of small real processes. */
function localFleet({ runnersDir }: TestWorld, programs = testPrograms()): LocalFleet {
  const grace = { dealerMs: 2000, seatsMs: 1000 };
  return new LocalFleet({ runnersDir, basePort: 9000, programs, cpus: [], log, now: Date.now, grace });
}

/** Starts the real service with a real database. Runners are small real processes unless `fleet` is given. */
export async function launchPool(world: TestWorld, options: Launch = {}): Promise<LaunchedPool> {
  const { database, runnersDir } = world;
  const config: Config = {
    service: testSettings('pool'),
    database: { url: database.url, password: database.password, schema: 'pool', poolSize: 4 },
    addresses: { simulation: options.simulation ?? world.simulation.address, submission: '', liveData: '' },
    firstSize: 3,
    maxSize: 6,
    drainMs: 10_000,
    autoscaling: {
      enabled: false,
      minimum: 3,
      maximum: 6,
      drainSeconds: 10,
      upMs: 0,
      downMs: 0,
      assumedRate: 300,
    },
    local: {
      runnersDir,
      runnerKeyFile: '',
      basePort: 9000,
      python: '',
      allowStrangers: false,
      path: '',
      passedOn: {},
      dealerVariables: {},
    },
    ...options.config,
  };
  const fleet = options.fleet ?? localFleet(world, options.programs);
  const life = testLife('pool');
  const times = { startMs: options.startMs ?? 4000, stopMs: 5000, pollMs: 20, evaluateMs: 20 };
  const port = await start(config, life, fleet, times);
  const client = testClient(poolService, port);
  let stopped = false;
  return {
    client,
    fleet,
    async stop() {
      if (stopped) return;
      stopped = true;
      client.close();
      await life.stop();
    },
  };
}

/** Repeats `check` until it passes, for at most a minute. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 });
