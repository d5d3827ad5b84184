import { defineConfig } from 'vitest/config';

const common = {
  // Asynchronous results take longer on a busy machine.
  expect: { poll: { timeout: 10_000 } },
  // Long loops are ten times as long beside other programs.
  testTimeout: 120_000,
  hookTimeout: 120_000,
};
/** Tests without servers and metrics. Their files share the modules of a worker, so one that changes a module's state restores it. */
const pure = ['services/lib/{holdem,match,estimate}/**/*.test.ts', 'services/*/src/**/!(metrics).test.ts'];

export default defineConfig({
  test: {
    // On two cores: a third of the time the tests wait.
    maxWorkers: 3,
    projects: [
      { test: { ...common, name: 'pure', include: pure, isolate: false } },
      {
        test: {
          ...common,
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          setupFiles: ['web/src/dev/render-in-app.tsx'],
          isolate: false,
        },
      },
      {
        test: {
          ...common,
          name: 'servers',
          include: ['services', 'gateway', 'scripts'].map((folder) => `${folder}/**/*.test.ts`),
          // The tests of Keycloak accounts need a Keycloak server: make test-keycloak.
          exclude: ['**/node_modules/**', '**/e2e/**', 'services/auth/test/keycloak/**', ...pure],
          globalSetup: ['services/lib/testkit/src/global-setup.ts'],
        },
      },
    ],
  },
});
