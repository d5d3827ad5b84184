import type { Autoscaling__Output } from '@husky/contracts/types/pool/v1/Autoscaling';
import type { Container__Output } from '@husky/contracts/types/pool/v1/Container';
import type { Context } from '../../context.ts';
import { route } from '../../http/route.ts';
import {
  autoscaling,
  autoscalingBody,
  logParams,
  logResponse,
  poolDetailed,
  poolStatus,
  scaleQuery,
  scaleResponse,
} from './schema.ts';

const presentContainer = (container: Container__Output) => ({
  container_name: container.containerName,
  port: container.port,
  state: container.state,
  job_id: container.jobId || null,
  reason: container.reason,
  since: container.since,
  sandbox: container.sandbox,
});

async function presentAutoscaling(saved: Autoscaling__Output, context: Context) {
  const nameOf = await context.names.of([saved.updatedById]);
  const { view } = saved;
  return {
    enabled: saved.enabled,
    minimum: saved.minimum,
    maximum: saved.maximum,
    largest_maximum: saved.largestMaximum,
    drain_seconds: saved.drainSeconds,
    version: saved.version,
    updated_at: saved.updatedAt,
    updated_by: saved.updatedById === '' ? null : nameOf(saved.updatedById),
    state: view?.state ?? 'off',
    reason: view?.reason ?? 'The pool has not looked at the backlog yet.',
    backlog_hands: view?.backlogHands ?? 0,
    hands_per_second: view?.handsPerSecond ?? 0,
    wanted_size: view?.desiredSize ?? 0,
    looked_at: view?.lookedAt ?? null,
  };
}

const countInState = (containers: readonly Container__Output[], state: string) =>
  containers.filter((container) => container.state === state).length;

export const dockerRoutes = [
  route('GET /docker/pool/status', {
    access: 'admin',
    summary: "The runner pool's size and how many runners are busy",
    response: poolStatus,
    async handle({ context, caller }) {
      const { containers, targetSize } = await context.pool.getStatus({}, { caller });
      return {
        success: true,
        data: {
          pool_size: containers.length,
          active_containers: countInState(containers, 'active'),
          idle_containers: countInState(containers, 'idle'),
          acquired_containers: countInState(containers, 'acquired'),
          target_size: targetSize,
        },
      };
    },
  }),
  route('GET /docker/pool/detailed', {
    access: 'admin',
    summary: 'Every runner and its state',
    response: poolDetailed,
    async handle({ context, caller }) {
      const { containers } = await context.pool.getStatus({}, { caller });
      const isBusy = (container: Container__Output) => ['active', 'acquired'].includes(container.state);
      return {
        success: true,
        data: {
          idle_containers: containers.filter((container) => !isBusy(container)).map(presentContainer),
          active_containers: containers.filter(isBusy).map(presentContainer),
        },
      };
    },
  }),
  route('POST /docker/pool/scale', {
    access: 'admin',
    repeatable: true,
    summary: "Change the pool's size (at least 3); switches autoscaling off",
    query: scaleQuery,
    response: scaleResponse,
    refusals: [400],
    async handle({ query, context, caller }) {
      const job = await context.pool.scale({ targetSize: query.target_size }, { caller });
      const ended = job.autoscalingEnded ? '. Autoscaling is switched off by that.' : '';
      const message = `Scaling from ${job.fromSize} to ${job.targetSize} runners${ended}`;
      return { success: true, job_id: job.id, message };
    },
  }),
  route('GET /docker/pool/autoscaling', {
    access: 'admin',
    summary: 'Autoscaling of the pool: its settings, and its last evaluation of the backlog',
    response: autoscaling,
    async handle({ context, caller }) {
      return presentAutoscaling(await context.pool.getAutoscaling({}, { caller }), context);
    },
  }),
  route('POST /docker/pool/autoscaling', {
    access: 'admin',
    summary: 'Switch autoscaling on or off or change its bounds; what is not given stays as it is',
    body: autoscalingBody,
    response: autoscaling,
    refusals: [400, 409],
    async handle({ body, context, caller }) {
      const given = {
        enabled: body.enabled,
        minimum: body.minimum,
        maximum: body.maximum,
        drainSeconds: body.drain_seconds,
        expectedVersion: body.expected_version,
      };
      const request = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      return presentAutoscaling(await context.pool.setAutoscaling(request, { caller }), context);
    },
  }),
  route('GET /docker/game-log/{port}', {
    access: 'admin',
    summary: "A runner's log by its port number",
    params: logParams,
    response: logResponse,
    refusals: [404],
    async handle({ params, context, caller }) {
      const log = await context.pool.getRunnerLog({ port: params.port }, { caller });
      return {
        success: true,
        message: 'Log found',
        container_name: log.containerName,
        port: log.port,
        log_content: log.logContent,
      };
    },
  }),
];
