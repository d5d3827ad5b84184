import {
  databaseSettings,
  databaseVariables,
  natsSettings,
  natsVariables,
  readVariables,
  serviceSettings,
  serviceVariables,
} from '@husky/runtime/config';
import { z } from 'zod';

const whole = (least: number, standard: number) => z.coerce.number().int().min(least).default(standard);

const variables = {
  ...serviceVariables,
  ...databaseVariables,
  ...natsVariables,
  AUTH_ADDRESS: z.string(),
  SUBMISSION_ADDRESS: z.string(),
  LIVE_DATA_ADDRESS: z.string(),
  // What a user may, until the organisers set something else: unfinished test runs, those of a day, kept submissions and
  // uploads of a day. submission holds the last two to what simulation tells.
  MAX_TEST_RUNS: whole(1, 3),
  MAX_TEST_RUNS_A_DAY: whole(1, 200),
  MAX_SUBMISSIONS: whole(1, 5),
  MAX_UPLOADS_A_DAY: whole(1, 100),
  /** Shares of the runners' work that the classes get while all of them wait. */
  WEIGHT_TEST_RUNS: whole(1, 5),
  WEIGHT_MATCHES: whole(1, 3),
  WEIGHT_BATCHES: whole(1, 2),
  LEASE_SECONDS: whole(5, 30),
  LEASE_TOKEN_HOURS: whole(1, 24),
  /** How long a package index that is away is tried for. */
  PREPARE_MINUTES: whole(1, 5),
  // Limits of a bot in a match (Decision 5 of the engine).
  BOT_DECISION_MS: whole(1, 5000),
  BOT_BANK_MS: whole(0, 60_000),
  BOT_FREE_MS: whole(1, 100),
  BOT_FAULTS_TO_DISABLE: whole(1, 10),
  BOT_STARTUP_MS: whole(100, 30_000),
  BOT_MEMORY_MIB: whole(32, 256),
  BOT_LOG_BYTES: whole(1024, 262_144),
};

export function readConfig(env: NodeJS.ProcessEnv) {
  const values = readVariables(variables, env);
  return {
    ...values,
    service: serviceSettings(values),
    database: databaseSettings(values, 'simulation'),
    nats: natsSettings(values),
    settings: {
      quota: {
        maxTestRuns: values.MAX_TEST_RUNS,
        maxTestRunsADay: values.MAX_TEST_RUNS_A_DAY,
        maxSubmissions: values.MAX_SUBMISSIONS,
        maxUploadsADay: values.MAX_UPLOADS_A_DAY,
      },
      weights: { TEST_RUN: values.WEIGHT_TEST_RUNS, MATCH: values.WEIGHT_MATCHES, BATCH_MATCH: values.WEIGHT_BATCHES },
      leaseSeconds: values.LEASE_SECONDS,
      leaseTokenSeconds: values.LEASE_TOKEN_HOURS * 3600,
      prepareMs: values.PREPARE_MINUTES * 60_000,
      limits: {
        decisionMs: values.BOT_DECISION_MS,
        bankMs: values.BOT_BANK_MS,
        freeMs: values.BOT_FREE_MS,
        faultsToDisable: values.BOT_FAULTS_TO_DISABLE,
        startupMs: values.BOT_STARTUP_MS,
        memoryMib: values.BOT_MEMORY_MIB,
        logBytes: values.BOT_LOG_BYTES,
      },
    },
  };
}

export type Config = ReturnType<typeof readConfig>;
