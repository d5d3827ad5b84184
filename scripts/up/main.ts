// `make up`: bundles the programs if a source has changed, and becomes the supervisor, which keeps the process id.
import { nodeArguments } from '@husky/runtime/process/node-arguments';
import { buildPrograms } from '../build-programs.ts';
import { nodeVariables } from './node-variables.ts';

const supervisor = await buildPrograms();
process.execve?.(process.execPath, [process.execPath, ...nodeArguments, supervisor], {
  ...process.env,
  ...nodeVariables,
});
