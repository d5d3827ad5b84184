import { randomUUID } from 'node:crypto';
import {
  authService,
  leaderboardService,
  liveDataService,
  poolService,
  simulationService,
  submissionService,
} from '@husky/contracts/services';
import type { Logger } from '@husky/runtime/process/logger';
import { createRpcClient } from '@husky/runtime/rpc/grpc-client';
import type { IdentitySigner } from '@husky/runtime/rpc/identity';
import type { Tls } from '@husky/runtime/rpc/tls';
import { type AppliedJobs, createAppliedJobs } from './applied-jobs.ts';
import { createEventSettings, type EventSettings } from './event-settings.ts';
import { createDevices, type Devices } from './http/devices.ts';
import { createNames, type Names } from './names.ts';
import { createPublicResponses, type PublicResponses } from './public-responses.ts';
import { createSharedStreams } from './routes/live/shared-stream.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createStreams, type StreamSettings, type Streams } from './streams.ts';
import { createWatchers, type Watchers } from './watchers.ts';

export interface ServiceAddresses {
  readonly auth: string;
  readonly submission: string;
  readonly simulation: string;
  readonly liveData: string;
  readonly leaderboard: string;
  readonly pool: string;
}

/** Dependencies of the route handlers. */
export type Context = ReturnType<typeof createContext>;

export function createContext(
  addresses: ServiceAddresses,
  settings: StreamSettings & { readonly PUBLIC_URL: string },
  signer: IdentitySigner,
  log: Logger,
  tls?: Tls,
) {
  const auth = createRpcClient(authService, addresses.auth, signer, tls);
  const clients = {
    auth,
    submission: createRpcClient(submissionService, addresses.submission, signer, tls),
    simulation: createRpcClient(simulationService, addresses.simulation, signer, tls),
    liveData: createRpcClient(liveDataService, addresses.liveData, signer, tls),
    leaderboard: createRpcClient(leaderboardService, addresses.leaderboard, signer, tls),
    pool: createRpcClient(poolService, addresses.pool, signer, tls),
  };
  const names: Names = createNames(auth);
  const sessions: Sessions = createSessions(auth);
  const streams: Streams = createStreams(sessions, 'live streams', settings, log);
  const downloads: Streams = createStreams(sessions, 'downloads', settings, log);
  const eventSettings: EventSettings = createEventSettings(clients.simulation, log);
  const publicResponses: PublicResponses = createPublicResponses(clients.liveData);
  const appliedJobs: AppliedJobs = createAppliedJobs(clients.leaderboard);
  const secure = settings.PUBLIC_URL.startsWith('https:');
  const devices: Devices = createDevices(signer.deriveSecret('device cookies'), secure);
  const watchers: Watchers = createWatchers(randomUUID());
  return {
    ...clients,
    appliedJobs,
    devices,
    /** Hashes the addresses of clients. */
    partySecret: signer.deriveSecret('addresses of clients'),
    eventSettings,
    names,
    publicResponses,
    sessions,
    streams,
    downloads,
    watchers,
    sharedStreams: createSharedStreams({ liveData: clients.liveData, names, watchers }),
    log,
    close: async () => {
      await Promise.all([streams.stop(), downloads.stop()]);
      for (const client of Object.values(clients)) client.close();
    },
  };
}
