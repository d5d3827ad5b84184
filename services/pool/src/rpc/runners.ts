import type { ListScalingJobsResponse } from '@husky/contracts/types/pool/v1/ListScalingJobsResponse';
import type { PoolStatus } from '@husky/contracts/types/pool/v1/PoolStatus';
import type { RunnerLog } from '@husky/contracts/types/pool/v1/RunnerLog';
import type { ScalingJob as ScalingJobMessage } from '@husky/contracts/types/pool/v1/ScalingJob';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import { pageOf } from '@husky/runtime/rpc/page';
import type { Context, PoolHandlers } from '../context.ts';
import { toReports, viewOf } from '../domain/containers.ts';
import { checkTarget } from '../domain/sizes.ts';
import { autoscalingUserId, listJobs, type ScalingJob, storedTarget } from '../store/scaling-jobs.ts';

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

/** Records a change of size and returns its job, which the scaler carries out later. Switches autoscaling off. */
export function scale(context: Context): PoolHandlers['scale'] {
  return async (request, { caller: admin }): Promise<ScalingJobMessage> => {
    checkTarget(request.targetSize, context.maxSize);
    const { job, autoscalingEnded } = await context.scaler.request(request.targetSize, admin);
    const suffix = autoscalingEnded ? '; autoscaling was switched off' : '';
    context.log.info(
      { scalingJob: job.id, userId: admin.id },
      `scaling to ${request.targetSize} runners requested${suffix}`,
    );
    if (autoscalingEnded) context.autoscaler.wake();
    return { ...presentJob(job), autoscalingEnded };
  };
}

/** Lists scaling jobs, newest first. */
export function listScalingJobs(context: Context): PoolHandlers['listScalingJobs'] {
  return async (request): Promise<ListScalingJobsResponse> => {
    const { jobs, total } = await listJobs(context.db, request, pageOf(request));
    return { jobs: jobs.map(presentJob), total };
  };
}

function presentJob(job: ScalingJob): ScalingJobMessage {
  const { createdAt, completedAt, userId, ...rest } = job;
  return {
    ...rest,
    userId: userId === autoscalingUserId ? '' : userId,
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? '',
  };
}
