import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['gateway/e2e/**/*.test.ts'],
    globalSetup: ['gateway/e2e/platform.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
  },
});
