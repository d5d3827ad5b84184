// One rule for every JSON body, over a real gateway with an admin's session and no other service.
import { authService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/rpc/access';
import { startDouble } from '@husky/testkit/service-double';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../src/http/route.ts';
import { apiRoutes } from '../src/routes/all.ts';
import { startEdge } from './edge.ts';

const calls = apiRoutes({}, { metricsText: async () => '' })
  .filter((route) => route.body !== undefined)
  .map((route) => [route.path, route] as const);
/** Calls that store any JSON object. */
const free = ['/llm/batch/{id}/metadata'];
const KiB = 1024;

let origin: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  const auth = await startDouble(authService, anyone, {
    identify: async () => ({ id: 'u1', username: 'ann', isVerified: true, admin: true }),
  });
  const edge = await startEdge({ auth: auth.address });
  origin = edge.origin;
  stop = async () => {
    await edge.stop();
    await auth.stop();
  };
});
afterAll(() => stop());

async function send({ path, method }: Pick<Route, 'path' | 'method'>, body: string) {
  const response = await fetch(`${origin}${path.replaceAll(/\{\w+\}/g, 'x')}`, {
    method: method.toUpperCase(),
    headers: { authorization: 'Bearer session', 'content-type': 'application/json' },
    body,
  });
  return { status: response.status, body: (await response.json()) as { detail: string; errors?: unknown } };
}

test('there are bodies to check', () => expect(calls.length).toBeGreaterThan(20));

test.each(calls)('%s refuses keys of prototypes, also nested', async (_path, route) => {
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    for (const [text, where] of [
      [`{"${key}": {"admin": true}}`, 'body'],
      [`{"a": [{"b": {"${key}": 1}}]}`, 'a.0.b'],
    ] as const) {
      const { status, body } = await send(route, text);
      expect([status, body.detail]).toEqual([422, `${where}: has a key that is not allowed: ${key}`]);
    }
  }
});

test.each(calls.filter(([path]) => !free.includes(path)))(
  '%s refuses an unknown field by its name',
  async (_path, route) => {
    const { status, body } = await send(route, '{"public2": true, "other": 1}');
    expect([status, body.errors]).toEqual([
      422,
      expect.arrayContaining(['public2', 'other'].map((path) => ({ path, message: 'is not a field of this call' }))),
    ]);
  },
);

test('refuses an unknown field of an object within a body', async () => {
  const users_list = ['ann', 'bob', 'cyd', 'dan', 'eve', 'fay'];
  const route = { path: '/llm/batch-run', method: 'post' } as const;
  const { body } = await send(route, JSON.stringify({ users_list, stop_rule: { alpha: 0.1, alhpa: 1 } }));
  expect(body.detail).toBe('stop_rule.alhpa: is not a field of this call');
});

test.each([
  ['of a duplicate batch', { mode: 'duplicate' }],
  ['of a classic batch', { stacks: 'reset' }],
])('refuses a stopping rule for the reset stacks %s, and says why', async (_name, options) => {
  const users_list = ['ann', 'bob', 'cyd', 'dan', 'eve', 'fay'];
  const route = { path: '/llm/batch-run', method: 'post' } as const;
  const { status, body } = await send(route, JSON.stringify({ users_list, ...options, stop_rule: {} }));
  expect(status).toBe(422);
  expect(body.detail).toMatch(/^stop_rule: needs the stacks 'carry': .*no test of its results keeps its error rate$/);
});

// Without the service, an accepted body is answered with 503.
test.each([
  [
    'a body of 256 KiB',
    '/user/update',
    (more: number) => `{}${' '.repeat(256 * KiB - 2 + more)}`,
    413,
    'The request body is larger than 256 KiB',
  ],
  [
    'metadata of 64 KiB',
    '/llm/batch/x/metadata',
    (more: number) => JSON.stringify({ a: 'x'.repeat(64 * KiB - 8 + more) }),
    413,
    'The metadata is larger than 64 KB',
  ],
  [
    '64 levels',
    '/llm/batch/x/metadata',
    (more: number) => `${'{"a":'.repeat(64 + more)}1${'}'.repeat(64 + more)}`,
    422,
    /is nested deeper than 64 levels$/,
  ],
  [
    'a name of 80 characters',
    '/user/update',
    (more: number) => JSON.stringify({ name: ` ${'😀'.repeat(80 + more)} ` }),
    422,
    'name: must have at most 80 characters',
  ],
  [
    '1,000 characters about oneself',
    '/user/update',
    (more: number) => JSON.stringify({ about: 'é'.repeat(1000 + more) }),
    422,
    'about: must have at most 1000 characters',
  ],
  [
    'a banner of 500 characters',
    '/admin/settings',
    (more: number) => JSON.stringify({ banner: '😀'.repeat(500 + more) }),
    422,
    'banner: must have at most 500 characters',
  ],
  [
    'a tag of 64 characters',
    '/leaderboard/add',
    (more: number) => JSON.stringify({ score: 1, tag: '😀'.repeat(64 + more) }),
    422,
    'tag: must have at most 64 characters',
  ],
  [
    'a token name of 60 characters',
    '/auth/tokens',
    (more: number) => JSON.stringify({ name: '😀'.repeat(60 + more), scopes: ['read'], expires_in_days: 365 }),
    422,
    'name: must have at most 60 characters',
  ],
  [
    '365 days',
    '/auth/tokens',
    (more: number) => JSON.stringify({ name: 'x', scopes: ['read'], expires_in_days: 365 + more }),
    422,
    /^expires_in_days: /,
  ],
  [
    '20 users',
    '/llm/batch-run',
    (more: number) => JSON.stringify(Array.from({ length: 20 + more }, (_, index) => `user-${index}`)),
    422,
    /6 to 20 users/,
  ],
  [
    '10,000 hands',
    '/llm/batch-run',
    (more: number) => JSON.stringify({ users_list: ['a', 'b', 'c', 'd', 'e', 'f'], num_rounds: 10_000 + more }),
    422,
    /num_rounds: /,
  ],
] as const)('accepts %s and refuses more', async (_what, path, bodyOf, status, detail) => {
  expect((await send({ path, method: 'post' }, bodyOf(0))).status).toBeGreaterThanOrEqual(500);
  const refused = await send({ path, method: 'post' }, bodyOf(1));
  expect([refused.status, refused.body.detail]).toEqual([
    status,
    typeof detail === 'string' ? detail : expect.stringMatching(detail),
  ]);
});
