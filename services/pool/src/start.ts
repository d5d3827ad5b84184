import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { poolService, simulationService } from '@husky/contracts/services';
import { messageOf } from '@husky/runtime/errors';
import { createRpcClient } from '@husky/runtime/grpc-client';
import { createSigner } from '@husky/runtime/identity';
import type { Lifecycle } from '@husky/runtime/lifecycle';
import type { Logger } from '@husky/runtime/logger';
import { connectNats } from '@husky/runtime/nats';
import { startOutboxRelay } from '@husky/runtime/outbox';
import { openMigrated } from '@husky/runtime/postgres';
import { serve } from '@husky/runtime/serve';
import { openTls } from '@husky/runtime/tls';
import { KubeConfig } from '@kubernetes/client-node';
import { access } from './access.ts';
import { Autoscaler } from './autoscaler.ts';
import type { Config } from './config.ts';
import { type AutoscalingSettings, effective } from './domain/autoscaling-settings.ts';
import { minimumSize } from './domain/target.ts';
import { closeFolders } from './fleet/closed-folders.ts';
import type { Fleet } from './fleet/fleet.ts';
import { KubernetesFleet } from './fleet/kubernetes-fleet.ts';
import { LocalFleet } from './fleet/local-fleet.ts';
import { allowedCpus, findProgram } from './fleet/processors.ts';
import { runnerPrograms } from './fleet/runner-programs.ts';
import { exportMetrics } from './metrics.ts';
import { Scaler, type ScalerSettings } from './scaler.ts';
import { createHandlers } from './server.ts';
import type { Autoscaling } from './store/autoscaling.ts';
import { clientOver, schema } from './store/database.ts';

const usualTimes = { startMs: 60_000, stopMs: 30_000, pollMs: 500, lookMs: 5000 };
// A pod may use its whole grace of 30 s, and a node that failed to clean up tries again after a minute or more.
const podTimes = { startMs: 120_000, stopMs: 180_000, pollMs: 500, lookMs: 5000 };

/** Opens everything, serves, starts the fleet, and answers the port. */
export async function start(
  config: Config,
  life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>,
  fleet: Fleet = usualFleet(config, life.log),
  times: Pick<ScalerSettings, 'startMs' | 'stopMs' | 'pollMs'> & { readonly lookMs: number } = config.kubernetes ===
  undefined
    ? usualTimes
    : { ...podTimes, startMs: config.kubernetes.startMs ?? podTimes.startMs },
): Promise<number> {
  const { log } = life;
  const migrations = join(import.meta.dirname, '../prisma/migrations');
  const { pool, db: prisma, close } = await openMigrated(config.database, migrations, clientOver);
  life.onStop('database', close);
  life.readyWhen('database', async () => void (await pool.query('SELECT 1')));
  const db = { prisma, pool };

  if (config.nats !== undefined) {
    const messaging = await connectNats(config.nats, log, schema);
    life.onStop('nats', () => messaging.close());
    const relay = startOutboxRelay(pool, messaging, log);
    life.onStop('outbox relay', () => relay.stop());
  }

  const tls = openTls(config.service.tls);
  const signer = createSigner(config.service.keyFile);
  const simulation = createRpcClient(simulationService, config.addresses.simulation, signer, tls);
  life.onStop('simulation client', () => simulation.close());

  life.onStop('fleet', () => fleet.close());
  const settingsOf = settingsBy(config);
  const shared = { db, fleet, simulation, log, now: Date.now, settingsOf };
  const scaler = new Scaler({ ...shared, drainMs: config.drainMs, ...times });
  life.onStop('scaler', () => scaler.close());
  const pace = { ...config.autoscaling, startMs: times.startMs };
  const autoscaler = new Autoscaler({ ...shared, scaler, pace, everyMs: times.lookMs });
  exportMetrics(autoscaler);
  life.onStop('autoscaler', () => autoscaler.close());

  const context = { log, db, fleet, scaler, autoscaler, simulation, maxSize: config.maxSize };
  const port = await serve(life, config.service, tls, poolService, access, createHandlers(context));
  if (config.kubernetes === undefined) await scaler.begin(config.firstSize);
  else void beginPatiently(scaler, config.firstSize, log, life);
  autoscaler.start();
  return port;
}

/** What holds of autoscaling: its row, and where that says nothing the configuration. */
function settingsBy({ autoscaling, kubernetes, maxSize }: Config): (row: Autoscaling) => AutoscalingSettings {
  // Processes of one machine share its cores: more runners than these play no faster.
  const suits = kubernetes === undefined ? Math.max(minimumSize, availableParallelism()) : maxSize;
  const configured = { ...autoscaling, maximum: autoscaling.maximum ?? suits };
  return (row) => effective(row, configured, maxSize);
}

/** The API server may be away when the pool starts: everything else is served meanwhile. */
async function beginPatiently(
  scaler: Scaler,
  firstSize: number,
  log: Logger,
  life: Pick<Lifecycle, 'onStop'>,
): Promise<void> {
  const stop = new AbortController();
  life.onStop('begin', () => stop.abort());
  let told = '';
  while (!stop.signal.aborted) {
    try {
      await scaler.begin(firstSize);
      return;
    } catch (error) {
      if (messageOf(error) !== told) log.warn({ err: error }, `the fleet waits: ${messageOf(error)}`);
      told = messageOf(error);
    }
    await pause(1000, undefined, { signal: stop.signal }).catch(() => undefined);
  }
}

function usualFleet(config: Config, log: Logger): Fleet {
  return config.kubernetes === undefined ? localFleet(config, log) : kubernetesFleet(config.kubernetes, log);
}

function kubernetesFleet(place: { readonly namespace: string; readonly deployment: string }, log: Logger): Fleet {
  const config = new KubeConfig();
  config.loadFromDefault();
  // The labels that the chart gives to the runners.
  const labelSelector = 'app.kubernetes.io/part-of=husky-holdem,app.kubernetes.io/component=runner';
  return new KubernetesFleet({ ...place, config, labelSelector, log, now: Date.now });
}

function localFleet(config: Config, log: Logger): Fleet {
  const { local, service } = config;
  return new LocalFleet({
    closeFolders: (folders) => closeFolders(config.local.python, folders, log),
    runnersDir: resolve(local.runnersDir),
    basePort: local.basePort,
    cpus: allowedCpus(),
    log,
    now: Date.now,
    programs: runnerPrograms({
      runnerFolder: join(import.meta.dirname, '../../runner'),
      node: process.execPath,
      python: local.python,
      taskset: findProgram('taskset', local.path),
      path: local.path,
      addresses: config.addresses,
      runnerKeyFile: resolve(local.runnerKeyFile),
      tls: service.tls,
      logLevel: service.logLevel,
      otlpEndpoint: service.otlpEndpoint,
      allowStrangers: local.allowStrangers,
    }),
  });
}
