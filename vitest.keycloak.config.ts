import { defineConfig } from 'vitest/config';

// Runs auth's tests with accounts in a real Keycloak.
export default defineConfig({
  test: {
    include: ['services/auth/test/**/*.test.ts'],
    // These tests do not depend on where accounts are stored.
    exclude: ['notices', 'notice-delivery', 'start'].map((name) => `services/auth/test/${name}.test.ts`),
    globalSetup: ['services/lib/testkit/src/global-setup.ts', 'services/auth/test/keycloak-setup.ts'],
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
