// Makes every call of the OpenAPI description as every kind of caller and compares the status with the declared access.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { openApi } from '../src/http/openapi.ts';
import { apiRoutes } from '../src/routes/all.ts';
import { type AccessWorld, buildAccessWorld, type CallerKind, type Visitor } from './access-world.ts';
import { type ApiResponse, call, expectStatus, get } from './client.ts';

interface Operation {
  readonly 'x-access': 'anyone' | 'signed-in' | 'verified' | 'admin';
  readonly responses: Readonly<Record<string, unknown>>;
  readonly requestBody?: unknown;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const paths = openApi(apiRoutes({}, { metricsText: async () => '' }), 'http://localhost').paths as Paths;
const operations = Object.entries(paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  .sort((a, b) => a.path.localeCompare(b.path));
// Runs last, because signing out ends the sessions of the other calls.
const last = operations.filter(({ path }) => path === '/auth/logout');
const others = operations.filter(({ path }) => path !== '/auth/logout');

let world: AccessWorld;
let before: unknown;
beforeAll(async () => {
  world = await buildAccessWorld();
  before = await world.state();
});

/** Returns the status with which a kind of caller is refused; undefined: permitted. */
function refusalOf(access: Operation['x-access'], kind: CallerKind): number | undefined {
  if (access === 'anyone') return undefined;
  if (kind === 'nobody') return 401;
  if (access === 'verified' && kind === 'unverified') return 403;
  if (access === 'admin' && kind !== 'admin') return 403;
  return undefined;
}

/** Fills the parameters of a path: with ids of the owner's resources if `real`, otherwise with unknown ids. */
function fillPath(path: string, real: boolean): string {
  const { resources } = world;
  const named: Record<string, string> = {
    username: resources.username,
    job_id: resources.job,
    game_id: resources.game,
    n: '5',
  };
  const byPrefix: Record<string, string> = {
    '/submission/file/': resources.file,
    '/submission/': resources.submission,
  };
  const id = Object.entries({ ...byPrefix, '/live/game/': resources.game, '/auth/sessions/': resources.session }).find(
    ([prefix]) => path.startsWith(prefix),
  )?.[1];
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    real || name === 'n' ? (named[name] ?? id ?? resources.job) : randomUUID(),
  );
}

function send(method: string, path: string, { token }: Visitor, operation: Operation): Promise<ApiResponse> {
  return call(method, path, {
    ...(token === undefined ? {} : { token }),
    ...(operation.requestBody === undefined ? {} : { json: {} }),
  });
}

test('the running gateway describes the same calls', async () => {
  const live = expectStatus(await get('/openapi.json'), 200).paths as Paths;
  const access = (all: Paths) =>
    Object.entries(all).map(([path, methods]) => [path, Object.entries(methods).map(([m, o]) => [m, o['x-access']])]);
  expect(access(live)).toEqual(access(paths));
});

const hidden = { anonymous: 403, unverified: 403, 'other user': 403, 'demoted admin': 403, owner: 200, admin: 200 };
const own = { anonymous: 401, unverified: 403, 'other user': 403, 'demoted admin': 403, owner: 200, admin: 200 };
type Who = keyof typeof own;
const rows: readonly { method: string; path: string; who: Partial<Record<Who, number>>; json?: 'submission' }[] = [
  { method: 'GET', path: '/sim/status/{id}', who: hidden },
  { method: 'GET', path: '/live/job/{id}/download', who: hidden },
  { method: 'GET', path: '/live/job/{id}/games', who: hidden },
  { method: 'GET', path: '/live/job/{id}/games/paginated', who: hidden },
  { method: 'GET', path: '/live/job/{id}/user-performance', who: hidden },
  { method: 'GET', path: '/live/job/{id}/luck', who: hidden },
  { method: 'GET', path: '/live/job/{id}/hands', who: hidden },
  { method: 'GET', path: '/live/job/{id}/hands/columns', who: hidden },
  { method: 'GET', path: '/live/job/{id}/highlights', who: hidden },
  { method: 'GET', path: '/live/job/{id}/events', who: hidden },
  { method: 'GET', path: '/live/job/{id}/commitment', who: hidden },
  { method: 'GET', path: '/live/job/{id}/plan', who: hidden },
  { method: 'GET', path: '/live/job/{id}/seed', who: hidden },
  { method: 'GET', path: '/live/game/{id}', who: hidden },
  // A test run belongs to no batch.
  { method: 'GET', path: '/llm/game-log/{game_id}/batch-order', who: { ...hidden, owner: 404, admin: 404 } },
  { method: 'GET', path: '/live/job/{id}/log/{username}', who: own },
  { method: 'GET', path: '/live/job/{id}/bots/{username}', who: own },
  { method: 'GET', path: '/players/{username}/versions', who: own },
  { method: 'GET', path: '/submission/files/{id}', who: own },
  { method: 'GET', path: '/submission/file/{id}', who: own },
  { method: 'POST', path: '/submission/mark_final', who: { ...own, admin: 403 }, json: 'submission' },
  {
    method: 'POST',
    path: '/submission/unmark_final',
    who: { ...own, owner: undefined, admin: 403 },
    json: 'submission',
  },
  { method: 'DELETE', path: '/submission/{id}', who: { ...own, owner: undefined, admin: undefined } },
  { method: 'DELETE', path: '/submission/{id}/authoring', who: own },
  { method: 'DELETE', path: '/sim/job/{id}', who: { ...own, owner: undefined, admin: undefined } },
];

test.each(rows)(
  '$method $path gives access to a private resource only to its owner and admins',
  async ({ method, path, who, json }) => {
    const { visitors, resources } = world;
    for (const [name, status] of Object.entries(who)) {
      if (status === undefined) continue;
      const visitor = visitors.find((candidate) => candidate.name === name);
      const response = await call(method, fillPath(path, true), {
        ...(visitor?.token === undefined ? {} : { token: visitor.token }),
        ...(json === undefined ? {} : { json: { submission_id: resources.submission } }),
      });
      expect(response.status, `${name}: ${JSON.stringify(response.body)?.slice(0, 200)}`).toBe(status);
    }
  },
);

async function expectDeclaredAccess({ method, path, operation }: (typeof operations)[number]): Promise<void> {
  const access = operation['x-access'];
  await Promise.all(
    world.visitors.map(async (visitor) => {
      const refused = refusalOf(access, visitor.kind);
      // Refused calls name existing resources. Permitted calls must change nothing, so they name unknown ones.
      const response = await send(method, fillPath(path, refused !== undefined), visitor, operation);
      const what = `${visitor.name}: ${response.status} ${JSON.stringify(response.body)?.slice(0, 200)}`;
      if (refused !== undefined) {
        expect(response.status, what).toBe(refused);
        expect(response.body.detail, what).toBeTypeOf('string');
        return;
      }
      expect(Object.keys(operation.responses), what).toContain(String(response.status));
      expect(response.status, what).toBeLessThan(500);
      const needsLink = path === '/submission/file/{id}' || path === '/auth/login';
      if (!needsLink) expect([401, 403], what).not.toContain(response.status);
    }),
  );
}

test.each(others)('$method $path permits exactly the callers that its access declares', expectDeclaredAccess);

test('refused calls have changed nothing', async () => {
  expect(await world.state()).toEqual(before);
});

test.each(last)('$method $path permits exactly the callers that its access declares', expectDeclaredAccess);
