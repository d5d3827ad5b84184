import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'services/**/*.test.ts',
      'gateway/**/*.test.ts',
      'scripts/**/*.test.ts',
      'k8s/**/*.test.ts',
      'web/src/**/*.test.{ts,tsx}',
    ],
    // The tests of Keycloak accounts need a Keycloak server: make test-keycloak.
    exclude: ['**/node_modules/**', '**/e2e/**', 'services/auth/test/keycloak/**'],
    globalSetup: ['services/lib/testkit/src/global-setup.ts'],
    // Asynchronous results take longer on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
