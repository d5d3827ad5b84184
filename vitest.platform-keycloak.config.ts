import { defineConfig } from 'vitest/config';

// Tests of a complete platform with its own Keycloak, which gateway/e2e/platform.ts starts.
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
    // Sequential: the browser tests change the lifetime of tokens.
    fileParallelism: false,
  },
});
