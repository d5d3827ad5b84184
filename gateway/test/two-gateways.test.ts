// Two gateways as processes on one NATS: an event makes both discard their shared responses.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { userChanged } from '@husky/contracts/events';
import { authService, leaderboardService, liveDataService } from '@husky/contracts/services';
import { freePort } from '@husky/platform/free-port';
import { connectNats } from '@husky/runtime/messages/nats';
import { createLogger } from '@husky/runtime/process/logger';
import { anyone } from '@husky/runtime/rpc/access';
import { testIdentities, testNats } from '@husky/testkit/servers';
import { startDouble } from '@husky/testkit/service-double';
import { expect, onTestFinished, test } from 'vitest';

const polling = { timeout: 60_000, interval: 50 };
const gatewayFolder = join(import.meta.dirname, '..');
const nowhere = '127.0.0.1:9';

/** Starts doubles of the services, with one finished public match of one player. */
async function startServices(userId: string) {
  const player = { username: 'ada' };
  const counts = { performances: 0 };
  const auth = await startDouble(authService, anyone, {
    getKeys: async () => ({ jwksJson: '{}' }),
    getNames: async () => ({ names: [{ id: userId, username: player.username }] }),
  });
  const liveData = await startDouble(liveDataService, anyone, {
    getMatchAccess: async ({ jobId }) => ({ jobId, isPublic: true, canRead: true, finished: true }),
    listMatches: async () => ({ matches: [] }),
    async getPerformance() {
      counts.performances += 1;
      return { series: [{ userId, cumulative: [25] }] };
    },
  });
  const leaderboard = await startDouble(leaderboardService, anyone, { getTop: async () => ({ entries: [] }) });
  onTestFinished(async () => {
    for (const double of [auth, liveData, leaderboard]) await double.stop();
  });
  const addresses = {
    AUTH_ADDRESS: auth.address,
    LIVE_DATA_ADDRESS: liveData.address,
    LEADERBOARD_ADDRESS: leaderboard.address,
    SUBMISSION_ADDRESS: nowhere,
    SIMULATION_ADDRESS: nowhere,
    POOL_ADDRESS: nowhere,
  };
  return { addresses, player, counts };
}

/** Starts a gateway as a process and returns its origin once it is ready. */
async function startGateway(addresses: Readonly<Record<string, string>>): Promise<string> {
  const { keyFile, trustFile } = testIdentities();
  const nats = await testNats('gateway');
  const [port, opsPort] = await Promise.all([freePort(), freePort()]);
  const child: ChildProcess = spawn(process.execPath, ['src/main.ts'], {
    cwd: gatewayFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...addresses,
      HTTP_ADDRESS: `127.0.0.1:${port}`,
      OPS_ADDRESS: `127.0.0.1:${opsPort}`,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      IDENTITY_KEY_FILE: keyFile('gateway'),
      IDENTITY_TRUST_FILE: trustFile,
      NATS_URL: nats.url,
      NATS_PASSWORD_FILE: nats.passwordFile,
    },
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error('the gateway has ended');
    return fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
  };
  await expect.poll(isReady, polling).toBe(200);
  return `http://127.0.0.1:${port}`;
}

/** Connects to NATS as auth and returns a function that publishes a change of a user. */
async function connectAuth() {
  const messaging = await connectNats(await testNats('auth'), createLogger('auth', 'fatal'), 'auth');
  onTestFinished(() => messaging.close());
  return (userId: string) =>
    messaging.publish(userChanged.subject, userChanged.encode({ userId, change: 'DELETED' }), randomUUID(), '');
}

test('both gateways discard the responses about a finished match when a user is deleted', async () => {
  const userId = randomUUID();
  const { addresses, player, counts } = await startServices(userId);
  const remove = await connectAuth();
  const gateways = await Promise.all([startGateway(addresses), startGateway(addresses)]);
  const path = `/live/job/${randomUUID()}/user-performance`;
  const read = async (origin: string) => (await fetch(`${origin}${path}`)).json();
  // Without an event these responses stay cached until they are evicted.
  for (const origin of [...gateways, ...gateways]) expect(await read(origin)).toEqual({ ada: [25] });
  expect(counts.performances).toBe(2);

  player.username = 'deleted-0a1b2c3d';
  await remove(userId);
  for (const origin of gateways) {
    await expect.poll(() => read(origin), polling).toEqual({ 'deleted-0a1b2c3d': [25] });
  }
  expect(counts.performances).toBe(4);
}, 120_000);
