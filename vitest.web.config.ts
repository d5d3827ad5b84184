import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['web/e2e/**/*.test.ts'],
    // These tests need a Keycloak server: make test-keycloak.
    exclude: ['web/e2e/keycloak/**'],
    globalSetup: ['gateway/e2e/platform.ts', 'web/e2e/setup.ts'],
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 90_000,
    hookTimeout: 60_000,
    // Sequential: some tests change the settings of the event, one stops the gateway.
    fileParallelism: false,
  },
});
