import {
  databaseSettings,
  databaseVariables,
  natsSettings,
  natsVariables,
  readVariables,
  type ServiceSettings,
  serviceSettings,
  serviceVariables,
} from '@husky/runtime/config';
import type { NatsSettings } from '@husky/runtime/nats';
import type { DatabaseSettings } from '@husky/runtime/postgres';
import { z } from 'zod';
import { minimumSize } from './domain/sizes.ts';
import { schema } from './store/database.ts';

export interface Config {
  readonly service: ServiceSettings;
  readonly database: DatabaseSettings;
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

const dealerVariables = z.record(z.string(), z.string());

const variables = {
  ...serviceVariables,
  ...databaseVariables,
  NATS_URL: natsVariables.NATS_URL.optional(),
  NATS_USER: z.string().default('pool'),
  NATS_PASSWORD_FILE: z.string().optional(),
  NATS_STREAM_REPLICAS: natsVariables.NATS_STREAM_REPLICAS,
  SIMULATION_ADDRESS: z.string(),
  SUBMISSION_ADDRESS: z.string(),
  LIVE_DATA_ADDRESS: z.string(),
  POOL_SIZE: z.coerce.number().int().min(1).max(1000).default(3),
  POOL_MAX_SIZE: z.coerce.number().int().min(3).max(1000).default(16),
  POOL_START_SECONDS: z.coerce.number().min(1).max(3600).default(120),
  POOL_DRAIN_SECONDS: z.coerce.number().min(0).max(3600).default(120),
  AUTOSCALING: z.stringbool().default(false),
  AUTOSCALING_MINIMUM: z.coerce.number().int().min(minimumSize).max(1000).default(minimumSize),
  AUTOSCALING_MAXIMUM: z.coerce.number().int().min(minimumSize).max(1000).optional(),
  AUTOSCALING_DRAIN_SECONDS: z.coerce.number().int().min(10).max(86_400).default(300),
  AUTOSCALING_UP_SECONDS: z.coerce.number().min(0).max(3600).default(15),
  AUTOSCALING_DOWN_SECONDS: z.coerce.number().min(0).max(86_400).default(300),
  AUTOSCALING_ASSUMED_HANDS_PER_SECOND: z.coerce.number().min(1).max(100_000).default(300),
  FLEET: z.enum(['local', 'kubernetes']).default('local'),
  RUNNERS_NAMESPACE: z.string().optional(),
  RUNNERS_DEPLOYMENT: z.string().optional(),
  RUNNERS_DIR: z.string().optional(),
  RUNNER_KEY_FILE: z.string().optional(),
  RUNNER_BASE_PORT: z.coerce.number().int().min(1).max(60_000).default(9000),
  PYTHON: z.string().default('python3'),
  ALLOW_STRANGERS_WITHOUT_SANDBOX: z.enum(['true', 'false']).default('false'),
  DEALER_VARIABLES: z
    .string()
    .default('{}')
    .transform((text) => dealerVariables.parse(JSON.parse(text))),
  PATH: z.string().default('/usr/local/bin:/usr/bin:/bin'),
};

/** Reads and validates the environment variables. Throws when one is missing or invalid. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const read = readVariables(variables, env);
  return {
    service: serviceSettings(read),
    database: databaseSettings(read, schema),
    nats:
      read.NATS_URL === undefined || read.NATS_PASSWORD_FILE === undefined
        ? undefined
        : natsSettings({ ...read, NATS_URL: read.NATS_URL, NATS_PASSWORD_FILE: read.NATS_PASSWORD_FILE }),
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
      assumedRate: read.AUTOSCALING_ASSUMED_HANDS_PER_SECOND,
    },
    kubernetes:
      read.FLEET === 'kubernetes'
        ? {
            namespace: required(read, 'RUNNERS_NAMESPACE'),
            deployment: required(read, 'RUNNERS_DEPLOYMENT'),
            startMs: read.POOL_START_SECONDS * 1000,
          }
        : undefined,
    local: {
      runnersDir: read.FLEET === 'local' ? required(read, 'RUNNERS_DIR') : '',
      runnerKeyFile: read.FLEET === 'local' ? required(read, 'RUNNER_KEY_FILE') : '',
      basePort: read.RUNNER_BASE_PORT,
      python: read.PYTHON,
      allowStrangers: read.ALLOW_STRANGERS_WITHOUT_SANDBOX === 'true',
      path: read.PATH,
      passedOn: Object.fromEntries(
        Object.entries(env).flatMap(([name, value]) =>
          value && (name.startsWith('OTEL_') || name === 'NODE_COMPILE_CACHE') ? [[name, value]] : [],
        ),
      ),
      dealerVariables: read.DEALER_VARIABLES,
    },
  };
}

function required<N extends string>(
  read: Partial<Record<N, string | undefined>> & { readonly FLEET: string },
  name: N,
) {
  const value: string | undefined = read[name];
  if (value === undefined) throw new Error(`Configuration is not complete: FLEET=${read.FLEET} needs ${name}`);
  return value;
}
