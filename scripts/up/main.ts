// `make up`: bundles the programs if a source has changed, and becomes the supervisor, which keeps the process id.
import { join } from 'node:path';
import { nodeArguments } from '@husky/runtime/process/node-arguments';
import { buildPrograms } from '../build-programs.ts';

const supervisor = await buildPrograms();
process.execve?.(process.execPath, [process.execPath, ...nodeArguments, supervisor], {
  ...process.env,
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/husky-compiled'),
  MALLOC_ARENA_MAX: '2',
});
