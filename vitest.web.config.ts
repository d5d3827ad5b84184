import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['web/e2e/**/*.test.ts'],
    // Those need a Keycloak: make test-keycloak.
    exclude: ['web/e2e/keycloak/**'],
    globalSetup: ['gateway/e2e/platform.ts', 'web/e2e/setup.ts'],
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 90_000,
    hookTimeout: 60_000,
    // One after the other: some measure time, one takes the gateway away.
    fileParallelism: false,
  },
});
