import type { PoolServiceDefinition } from '@husky/contracts/types/pool/v1/PoolService';
import { type AccessTable, admin } from '@husky/runtime/access';

/** Who may make each call: admins, and nobody else. */
export const access = {
  getStatus: admin,
  scale: admin,
  listScalingJobs: admin,
  getRunnerLog: admin,
  getAutoscaling: admin,
  setAutoscaling: admin,
} satisfies AccessTable<PoolServiceDefinition>;
