import type { ListScalingJobsResponse } from '@husky/contracts/types/pool/v1/ListScalingJobsResponse';
import type { PoolStatus } from '@husky/contracts/types/pool/v1/PoolStatus';
import type { RunnerLog } from '@husky/contracts/types/pool/v1/RunnerLog';
import type { ScalingJob as ScalingJobMessage } from '@husky/contracts/types/pool/v1/ScalingJob';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import { pageOf } from '@husky/runtime/rpc/page';
import type { Context, PoolHandlers } from '../context.ts';
import { type ContainerView, toReports, viewOf } from '../domain/containers.ts';
import { checkTarget, joinFirst } from '../domain/sizes.ts';
import { autoscalingUserId, isOpen, listJobs, type ScalingJob, storedTarget } from '../store/scaling-jobs.ts';

/** Returns all runners with their states. */
async function viewRunners(context: Context): Promise<ContainerView[]> {
  const [runners, reports] = await Promise.all([
    context.fleet.runners(),
    // Without simulation the page still lists the runners.
    context.simulation.listRunners({}, { timeoutMs: 1000 }).then(
      (response) => toReports(response.runners),
      (error: unknown) => {
        context.log.warn({ err: error }, `reading the runners' states failed: ${messageOf(error)}`);
        return toReports([]);
      },
    ),
  ]);
  return runners.map((runner) => viewOf(runner, reports));
}

/** Returns the fleet's size and its runners with their states. */
export function getStatus(context: Context): PoolHandlers['getStatus'] {
  return async (): Promise<PoolStatus> => {
    const [views, target] = await Promise.all([viewRunners(context), storedTarget(context.db)]);
    const containers = views.map(({ runner, ...view }) => ({
      ...view,
      containerName: runner.name,
      port: runner.port,
      since: new Date(runner.startedAtMs).toISOString(),
    }));
    return { poolSize: containers.length, containers, targetSize: target ?? containers.length };
  };
}

const maxLogBytes = 256 * 1024;

/** Returns the end of a runner's log. */
export function getRunnerLog(context: Context): PoolHandlers['getRunnerLog'] {
  return async (request): Promise<RunnerLog> => {
    const { port } = request;
    const runner = (await context.fleet.runners()).find((candidate) => candidate.port === port);
    if (runner === undefined) {
      throw new DomainError('NOT_FOUND', 'runner-not-found', `No runner has the port ${port}.`);
    }
    const log = await context.fleet.log(runner.name, maxLogBytes);
    return {
      containerName: runner.name,
      port,
      logContent: log ?? `pool | no log: ${runner.problem || 'it has ended'}`,
    };
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
    const waitingReason = jobs.some(isOpen) ? await waitingReasonOf(context) : '';
    return {
      jobs: jobs.map((job) => ({ ...presentJob(job), waitingReason: isOpen(job) ? waitingReason : '' })),
      total,
    };
  };
}

/** Returns what the fleet's runners wait for, which an open job waits for too. */
async function waitingReasonOf(context: Context): Promise<string> {
  const views = await viewRunners(context).catch((error: unknown) => messageOf(error));
  if (typeof views === 'string') return views;
  const waiting = views.filter(({ state }) => state === 'starting' || state === 'stopping');
  return joinFirst(
    waiting.map(({ runner, reason }) => `${runner.name}: ${reason}`),
    '; ',
  );
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
