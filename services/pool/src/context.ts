import { availableParallelism } from 'node:os';
import type { PoolServiceDefinition } from '@husky/contracts/types/pool/v1/PoolService';
import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import type { Lifecycle } from '@husky/runtime/process/lifecycle';
import type { Logger } from '@husky/runtime/process/logger';
import { repeat } from '@husky/runtime/process/repeat';
import { retry } from '@husky/runtime/process/retry';
import type { RpcClient } from '@husky/runtime/rpc/grpc-client';
import type { Handlers } from '@husky/runtime/rpc/grpc-server';
import type { access } from './access.ts';
import { Autoscaler } from './autoscaler.ts';
import type { Config } from './config.ts';
import { type AutoscalingSettings, effectiveSettings, minimumSize } from './domain/sizes.ts';
import type { Fleet } from './fleet/fleet.ts';
import { Scaler, type ScalerSettings } from './scaler.ts';
import type { Autoscaling } from './store/autoscaling.ts';
import type { Database } from './store/database.ts';

/** Dependencies of the handlers. */
export interface Context {
  readonly log: Logger;
  readonly db: Database;
  readonly fleet: Fleet;
  readonly scaler: Scaler;
  readonly autoscaler: Autoscaler;
  readonly simulation: RpcClient<SimulationServiceDefinition>;
  readonly maxSize: number;
}

export type PoolHandlers = Handlers<PoolServiceDefinition, typeof access>;

export type FleetTimes = Pick<ScalerSettings, 'startMs' | 'stopMs' | 'pollMs'> & {
  /** Interval of autoscaling's evaluations. */
  readonly evaluateMs: number;
};

const processTimes: FleetTimes = { startMs: 60_000, stopMs: 30_000, pollMs: 500, evaluateMs: 5000 };
// A pod may use its whole grace period of 30 s, and a node whose clean-up failed retries it after a minute or more.
const podTimes: FleetTimes = { startMs: 120_000, stopMs: 180_000, pollMs: 500, evaluateMs: 5000 };
const maxRestorePauseMs = 1000;

interface Parts {
  readonly db: Database;
  readonly simulation: Context['simulation'];
  readonly fleet: Fleet;
  readonly times: FleetTimes | undefined;
  readonly now: () => number;
}

/** Creates scaler and autoscaler for a fleet. At shutdown they are closed in this order: autoscaler, scaler, leadership, fleet. */
export function createContext(
  config: Config,
  life: Pick<Lifecycle, 'log' | 'onStop'>,
  { db, simulation, fleet, times = timesOf(config), now }: Parts,
): Context & { restoreFleet(): Promise<void> } {
  const { log } = life;
  life.onStop('fleet', () => fleet.close());
  life.onStop('leadership', () => fleet.leadership.close());
  const shared = { db, fleet, simulation, log, now, settingsOf: settingsReader(config) };
  const scaler = new Scaler({ ...shared, drainMs: config.drainMs, ...times });
  life.onStop('scaler', () => scaler.resign());
  const pace = { ...config.autoscaling, startMs: times.startMs };
  const autoscaler = new Autoscaler({ ...shared, scaler, pace, intervalMs: times.evaluateMs });
  life.onStop('autoscaler', () => autoscaler.close());
  const { maxSize, firstSize } = config;
  const context = { log, db, fleet, scaler, autoscaler, simulation, maxSize };
  return {
    ...context,
    async restoreFleet() {
      if (config.kubernetes !== undefined) {
        followJobs(scaler, times.pollMs, life);
        leadWhenElected(scaler, fleet, firstSize, life);
        return;
      }
      await scaler.restore(firstSize);
      // The only process runs the jobs that it records. It finds here those whose recording was committed without a response.
      followJobs(scaler, times.evaluateMs, life);
    },
  };
}

function timesOf({ kubernetes }: Config): FleetTimes {
  return kubernetes === undefined ? processTimes : { ...podTimes, startMs: kubernetes.startMs ?? podTimes.startMs };
}

/** Returns a function that fills the null settings of a stored row from the configuration. */
function settingsReader({ autoscaling, kubernetes, maxSize }: Config): (row: Autoscaling) => AutoscalingSettings {
  // Runners on one machine share its cores: more runners than cores play no faster.
  const fleetMaximum = kubernetes === undefined ? Math.max(minimumSize, availableParallelism()) : maxSize;
  const configured = { ...autoscaling, maximum: autoscaling.maximum ?? fleetMaximum };
  return (row) => effectiveSettings(row, configured, maxSize);
}

/** Runs the jobs that any replica has recorded, while this one leads. */
function followJobs(scaler: Scaler, everyMs: number, life: Pick<Lifecycle, 'log' | 'onStop'>): void {
  // The autoscaler logs that the database is unavailable.
  const jobs = repeat('scaling jobs', everyMs, life.log, () => scaler.follow().catch(() => undefined));
  life.onStop('scaling jobs', () => jobs.stop());
}

/** Takes part in the election, and restores the fleet's size when this replica is elected. */
function leadWhenElected(
  scaler: Scaler,
  { leadership }: Fleet,
  firstSize: number,
  life: Pick<Lifecycle, 'log' | 'onStop'>,
): void {
  let term = new AbortController();
  leadership.start((leading) => {
    term.abort();
    if (!leading) return void scaler.resign();
    term = new AbortController();
    void restoreWithRetry(scaler, firstSize, term.signal, life.log);
  });
  life.onStop('restoring the fleet', () => term.abort());
}

/** Restores the fleet, and retries while that fails, since the API server may be unreachable. Logs each new problem once. */
async function restoreWithRetry(scaler: Scaler, firstSize: number, signal: AbortSignal, log: Logger): Promise<void> {
  await retry(() => scaler.restore(firstSize), {
    signal,
    maxPauseMs: maxRestorePauseMs,
    retryIf: () => true,
    onNewCause: (problem, error) => log.warn({ err: error }, `restoring the fleet failed and is retried: ${problem}`),
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
