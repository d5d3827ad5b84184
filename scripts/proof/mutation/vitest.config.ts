import { defineConfig } from 'vitest/config';

/** The modules that `make mutation` mutates, with the tests that must kill the mutants. */
export const modules: Readonly<Record<string, { readonly sources: string; readonly tests: readonly string[] }>> = {
  holdem: { sources: 'services/lib/holdem/src', tests: ['services/lib/holdem/test/*.test.ts'] },
  match: { sources: 'services/lib/match/src', tests: ['services/lib/match/test/*.test.ts'] },
  play: { sources: 'services/runner/src/play', tests: ['services/runner/src/play/*.test.ts'] },
  domain: { sources: 'services/simulation/src/domain', tests: ['services/simulation/src/domain/*.test.ts'] },
};

const { tests } = modules[process.env.MUTATION_MODULE ?? ''] ?? { tests: [] };

/** Runs the tests of one mutated module. They need neither PostgreSQL nor NATS, so there is no global set-up. */
export default defineConfig({
  test: { include: [...tests], exclude: ['**/node_modules/**'], testTimeout: 60_000, maxWorkers: 1, isolate: false },
});
