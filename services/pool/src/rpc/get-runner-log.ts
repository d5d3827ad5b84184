import type { RunnerLog } from '@husky/contracts/types/pool/v1/RunnerLog';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, PoolHandlers } from '../context.ts';

const maxLogBytes = 256 * 1024;

/** Returns the end of a runner's log. */
export function getRunnerLog(context: Context): PoolHandlers['getRunnerLog'] {
  return async (request): Promise<RunnerLog> => {
    const { port } = request;
    const runner = (await context.fleet.runners()).find((candidate) => candidate.port === port);
    const log = runner === undefined ? null : await context.fleet.log(runner.name, maxLogBytes);
    if (runner === undefined || log === null) {
      throw new DomainError('NOT_FOUND', 'runner-not-found', `No runner has the port ${port}.`);
    }
    return { containerName: runner.name, port, logContent: log };
  };
}
