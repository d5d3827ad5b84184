import { defineConfig } from 'vitest/config';
import { modules } from './modules.ts';

const { tests } = modules[process.env.MUTATION_MODULE ?? ''] ?? { tests: [] };

/** Runs the tests of one mutated module. They need neither PostgreSQL nor NATS, so there is no global set-up. */
export default defineConfig({
  test: { include: [...tests], exclude: ['**/node_modules/**'], testTimeout: 60_000, maxWorkers: 1, isolate: false },
});
