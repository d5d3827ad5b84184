import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import type { RpcClient } from '@husky/runtime/grpc-client';
import type { Logger } from '@husky/runtime/logger';
import type { Autoscaler } from './autoscaler.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { Scaler } from './scaler.ts';
import type { Database } from './store/database.ts';

/** What every RPC of this service works with. */
export interface Context {
  readonly log: Logger;
  readonly db: Database;
  readonly fleet: Fleet;
  readonly scaler: Scaler;
  readonly autoscaler: Autoscaler;
  readonly simulation: RpcClient<SimulationServiceDefinition>;
  readonly maxSize: number;
}
