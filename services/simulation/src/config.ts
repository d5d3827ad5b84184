import { backendSettings, backendVariables, readVariables } from '@husky/runtime/config';
import { z } from 'zod';
import { readBeacon } from './domain/beacon.ts';
import { schema } from './store/database.ts';

const integer = (min: number, defaultValue: number, max = 2 ** 31 - 1) =>
  z.coerce.number().int().min(min).max(max).default(defaultValue);

const variables = {
  ...backendVariables,
  AUTH_ADDRESS: z.string(),
  SUBMISSION_ADDRESS: z.string(),
  LIVE_DATA_ADDRESS: z.string(),
  // Quotas until an admin sets others: unfinished test runs, test runs a day, submissions, uploads a day. submission enforces
  // the last two; it receives them with the event's settings.
  MAX_TEST_RUNS: integer(1, 3),
  MAX_TEST_RUNS_A_DAY: integer(1, 200),
  MAX_SUBMISSIONS: integer(1, 5),
  MAX_UPLOADS_A_DAY: integer(1, 100),
  /** Shares of the runners' work by class, while jobs of all classes wait. */
  WEIGHT_TEST_RUNS: integer(1, 5),
  WEIGHT_MATCHES: integer(1, 3),
  WEIGHT_BATCHES: integer(1, 2),
  LEASE_SECONDS: integer(5, 30),
  LEASE_TOKEN_HOURS: integer(1, 24),
  /** How long resolving packages is retried while the package index is unavailable. */
  PREPARE_MINUTES: integer(1, 5),
  // A public beacon from which cards are dealt too (docs/fairness.md): relays by comma, best one first; empty: none.
  BEACON_URLS: z.string().default(''),
  /** JSON as a relay's /info has it; empty: the chain quicknet of the League of Entropy. */
  BEACON_CHAIN: z.string().default(''),
  // Limits of a bot in a match. The largest values are those of the seat host; for logs, of live-data's DeliverSeatReport.
  BOT_DECISION_MS: integer(1, 5000),
  BOT_BANK_MS: integer(0, 60_000),
  BOT_FREE_MS: integer(1, 100),
  BOT_FAULTS_TO_DISABLE: integer(1, 10),
  BOT_STARTUP_MS: integer(100, 30_000, 600_000),
  BOT_MEMORY_MIB: integer(32, 256, 65_536),
  BOT_LOG_BYTES: integer(1024, 262_144, 262_144),
};

export function readConfig(env: NodeJS.ProcessEnv) {
  const values = readVariables(variables, env);
  return {
    ...values,
    ...backendSettings(values, schema),
    settings: {
      quota: {
        maxTestRuns: values.MAX_TEST_RUNS,
        maxTestRunsADay: values.MAX_TEST_RUNS_A_DAY,
        maxSubmissions: values.MAX_SUBMISSIONS,
        maxUploadsADay: values.MAX_UPLOADS_A_DAY,
      },
      weights: { TEST_RUN: values.WEIGHT_TEST_RUNS, MATCH: values.WEIGHT_MATCHES, BATCH_MATCH: values.WEIGHT_BATCHES },
      beacon: readBeacon(values.BEACON_URLS, values.BEACON_CHAIN),
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
