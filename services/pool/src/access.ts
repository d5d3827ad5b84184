import type { PoolServiceDefinition } from '@husky/contracts/types/pool/v1/PoolService';
import { type AccessTable, admin } from '@husky/runtime/rpc/access';

/** All calls are for admins only. */
export const access = {
  getStatus: admin,
  scale: admin,
  listScalingJobs: admin,
  getRunnerLog: admin,
  getAutoscaling: admin,
  setAutoscaling: admin,
} satisfies AccessTable<PoolServiceDefinition>;
