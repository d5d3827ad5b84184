import type { NatsSettings } from '@husky/runtime/messages/nats';
import { type BackendSettings, backendSettings, readPart } from '@husky/runtime/process/config';
import type { ValuesOf } from '@husky/runtime/process/variables';

export interface Config extends Omit<BackendSettings, 'nats'> {
  /** NATS, for audit records; without it they stay in the outbox. */
  readonly nats?: NatsSettings | undefined;
  readonly addresses: { readonly simulation: string; readonly submission: string; readonly liveData: string };
  readonly firstSize: number;
  readonly maxSize: number;
  readonly drainMs: number;
  /** Settings that apply until an admin changes them, and reaction times. */
  readonly autoscaling: {
    readonly enabled: boolean;
    readonly minimum: number;
    /** undefined: the default of the fleet. */
    readonly maximum: number | undefined;
    readonly drainSeconds: number;
    readonly upMs: number;
    readonly downMs: number;
    readonly assumedRate: number;
  };
  /** Runners as pods of a Deployment; undefined: processes of this machine. */
  readonly kubernetes?:
    | {
        readonly namespace: string;
        readonly deployment: string;
        /** Time limit for a new pod until its first claim. */
        readonly startMs?: number;
      }
    | undefined;
  readonly local: {
    readonly runnersDir: string;
    readonly runnerKeyFile: string;
    readonly basePort: number;
    readonly python: string;
    readonly allowStrangers: boolean;
    readonly path: string;
    /** The pool's own variables that dealers get too: those of OpenTelemetry, and the folder of compiled code. */
    readonly passedOn: Readonly<Record<string, string>>;
    /** Further variables of dealers; `{number}` in a value stands for the number of the runner. */
    readonly dealerVariables: Readonly<Record<string, string>>;
  };
}

const basePort = 9000;

/** Reads and validates the environment variables. Throws when one is missing or invalid. */
/** Hands a second of a runner while none is measured. */
const assumedRate = 300;

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const read = readPart('pool', env);
  const isLocal = read.RUNNERS_DEPLOYMENT === undefined;
  return {
    ...backendSettings('pool', read),
    addresses: {
      simulation: read.SIMULATION_ADDRESS,
      submission: read.SUBMISSION_ADDRESS,
      liveData: read.LIVE_DATA_ADDRESS,
    },
    firstSize: read.POOL_SIZE,
    maxSize: read.POOL_MAX_SIZE,
    drainMs: read.POOL_DRAIN_SECONDS * 1000,
    autoscaling: {
      enabled: read.AUTOSCALING,
      minimum: read.AUTOSCALING_MINIMUM,
      maximum: read.AUTOSCALING_MAXIMUM,
      drainSeconds: read.AUTOSCALING_DRAIN_SECONDS,
      upMs: read.AUTOSCALING_UP_SECONDS * 1000,
      downMs: read.AUTOSCALING_DOWN_SECONDS * 1000,
      assumedRate,
    },
    kubernetes:
      read.RUNNERS_DEPLOYMENT === undefined
        ? undefined
        : {
            namespace: required(read, 'RUNNERS_NAMESPACE'),
            deployment: read.RUNNERS_DEPLOYMENT,
            startMs: read.POOL_START_SECONDS * 1000,
          },
    local: {
      runnersDir: isLocal ? required(read, 'RUNNERS_DIR') : '',
      runnerKeyFile: isLocal ? required(read, 'RUNNER_KEY_FILE') : '',
      basePort,
      python: read.PYTHON,
      allowStrangers: read.ALLOW_STRANGERS_WITHOUT_SANDBOX,
      path: env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
      passedOn: Object.fromEntries(
        Object.entries(env).flatMap(([name, value]) =>
          value && (name.startsWith('OTEL_') || /^(NODE_COMPILE_CACHE|MALLOC_ARENA_MAX)$/.test(name))
            ? [[name, value]]
            : [],
        ),
      ),
      dealerVariables: read.DEALER_VARIABLES,
    },
  };
}

function required(read: ValuesOf<'pool'>, name: 'RUNNERS_NAMESPACE' | 'RUNNERS_DIR' | 'RUNNER_KEY_FILE'): string {
  const value = read[name];
  if (value !== undefined) return value;
  const deployment = read.RUNNERS_DEPLOYMENT === undefined ? 'without' : 'with';
  throw new Error(`Configuration is not complete: ${name} is missing, ${deployment} RUNNERS_DEPLOYMENT`);
}
