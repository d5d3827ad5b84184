import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['gateway/e2e/**/*.test.ts'],
    // These tests need a Keycloak server: make test-keycloak.
    exclude: ['gateway/e2e/keycloak/**'],
    globalSetup: ['gateway/e2e/platform.ts'],
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
  },
});
