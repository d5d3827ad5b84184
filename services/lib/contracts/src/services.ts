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

/** How messages are represented in TypeScript: camelCase, 64-bit as number (chips and times fit), enums by name. */
export const protoOptions: Options = {
  longs: Number,
  enums: String,
  defaults: true,
  oneofs: true,
  includeDirs: [protoDir],
} as const;

const loaded = new Map<string, PackageDefinition>();

/**
 * Returns the definitions of the domain of a message or service, such as `husky.auth.v1.AuthService`. Loads them at the first call: no
 * process uses all domains except the gateway, and all together take as long as a fifth of the start of a service.
 */
export function definitionsOf(path: string): PackageDefinition {
  const domain = path.split('.')[1] ?? '';
  let definitions = loaded.get(domain);
  if (definitions === undefined) {
    definitions = loadSync(`husky/${domain}/v1/${domain}.proto`, protoOptions);
    loaded.set(domain, definitions);
  }
  return definitions;
}

/** Returns the client of a service, such as `husky.auth.v1.AuthService`. */
function serviceClient(path: string): ServiceClientConstructor {
  let node: unknown = loadPackageDefinition(definitionsOf(path));
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

/** Loads the client of a service. Throws unless `streams` names exactly the methods whose proto returns a stream. */
function loadClient(path: string, streams: readonly string[]): ServiceClientConstructor {
  const client = serviceClient(path);
  for (const [method, { responseStream }] of Object.entries(client.service)) {
    if (responseStream !== streams.includes(method)) {
      throw new Error(`${path}/${method} ${responseStream ? 'returns a' : 'returns no'} stream`);
    }
  }
  return client;
}

/** Returns the contract of a service. Its definition is loaded when its client is first read. */
function contract<D, Method extends keyof D & string = never>(
  name: ServiceName,
  path: string,
  ...streams: readonly Method[]
): ServiceContract<[Method] extends [never] ? D : WithStreams<D, Method>> {
  let client: ServiceClientConstructor | undefined;
  return {
    name,
    get client() {
      client ??= loadClient(path, streams);
      return client;
    },
  };
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
