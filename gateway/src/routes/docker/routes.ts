import type { Container__Output } from '@husky/contracts/types/pool/v1/Container';
import { route } from '../../http/route.ts';
import { logParams, logResponse, poolDetailed, poolStatus, scaleQuery, scaleResponse } from './schema.ts';

const presentContainer = (container: Container__Output) => ({
  container_name: container.containerName,
  port: container.port,
  state: container.state,
  job_id: container.jobId || null,
});

const count = (containers: readonly Container__Output[], state: string) =>
  containers.filter((container) => container.state === state).length;

export const dockerRoutes = [
  route({
    method: 'get',
    path: '/docker/pool/status',
    access: 'admin',
    summary: "The runner pool's size and how many runners are busy",
    response: poolStatus,
    async handle({ context, caller }) {
      const { containers, targetSize } = await context.pool.getStatus({}, { caller });
      return {
        success: true,
        data: {
          pool_size: containers.length,
          active_containers: count(containers, 'active'),
          idle_containers: count(containers, 'idle'),
          acquired_containers: count(containers, 'acquired'),
          target_size: targetSize,
        },
      };
    },
  }),
  route({
    method: 'get',
    path: '/docker/pool/detailed',
    access: 'admin',
    summary: 'Every runner and its state',
    response: poolDetailed,
    async handle({ context, caller }) {
      const { containers } = await context.pool.getStatus({}, { caller });
      const busy = (container: Container__Output) => ['active', 'acquired'].includes(container.state);
      return {
        success: true,
        data: {
          idle_containers: containers.filter((container) => !busy(container)).map(presentContainer),
          active_containers: containers.filter(busy).map(presentContainer),
        },
      };
    },
  }),
  route({
    method: 'post',
    path: '/docker/pool/scale',
    access: 'admin',
    summary: "Change the pool's size (at least 3)",
    query: scaleQuery,
    response: scaleResponse,
    refusals: [400],
    async handle({ query, context, caller }) {
      const job = await context.pool.scale({ targetSize: query.target_size }, { caller });
      return { success: true, job_id: job.id, message: `Scaling from ${job.fromSize} to ${job.targetSize} runners` };
    },
  }),
  route({
    method: 'get',
    path: '/docker/game-log/{port}',
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
