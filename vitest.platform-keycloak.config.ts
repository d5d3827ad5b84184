import { defineConfig } from 'vitest/config';

// A whole platform with a Keycloak of its own: gateway/e2e/platform.ts starts it.
process.env.IDENTITY = 'keycloak';

export default defineConfig({
  test: {
    include: [
      ...['accounts', 'access-matrix', 'keycloak/*'].map((name) => `gateway/e2e/${name}.test.ts`),
      'web/e2e/keycloak/*.test.ts',
    ],
    globalSetup: ['gateway/e2e/platform.ts', 'web/e2e/keycloak/setup.ts'],
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The browser's tests change how long tokens last.
    fileParallelism: false,
  },
});
