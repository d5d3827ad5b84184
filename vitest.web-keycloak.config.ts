import { defineConfig } from 'vitest/config';

// The platform of gateway/e2e/platform.ts, started with a Keycloak of its own.
process.env.IDENTITY = 'keycloak';

export default defineConfig({
  test: {
    include: ['web/e2e/keycloak/*.test.ts'],
    globalSetup: ['gateway/e2e/platform.ts', 'web/e2e/keycloak/setup.ts'],
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 90_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
});
