import type { PoolServiceDefinition } from '@husky/contracts/types/pool/v1/PoolService';
import type { Handlers } from '@husky/runtime/grpc-server';
import type { Context } from './context.ts';
import { getAutoscaling, setAutoscaling } from './rpc/autoscaling.ts';
import { getRunnerLog } from './rpc/get-runner-log.ts';
import { getStatus } from './rpc/get-status.ts';
import { listScalingJobs } from './rpc/list-scaling-jobs.ts';
import { scale } from './rpc/scale.ts';

export function createHandlers(context: Context): Handlers<PoolServiceDefinition> {
  return {
    getStatus: (request, call) => getStatus(context, request, call),
    scale: (request, call) => scale(context, request, call),
    listScalingJobs: (request, call) => listScalingJobs(context, request, call),
    getRunnerLog: (request, call) => getRunnerLog(context, request, call),
    getAutoscaling: (request, call) => getAutoscaling(context, request, call),
    setAutoscaling: (request, call) => setAutoscaling(context, request, call),
  };
}
