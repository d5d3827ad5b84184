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
    // Those of Keycloak's mode need a Keycloak: make test-keycloak.
    exclude: ['**/node_modules/**', '**/e2e/**', 'services/auth/test/keycloak/**'],
    globalSetup: ['services/lib/testkit/src/global-setup.ts'],
    // What comes by itself comes when the machine has time.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
