import type { authService, liveDataService, submissionService } from '@husky/contracts/services';
import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import type { RpcClient } from '@husky/runtime/grpc-client';
import type { Handlers } from '@husky/runtime/grpc-server';
import type { IdentitySigner } from '@husky/runtime/identity';
import type { Logger } from '@husky/runtime/logger';
import type pg from 'pg';
import type { access } from './access.ts';
import type { Config } from './config.ts';
import type { PrismaClient } from './generated/client.ts';
import type { QueueWaiters } from './work/queue-waiters.ts';

type ClientOf<C> = C extends { readonly definition?: infer D } ? RpcClient<NonNullable<D>> : never;

export type Settings = Config['settings'];

/** What the RPCs and the background work with. */
export interface Context {
  readonly log: Logger;
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly signer: IdentitySigner;
  readonly auth: ClientOf<typeof authService>;
  readonly submission: ClientOf<typeof submissionService>;
  readonly liveData: ClientOf<typeof liveDataService>;
  readonly waiters: QueueWaiters;
  readonly settings: Settings;
  /** Sends new outbox rows soon. */
  readonly relay: { kick(): void };
  /** Prepares new jobs and generates batches soon. */
  readonly worker: { kick(): void };
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export type SimulationHandlers = Handlers<SimulationServiceDefinition, typeof access>;
