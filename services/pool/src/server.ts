import type { Context, PoolHandlers } from './context.ts';
import { getAutoscaling, setAutoscaling } from './rpc/autoscaling.ts';
import { getRunnerLog, getStatus, listScalingJobs, scale } from './rpc/runners.ts';

/** Returns the handlers of all RPCs. */
export function createHandlers(context: Context): PoolHandlers {
  return {
    getStatus: getStatus(context),
    scale: scale(context),
    listScalingJobs: listScalingJobs(context),
    getRunnerLog: getRunnerLog(context),
    getAutoscaling: getAutoscaling(context),
    setAutoscaling: setAutoscaling(context),
  };
}
