import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import { expect, test } from 'vitest';
import { callerOf } from '../../../gateway/e2e/identities.ts';
import { refusalOf, rpcs, services, strangers } from '../../../gateway/e2e/rpc-access.ts';
import { apiRoutes } from '../../../gateway/src/routes/all.ts';
import { access as auth } from '../../../services/auth/src/access.ts';
import { access as leaderboard } from '../../../services/leaderboard/src/access.ts';
import { access as liveData } from '../../../services/live-data/src/access.ts';
import { access as pool } from '../../../services/pool/src/access.ts';
import { access as simulation } from '../../../services/simulation/src/access.ts';
import { access as submission } from '../../../services/submission/src/access.ts';

type Who = (caller: Caller, request: object) => unknown;
type Rules = Readonly<Record<string, Who | { readonly who: Who }>>;

const tables = { auth, submission, simulation, 'live-data': liveData, leaderboard, pool };
const rulesOf = (service: string) => tables[service as keyof typeof tables] as unknown as Rules;
const uncapitalize = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

/** A request about a thing of somebody else. The files are those that the lease of `callerOf` names. */
const request = {
  userId: 'other',
  ownerId: '',
  playerId: 'other',
  playerIds: ['other'],
  status: '',
  publicOnly: false,
  botHash: 'f'.repeat(64),
  packagesHash: 'f'.repeat(64),
};

function refused(who: Who, caller: Caller): string | undefined {
  try {
    who(caller, request);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

test.each(services)('$name has the same calls in its proto, in its access rules and in rpc-access.ts', (contract) => {
  const names = Object.keys(contract.client.service).map(uncapitalize).sort();
  const listed = rpcs.filter(({ service }) => service === contract.name).map(({ name }) => uncapitalize(name));
  expect(Object.keys(rulesOf(contract.name)).sort()).toEqual(names);
  expect(listed.sort()).toEqual(names);
});

test.each(rpcs)(
  '$service/$name refuses by its rule whom rpc-access.ts refuses ($access)',
  ({ service, name, access }) => {
    const rule = rulesOf(service)[uncapitalize(name)] as Rules[string];
    const who = typeof rule === 'function' ? rule : rule.who;
    for (const stranger of strangers) {
      const expected = refusalOf(access, stranger);
      const code = refused(who, callerOf(stranger));
      // The second step of a rule refuses by the thing itself: gateway/e2e/around-the-gateway.test.ts.
      const laterRefused = typeof rule !== 'function' && code === undefined && expected === 'PERMISSION_DENIED';
      if (!laterRefused) expect(code, `as ${stranger}`).toBe(expected);
    }
  },
);

const clients = {
  auth: 'auth',
  submission: 'submission',
  simulation: 'simulation',
  liveData: 'live-data',
  leaderboard: 'leaderboard',
  pool: 'pool',
};
const callPattern = new RegExp(`context\\s*\\.(${Object.keys(clients).join('|')})\\s*\\.(\\w+)\\(`, 'g');

/** The RPCs that a route's handler calls itself, without those of its helpers. */
const calledBy = (handle: unknown) =>
  [...String(handle).matchAll(callPattern)].map(([, client = '', method = '']) => {
    const service = clients[client as keyof typeof clients];
    const rpc = rpcs.find(({ service: name, name: rpcName }) => name === service && uncapitalize(rpcName) === method);
    if (rpc === undefined) throw new Error(`no RPC ${service}/${method}`);
    return rpc;
  });

const settings = { PUBLIC_URL: 'http://localhost' } as unknown as Parameters<typeof apiRoutes>[0];
const routes = apiRoutes(settings, { metricsText: async () => '' }).map((route) => ({
  ...route,
  calls: calledBy(route.handle),
}));

/** The callers of rpc-access.ts that a route lets through. Admins are permitted by every rule that permits a user. */
function admitted({ access, tokenScope }: (typeof routes)[number]): (typeof strangers)[number][] {
  const token = tokenScope === undefined ? [] : (['access token'] as const);
  if (access === 'admin') return [];
  if (access === 'verified') return ['verified', ...token];
  return ['unverified', 'verified', ...token, ...(access === 'anyone' ? (['anonymous'] as const) : [])];
}

test('finds the RPCs of most routes', () => {
  expect(routes.filter(({ calls }) => calls.length > 0).length).toBeGreaterThan(90);
});

/** Rules that depend on whom or what the request is about: everybody may be permitted. */
const byThing = ['owner', 'readers', 'seat'];
const byRequest = ['ListJobs', 'ListMatches', 'ListPlayerHands', 'ListBotVersions'];

test.each(routes.filter(({ calls }) => calls.length > 0))(
  '$method $path admits nobody whom all of its RPCs refuse for what they are',
  (route) => {
    for (const stranger of admitted(route)) {
      const codes = route.calls.map(({ access, name }) =>
        byThing.includes(access) || byRequest.includes(name) ? undefined : refusalOf(access, stranger),
      );
      expect(codes, `as ${stranger}: ${route.calls.map(({ name }) => name).join(', ')}`).toContain(undefined);
    }
  },
);

// Calls whose protos declare them as free of side effects are made again after a lost connection (grpc-client.ts).
const root = join(import.meta.dirname, '../../..');
const writes =
  /\btransaction\(|\bemit(Audit)?\(|\baudit(Writer)?\(|relay\.kick|\binBackground\(|\b(insert|save|store|delete)[A-Z]\w*\(/;

/** The source of each handler by `service/name`, up to the next declaration. */
function handlers(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of globSync('services/*/src/**/*.ts', { cwd: root })) {
    const service = file.split('/')[1] ?? '';
    const text = readFileSync(join(root, file), 'utf8');
    for (const [source, name] of text.matchAll(/^export (?:async )?function (\w+)\([\s\S]*?^}/gm)) {
      if (/Handlers\['/.test(source)) found.set(`${service}/${name}`, source);
    }
  }
  return found;
}

const sources = handlers();
const declared = services.flatMap((contract) =>
  Object.entries(contract.client.service).map(([name, method]) => ({
    call: `${contract.name}/${name.charAt(0).toLowerCase()}${name.slice(1)}`,
    level: (method as unknown as { options: { idempotency_level: string } }).options.idempotency_level,
  })),
);

test('handlers of calls without side effects contain no write', () => {
  const reads = declared.filter(({ level }) => level === 'NO_SIDE_EFFECTS');
  expect(reads.length).toBeGreaterThan(70);
  const read = reads.filter(({ call }) => sources.has(call));
  // The others have handlers of another form.
  expect(read.length).toBeGreaterThan(60);
  expect(read.filter(({ call }) => writes.test(sources.get(call) ?? '')).map(({ call }) => call)).toEqual([]);
});

test('the handlers that write are found by the same search', () => {
  const others = declared.filter(({ level, call }) => level === 'IDEMPOTENCY_UNKNOWN' && sources.has(call));
  const found = others.filter(({ call }) => writes.test(sources.get(call) ?? ''));
  expect(found.length / others.length).toBeGreaterThan(0.5);
});

test('RPCs whose names say that they read declare whether they may be repeated', () => {
  const reads = declared.filter(({ call }) => /\/(get|list|count|find|search|summarise)[A-Z]/.test(call));
  expect(reads.length).toBeGreaterThan(50);
  expect(reads.filter(({ level }) => level === 'IDEMPOTENCY_UNKNOWN').map(({ call }) => call)).toEqual([]);
});
