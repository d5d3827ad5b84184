import { join } from 'node:path';

/** Variables of every program that runs on Node. */
export const nodeVariables = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/husky-compiled'),
  // glibc keeps what was freed in further arenas, and below thresholds that grow with each large block.
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
