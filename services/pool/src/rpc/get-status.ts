import type { PoolStatus } from '@husky/contracts/types/pool/v1/PoolStatus';
import { messageOf } from '@husky/runtime/rpc/errors';
import type { Context, PoolHandlers } from '../context.ts';
import { toReports, viewOf } from '../domain/containers.ts';
import { storedTarget } from '../store/scaling-jobs.ts';

/** Returns the fleet's size and its runners with their states. */
export function getStatus(context: Context): PoolHandlers['getStatus'] {
  return async (): Promise<PoolStatus> => {
    const [runners, target, reports] = await Promise.all([
      context.fleet.runners(),
      storedTarget(context.db),
      // Without simulation the page still lists the runners.
      context.simulation.listRunners({}, { timeoutMs: 1000 }).then(
        (response) => toReports(response.runners),
        (error: unknown) => {
          context.log.warn({ err: error }, `reading the runners' states failed: ${messageOf(error)}`);
          return toReports([]);
        },
      ),
    ]);
    const containers = runners.map((runner) => {
      const { state, jobId, sandbox } = viewOf(runner, reports);
      return { containerName: runner.name, port: runner.port, state, jobId, sandbox };
    });
    return { poolSize: containers.length, containers, targetSize: target ?? containers.length };
  };
}
