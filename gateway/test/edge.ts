import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createLogger } from '@husky/runtime/process/logger';
import { testIdentities } from '@husky/testkit/servers';
import { createContext, type ServiceAddresses } from '../src/context.ts';
import { createGateway, type GatewaySettings } from '../src/server.ts';
import type { StreamSettings } from '../src/streams.ts';

const nowhere = '127.0.0.1:9';
const withoutLimits = {
  RATE_LIMIT_READS: 0,
  RATE_LIMIT_SIGN_INS: 0,
  MAX_CONCURRENT_REQUESTS: 0,
};

/** Starts a gateway without limits on a free port. Services without an address are unavailable. */
export async function startEdge(
  services: Partial<ServiceAddresses>,
  change: { readonly limits?: Partial<StreamSettings>; readonly settings?: Partial<GatewaySettings> } = {},
) {
  const context = createContext(
    {
      auth: nowhere,
      submission: nowhere,
      simulation: nowhere,
      liveData: nowhere,
      leaderboard: nowhere,
      pool: nowhere,
      ...services,
    },
    {
      PUBLIC_URL: 'http://localhost',
      STREAMS_MAX: 0,
      ...change.limits,
    },
    testIdentities().signerOf('gateway'),
    createLogger('gateway', 'fatal'),
  );
  const settings = {
    PUBLIC_URL: 'http://localhost',
    WEB_DIR: undefined,
    corsOrigins: [],
    TRUSTED_PROXIES: 0,
    SOURCE_URL: undefined,
    DATASET_URL: undefined,
    WIKI_URL: undefined,
    DATA_LICENSE: 'CC-BY-4.0',
    headersTimeoutMs: 5000,
    requestTimeoutMs: 5000,
    ...withoutLimits,
    ...change.settings,
  };
  const server = createGateway(settings, context, { metricsText: async () => '' } as never);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    context,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns the number of open connections of clients. */
    connections: () => promisify(server.getConnections.bind(server))(),
    async stop() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await context.close();
    },
  };
}
