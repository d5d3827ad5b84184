import { defaultQuota } from '@husky/contracts/events';
import { backendSettings, readPart } from '@husky/runtime/process/config';
import { readBeacon } from './domain/seed-list.ts';

/** Shares of the runners' work by class, while jobs of all classes wait. */
const weights = { TEST_RUN: 5, MATCH: 3, BATCH_MATCH: 2 };
/** Validity of a lease token, and so the longest attempt. */
const leaseTokenSeconds = 24 * 3600;
/** How long resolving packages is retried while the package index is unavailable. */
const prepareMs = 5 * 60_000;

export function readConfig(env: NodeJS.ProcessEnv) {
  const values = readPart('simulation', env);
  return {
    ...values,
    ...backendSettings('simulation', values),
    settings: {
      quota: defaultQuota,
      defaultHands: values.DEFAULT_HANDS,
      ladder: values.LADDER,
      weights,
      beacon: readBeacon(values.BEACON_URLS, values.BEACON_CHAIN),
      leaseSeconds: values.LEASE_SECONDS,
      leaseTokenSeconds,
      prepareMs,
      limits: {
        decisionMs: values.BOT_DECISION_MS,
        bankMs: values.BOT_BANK_MS,
        freeMs: values.BOT_FREE_MS,
        faultsToDisable: values.BOT_FAULTS_TO_DISABLE,
        startupMs: values.BOT_STARTUP_MS,
        memoryMib: values.BOT_MEMORY_MIB,
        logBytes: 256 << 10,
      },
    },
  };
}

export type Config = ReturnType<typeof readConfig>;
