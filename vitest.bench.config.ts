import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.config.ts';

// Measurements against real servers, such as `make bench-export`.
export default mergeConfig(
  config,
  defineConfig({ test: { include: ['services/**/*.bench.ts'], testTimeout: 1_200_000, hookTimeout: 120_000 } }),
);
