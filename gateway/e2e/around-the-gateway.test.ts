// Calls every service directly, as an intruder in the network could: only the signed identity decides what is permitted.
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@husky/contracts/services';
import { DomainError } from '@husky/runtime/rpc/errors';
import { createRpcClient, type RpcOptions } from '@husky/runtime/rpc/grpc-client';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AccessWorld, buildAccessWorld } from './access-world.ts';
import { allMails, call, get, uniqueName } from './client.ts';
import { admin, badIdentities, identity, identityFolder, keyFile, readKey, strangerIdentity } from './identities.ts';
import { grpcAddress, platformTls } from './processes.ts';
import { type Rpc, refusalOf, rpcs, services, strangers } from './rpc-access.ts';

type Method = (request: object, options: RpcOptions) => Promise<unknown> | AsyncIterable<unknown>;
type Methods = Readonly<Record<string, Method>> & { readonly close: () => void };

interface Outcome {
  readonly code: string;
  readonly reason: string;
  readonly response?: unknown;
}

const clients = new Map<string, Methods>();
let world: AccessWorld;
let before: unknown;
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  const tls = platformTls();
  for (const contract of services) {
    const client = createRpcClient(contract, grpcAddress(contract.name), undefined, tls);
    clients.set(contract.name, client as unknown as Methods);
  }
  world = await buildAccessWorld();
  const { job, game, submission, file, username } = world.resources;
  const asAdmin = await identity('gateway', 'auth', admin);
  const owner = (await send('auth', 'GetUser', asAdmin, { username })).response as { id: string };
  ids = {
    jobId: job,
    gameId: game,
    submissionId: submission,
    fileId: file,
    userId: owner.id,
    username,
    batchId: randomUUID(),
    id: randomUUID(),
    botHash: '0'.repeat(64),
    packagesHash: '0'.repeat(64),
  };
  before = await world.state();
});

afterAll(() => {
  for (const client of clients.values()) client.close();
});

async function send(service: string, name: string, token: string | undefined, request: object = ids): Promise<Outcome> {
  const method = clients.get(service)?.[name.charAt(0).toLowerCase() + name.slice(1)];
  if (!method) throw new Error(`${service} has no call ${name}`);
  try {
    const result = method(request, { ...(token === undefined ? {} : { token }), timeoutMs: 20_000 });
    if (result instanceof Promise) return { code: 'OK', reason: '', response: await result };
    for await (const _message of result) break;
    return { code: 'OK', reason: '' };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { code: error.code, reason: error.reason };
  }
}

const listed = rpcs.map((rpc) => ({ ...rpc, shown: `${rpc.service}/${rpc.name}` }));

// Identities are created for each call, so that only the expired one is refused for its age.
test.each(listed)('$shown refuses a missing or invalid identity', async ({ service, name }) => {
  for (const [what, token] of Object.entries(await badIdentities(service))) {
    const { code, reason } = await send(service, name, token);
    const expected = what === 'no identity' ? 'no-identity' : 'bad-identity';
    expect([code, reason], what).toEqual(['UNAUTHENTICATED', expected]);
  }
});

test.each(listed)('$shown refuses an identity for another service', async ({ service, name }) => {
  for (const { name: other } of services.filter((contract) => contract.name !== service)) {
    for (const token of [
      await identity('gateway', other, admin),
      await identity('simulation', other, { kind: 'service', name: 'simulation' }),
      await strangerIdentity('lease', other),
    ]) {
      expect(await send(service, name, token), other).toEqual({ code: 'UNAUTHENTICATED', reason: 'bad-identity' });
    }
  }
});

test.each(listed)('$shown ($access) refuses every other caller', async ({ service, name, access }) => {
  for (const stranger of strangers) {
    const refusal = refusalOf(access, stranger);
    if (refusal === undefined) continue;
    const { code } = await send(service, name, await strangerIdentity(stranger, service));
    expect(code, `as ${stranger}`).toBe(refusal);
  }
});

const identityReasons = [
  'no-identity',
  'bad-identity',
  'not-signed-in',
  'not-verified',
  'not-admin',
  'not-for-this-caller',
  'no-lease',
];

test.each(listed.filter(({ access }: Rpc) => access === 'anyone'))(
  '$shown accepts an anonymous caller with a signed identity',
  async ({ service, name }) => {
    const { code, reason } = await send(service, name, await strangerIdentity('anonymous', service), {});
    expect(identityReasons, code).not.toContain(reason);
    expect(code).not.toBe('INTERNAL');
  },
);

test('refuses a lease of another match that reads a bot, delivers a result or changes the match', async () => {
  const other = (service: ServiceName) => strangerIdentity('lease', service);
  for (const name of ['FetchBot', 'FetchPackages']) {
    const expected = { code: 'PERMISSION_DENIED', reason: 'not-in-this-match' };
    expect(await send('submission', name, await other('submission')), name).toEqual(expected);
  }
  for (const name of ['OpenAttempt', 'DeliverChunk', 'DeliverSeatReport', 'CompleteMatch']) {
    const { code } = await send('live-data', name, await other('live-data'), { startedAtMs: 0 });
    expect(['NOT_FOUND', 'ABORTED'], `${name}: ${code}`).toContain(code);
  }
  const beat = await send('simulation', 'Heartbeat', await other('simulation'), {});
  expect(beat.response).toMatchObject({ cancel: true });
  for (const name of ['HandBack', 'ReportLoss']) await send('simulation', name, await other('simulation'), {});
});

test('refused calls have changed nothing', async () => {
  expect(await world.state()).toEqual(before);
});

test('auth itself refuses line breaks in values of mail headers', async () => {
  const anonymous = await strangerIdentity('anonymous', 'auth');
  const good = () => {
    const username = uniqueName('direct');
    return { username, email: `${username}@test.invalid`, password: 'a long enough passphrase', address: '10.9.9.9' };
  };
  for (const field of ['email', 'username', 'name', 'discordUsername']) {
    for (const end of ['\r\n', '\n', '\r', '\0', '\u2028']) {
      const request = good();
      const value = field === 'email' ? request.email : request.username;
      const { code } = await send('auth', 'Register', anonymous, {
        ...request,
        [field]: `${value}${end}Bcc: spy@evil.invalid`,
      });
      expect(code, `${field} with ${JSON.stringify(end)}`).toBe('INVALID_ARGUMENT');
    }
  }
  expect(allMails().filter((mail) => mail.includes('Bcc: spy'))).toEqual([]);
});

/** Returns how often the gateway has read an identity key, according to its metrics. */
async function keyLoads(): Promise<number> {
  const text = String((await get('/metrics')).body);
  return Number(/^husky_identity_key_loads_total\S* (\d+)/m.exec(text)?.[1] ?? Number.NaN);
}

function write(path: string, value: object): void {
  writeFileSync(`${path}.new`, JSON.stringify(value), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

test("rotates the gateway's key under load and then refuses the old one", async () => {
  const trustFile = join(identityFolder(), 'trust.json');
  const { issuers } = JSON.parse(readFileSync(trustFile, 'utf8')) as { issuers: Record<string, JWK[]> };
  const pair = await generateKeyPair('EdDSA', { extractable: true });
  const kid = `gateway-${randomUUID()}`;
  const { d: _secret, ...oldPublic } = readKey('gateway');
  const old = readKey('gateway');
  const fresh = { ...(await exportJWK(pair.publicKey)), kid, alg: 'EdDSA' };
  const claims = { kind: 'anonymous', who: {} };
  const signWith = (key: Parameters<SignJWT['sign']>[0], id: string, audience: string) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', kid: id })
      .setIssuer('gateway')
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('60s')
      .sign(key);
  // Calls an admin's RPC of each service as an anonymous caller: the reason of the refusal shows whether the identity was accepted.
  const acceptedBy = async (key: Parameters<SignJWT['sign']>[0], id: string) => {
    const probes = services.map((contract) => contract.name);
    const outcomes = await Promise.all(
      probes.map(async (service) => {
        const probe = rpcs.find((rpc) => rpc.service === service && rpc.access === 'admin')?.name ?? '';
        return send(service, probe, await signWith(key, id, service));
      }),
    );
    return outcomes.map(({ reason }) => reason !== 'bad-identity');
  };
  const all = services.map(() => true);
  const none = services.map(() => false);
  const polling = { timeout: 15_000, interval: 100 };

  // Constant read load: no request may fail during the rotation.
  let ended = false;
  const statuses = new Set<number>();
  const traffic = (async () => {
    while (!ended) {
      for (const path of ['/leaderboard/top/5', '/live/public-job-ids', '/healthz'])
        statuses.add((await get(path)).status);
      statuses.add((await call('GET', '/sim/status/all', { token: 'x' })).status);
    }
  })();

  expect(await acceptedBy(pair.privateKey, kid)).toEqual(none);
  write(trustFile, { issuers: { ...issuers, gateway: [oldPublic, fresh] } });
  await vi.waitFor(async () => expect(await acceptedBy(pair.privateKey, kid)).toEqual(all), polling);
  const oldKey = await importJWK(old, 'EdDSA');
  expect(await acceptedBy(oldKey, old.kid ?? '')).toEqual(all);

  const loadsBefore = await keyLoads();
  write(keyFile('gateway'), { issuer: 'gateway', key: { ...(await exportJWK(pair.privateKey)), kid, alg: 'EdDSA' } });
  await vi.waitFor(async () => expect(await keyLoads()).toBeGreaterThan(loadsBefore), polling);
  write(trustFile, { issuers: { ...issuers, gateway: [fresh] } });
  await vi.waitFor(async () => expect(await acceptedBy(oldKey, old.kid ?? '')).toEqual(none), polling);
  expect(await acceptedBy(pair.privateKey, kid)).toEqual(all);
  // The gateway can still call every service.
  const paths = ['/leaderboard/top/5', '/live/public-job-ids', '/submission/list', '/sim/status/all', '/auth/sessions'];
  const owner = world.visitors.find(({ name }) => name === 'owner')?.token;
  for (const path of paths) statuses.add((await get(path, owner)).status);
  ended = true;
  await traffic;
  expect([...statuses].sort()).toEqual([200, 401]);
});
