import { defineConfig } from 'vitest/config';

// Measurements against real servers, such as `make bench-export`.
export default defineConfig({
  test: {
    include: ['services/**/*.bench.ts'],
    globalSetup: ['services/lib/testkit/src/global-setup.ts'],
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
  },
});
