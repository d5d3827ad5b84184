import { defineConfig } from 'vitest/config';
import { modules } from './modules.ts';

const { tests } = modules[process.env.MUTATION_MODULE ?? ''] ?? { tests: [] };

/** The tests of one mutated module. None of them needs PostgreSQL or NATS, so there is no global set-up. */
export default defineConfig({
  test: { include: [...tests], exclude: ['**/node_modules/**'], testTimeout: 60_000, maxWorkers: 1, isolate: false },
});
