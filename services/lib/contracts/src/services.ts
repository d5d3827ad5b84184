import { join } from 'node:path';
import { type GrpcObject, loadPackageDefinition, type ServiceClientConstructor } from '@grpc/grpc-js';
import { loadSync, type Options, type PackageDefinition } from '@grpc/proto-loader';
import type { AuthServiceDefinition } from '../types/husky/auth/v1/AuthService.ts';
import type { LeaderboardServiceDefinition } from '../types/husky/leaderboard/v1/LeaderboardService.ts';
import type { LiveDataServiceDefinition } from '../types/husky/live/v1/LiveDataService.ts';
import type { ParkedMessagesServiceDefinition } from '../types/husky/parked/v1/ParkedMessagesService.ts';
import type { PoolServiceDefinition } from '../types/husky/pool/v1/PoolService.ts';
import type { SimulationServiceDefinition } from '../types/husky/simulation/v1/SimulationService.ts';
import type { SubmissionServiceDefinition } from '../types/husky/submission/v1/SubmissionService.ts';

const protoDir = join(import.meta.dirname, '../../../../proto');

/** How messages are represented in TypeScript: camelCase, 64-bit as number (chips and times fit), enums by name. */
export const protoOptions: Options = {
  longs: Number,
  enums: String,
  defaults: true,
  oneofs: true,
  includeDirs: [protoDir],
} as const;

export const packageDefinition: PackageDefinition = loadSync(
  ['auth/v1/auth', 'submission/v1/submission', 'simulation/v1/simulation', 'live/v1/live']
    .concat(['leaderboard/v1/leaderboard', 'pool/v1/pool', 'events/v1/events', 'parked/v1/parked'])
    .map((name) => `husky/${name}.proto`),
  protoOptions,
);

const grpcObject = loadPackageDefinition(packageDefinition);

function serviceClient(path: string): ServiceClientConstructor {
  let node: unknown = grpcObject;
  for (const part of path.split('.')) node = (node as GrpcObject)[part];
  return node as ServiceClientConstructor;
}

export type ServiceName = 'auth' | 'submission' | 'simulation' | 'live-data' | 'leaderboard' | 'pool';

/** A gRPC service: its definition at run time and, in `D`, its methods' types. */
export interface ServiceContract<D> {
  readonly name: ServiceName;
  readonly client: ServiceClientConstructor;
  /** Carries the type D; never set. */
  readonly definition?: D;
}

/** Marks methods that return a stream, which the generated types do not express. */
type WithStreams<D, Method extends keyof D> = D & { readonly [K in Method]: { readonly responseStream: true } };

/** Loads a service. Throws unless `streams` names exactly the methods whose proto returns a stream. */
function contract<D, Method extends keyof D & string = never>(
  name: ServiceName,
  path: string,
  ...streams: readonly Method[]
): ServiceContract<[Method] extends [never] ? D : WithStreams<D, Method>> {
  const client = serviceClient(path);
  for (const [method, { responseStream }] of Object.entries(client.service)) {
    if (responseStream !== (streams as readonly string[]).includes(method)) {
      throw new Error(`${path}/${method} ${responseStream ? 'returns a' : 'returns no'} stream`);
    }
  }
  return { name, client };
}

export const authService = contract<AuthServiceDefinition>('auth', 'husky.auth.v1.AuthService');
export const submissionService = contract<SubmissionServiceDefinition, 'FetchPackages'>(
  'submission',
  'husky.submission.v1.SubmissionService',
  'FetchPackages',
);
export const simulationService = contract<SimulationServiceDefinition>(
  'simulation',
  'husky.simulation.v1.SimulationService',
);
export const liveDataService = contract<LiveDataServiceDefinition, 'StreamMatch' | 'ExportMatch' | 'DownloadExport'>(
  'live-data',
  'husky.live.v1.LiveDataService',
  'StreamMatch',
  'ExportMatch',
  'DownloadExport',
);
export const leaderboardService = contract<LeaderboardServiceDefinition>(
  'leaderboard',
  'husky.leaderboard.v1.LeaderboardService',
);
export const poolService = contract<PoolServiceDefinition>('pool', 'husky.pool.v1.PoolService');

/** Returns the contract of the parked messages of a service that consumes events. */
export function parkedMessagesOf(service: ServiceName): ServiceContract<ParkedMessagesServiceDefinition> {
  return contract<ParkedMessagesServiceDefinition>(service, 'husky.parked.v1.ParkedMessagesService');
}
