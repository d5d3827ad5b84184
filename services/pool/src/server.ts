import type { PoolServiceDefinition } from '@husky/contracts/types/pool/v1/PoolService';
import type { Handlers } from '@husky/runtime/grpc-server';
import type { access } from './access.ts';
import type { Context } from './context.ts';
import { getAutoscaling, setAutoscaling } from './rpc/autoscaling.ts';
import { getRunnerLog } from './rpc/get-runner-log.ts';
import { getStatus } from './rpc/get-status.ts';
import { listScalingJobs, scale } from './rpc/scaling-jobs.ts';

export function createHandlers(context: Context): Handlers<PoolServiceDefinition, typeof access> {
  return {
    getStatus: (request) => getStatus(context, request),
    scale: (request, call) => scale(context, request, call),
    listScalingJobs: (request) => listScalingJobs(context, request),
    getRunnerLog: (request) => getRunnerLog(context, request),
    getAutoscaling: (request) => getAutoscaling(context, request),
    setAutoscaling: (request, call) => setAutoscaling(context, request, call),
  };
}
