import { join } from 'node:path';
import { type GrpcObject, loadPackageDefinition, type ServiceClientConstructor } from '@grpc/grpc-js';
import { loadSync, type Options, type PackageDefinition } from '@grpc/proto-loader';
import type { AuthServiceDefinition } from '../types/husky/auth/v1/AuthService.ts';
import type { LeaderboardServiceDefinition } from '../types/husky/leaderboard/v1/LeaderboardService.ts';
import type { LiveDataServiceDefinition } from '../types/husky/live/v1/LiveDataService.ts';
import type { PoolServiceDefinition } from '../types/husky/pool/v1/PoolService.ts';
import type { SimulationServiceDefinition } from '../types/husky/simulation/v1/SimulationService.ts';
import type { SubmissionServiceDefinition } from '../types/husky/submission/v1/SubmissionService.ts';

const protoDir = join(import.meta.dirname, '../../../../proto');

/** How every message looks in TypeScript: camelCase, 64-bit as number (chips and times fit), enums by name. */
export const protoOptions: Options = {
  longs: Number,
  enums: String,
  defaults: true,
  oneofs: true,
  includeDirs: [protoDir],
} as const;

export const packageDefinition: PackageDefinition = loadSync(
  ['auth/v1/auth', 'submission/v1/submission', 'simulation/v1/simulation', 'live/v1/live']
    .concat(['leaderboard/v1/leaderboard', 'pool/v1/pool', 'events/v1/events'])
    .map((name) => `husky/${name}.proto`),
  protoOptions,
);

const grpcObject = loadPackageDefinition(packageDefinition);

function serviceClient(path: string): ServiceClientConstructor {
  let node: unknown = grpcObject;
  for (const part of path.split('.')) node = (node as GrpcObject)[part];
  return node as ServiceClientConstructor;
}

/** A gRPC service of ours: its definition at run time and, in `D`, its methods' types. */
export interface ServiceContract<D> {
  readonly name: ServiceName;
  readonly client: ServiceClientConstructor;
  /** Type carrier only; never set. */
  readonly definition?: D;
}

export type ServiceName = 'auth' | 'submission' | 'simulation' | 'live-data' | 'leaderboard' | 'pool';

function contract<D>(name: ServiceName, path: string): ServiceContract<D> {
  return { name, client: serviceClient(path) };
}

export const authService = contract<AuthServiceDefinition>('auth', 'husky.auth.v1.AuthService');
export const submissionService = contract<SubmissionServiceDefinition>(
  'submission',
  'husky.submission.v1.SubmissionService',
);
export const simulationService = contract<SimulationServiceDefinition>(
  'simulation',
  'husky.simulation.v1.SimulationService',
);
export const liveDataService = contract<LiveDataServiceDefinition>('live-data', 'husky.live.v1.LiveDataService');
export const leaderboardService = contract<LeaderboardServiceDefinition>(
  'leaderboard',
  'husky.leaderboard.v1.LeaderboardService',
);
export const poolService = contract<PoolServiceDefinition>('pool', 'husky.pool.v1.PoolService');
