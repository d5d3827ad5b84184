import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { openApi } from '../src/http/openapi.ts';
import { apiRoutes } from '../src/routes/all.ts';

type Json = Record<string, unknown>;

const document = openApi(apiRoutes({}, { metricsText: async () => '' }), 'http://localhost:8080');
const text = JSON.stringify(document);

test('has a schema for every reference of the OpenAPI description', () => {
  const schemas = (document.components as { schemas: Json }).schemas;
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '');
  expect(references.length).toBeGreaterThan(20);
  for (const reference of references) {
    expect(reference).toMatch(/^#\/components\/schemas\//);
    expect(schemas).toHaveProperty(reference.split('/').at(-1) ?? '');
  }
});

test('gives every operation a unique id, a summary, an access rule and its error responses', () => {
  const ids = new Set<string>();
  for (const operations of Object.values(document.paths as Record<string, Record<string, Json>>)) {
    for (const operation of Object.values(operations)) {
      const id = String(operation.operationId);
      expect(ids.has(id), id).toBe(false);
      ids.add(id);
      expect(operation.summary, id).toBeTypeOf('string');
      const responses = operation.responses as Json;
      if (operation['x-access'] !== 'anyone') expect(responses, id).toHaveProperty('401');
      if (operation['x-access'] === 'admin') expect(responses, id).toHaveProperty('403');
    }
  }
});

test('describes every path parameter, as required', () => {
  for (const [path, operations] of Object.entries(document.paths as Record<string, Record<string, Json>>)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    for (const operation of Object.values(operations)) {
      const described = (operation.parameters as Json[]).filter((parameter) => parameter.in === 'path');
      expect(described.map((parameter) => parameter.name).sort(), path).toEqual([...names].sort());
      expect(
        described.every((parameter) => parameter.required === true),
        path,
      ).toBe(true);
    }
  }
});

const routes = apiRoutes({}, { metricsText: async () => '' });
const operationOf = (call: string): Json => {
  const [method = '', path = ''] = call.split(' ');
  return (document.paths as Record<string, Record<string, Json>>)[path]?.[method.toLowerCase()] ?? {};
};
const parametersOf = (call: string, where: string) =>
  (operationOf(call).parameters as { name: string; in: string; required: boolean; schema: Json }[]).filter(
    (parameter) => parameter.in === where,
  );

test('describes the default, the minimum and the maximum with which each parameter of a query is read', () => {
  let checked = 0;
  for (const { method, path, query } of routes) {
    const shape = (query as z.ZodObject | undefined)?.shape ?? {};
    for (const { name, required, schema } of parametersOf(`${method} ${path}`, 'query')) {
      const what = `${method} ${path}?${name}`;
      const read = (value: unknown) => (shape[name] as z.ZodType).safeParse(value);
      expect(read(undefined).success, what).toBe(!required);
      const byDefault = schema.default === undefined ? undefined : read(String(schema.default)).data;
      if (!required) expect(read(undefined).data, what).toEqual(byDefault);
      if (schema.type !== 'integer' || typeof schema.maximum !== 'number') continue;
      const [minimum, maximum] = [Number(schema.minimum), schema.maximum];
      // The pool refuses a smaller size with its own sentence.
      const below = name === 'target_size' ? [] : [minimum - 1];
      for (const within of [minimum, maximum]) expect(read(String(within)).success, `${what}=${within}`).toBe(true);
      for (const beyond of [...below, maximum + 1, `${minimum}.5`, 'x', '']) {
        expect(read(String(beyond)).success, `${what}=${beyond}`).toBe(false);
      }
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(40);
});

test('the description of every text that a call reads as JSON excludes a NUL character', () => {
  let checked = 0;
  const check = (part: unknown, what: string): void => {
    if (typeof part !== 'object' || part === null) return;
    const { type, format, pattern, enum: words, allOf = [] } = part as Json;
    if (type === 'string' && format === undefined && words === undefined && !('const' in part)) {
      const patterns = [pattern, ...(allOf as Json[]).map((one) => one.pattern)].filter((one) => one !== undefined);
      const excludes = patterns.some((one) => !new RegExp(String(one), 'u').test('a1-2.c:/\0'));
      expect(excludes, `${what} ${patterns.join(' ')}`).toBe(true);
      checked += 1;
    }
    for (const [key, inner] of Object.entries(part)) check(inner, `${what} ${key}`);
  };
  for (const [path, operations] of Object.entries(document.paths as Record<string, Record<string, Json>>)) {
    for (const [method, { parameters, requestBody }] of Object.entries(operations)) {
      const content = (requestBody as { content?: Json } | undefined)?.content ?? {};
      check([parameters, content['application/json']], `${method} ${path}`);
    }
  }
  expect(checked).toBeGreaterThan(100);
});

test.each([
  ['GET /live/job-ids', 100],
  ['GET /live/public-job-ids/paginated', 500],
  ['GET /live/job/{id}/games/paginated', 100],
  ['GET /user/all', 25],
  ['GET /admin/jobs', 500],
  ['GET /admin/users', 500],
  ['GET /sim/status/all', 500],
])('pages %s by %i', (call, size) => {
  const page = Object.fromEntries(parametersOf(call, 'query').map(({ name, schema }) => [name, schema]));
  expect(page).toMatchObject({ page: { default: 1, minimum: 1 }, page_size: { default: size, maximum: 1000 } });
});

test('a test run offers every example bot of the repository', () => {
  const [{ schema } = {}] = parametersOf('post /sim/async_run', 'query').filter(({ name }) => name === 'against');
  const bots = globSync('services/runner/bots/*/player.py').map((file) => file.split('/').at(-2));
  expect((schema as { enum?: string[] } | undefined)?.enum?.toSorted()).toEqual([...bots, 'mix'].toSorted());
});

// What a second identical request does, of the POST calls without an Idempotency-Key.
const withoutKey = {
  'has the same effect as the first':
    '/admin/quota /admin/settings /admin/requeue-job /auth/logout /auth/notices /docker/pool/autoscaling /llm/batch /opt-out /submission/authoring/show /submission/ladder /submission/challenges /submission/mark_final /submission/unmark_final /trials/{id}/cancel /user/update',
  'returns the export that has the same data': '/batches /live/exports',
  'creates nothing': '/submission/check',
  'is refused: what the first one used or made is unique':
    '/admin/process-tournament-2025-job /admin/delete-tournament-2025-job /auth/register /auth/change-password /auth/reset-password /auth/delete-account',
  'is refused, or has no further effect: a player answers once': '/challenges/{id}',
  'counts each match once': '/llm/process-batch /llm/delete-batch-leaderboard',
  'has the same effect or is refused; the site sends how many places are revealed': '/tournaments/{slug}',
  'toggles; the site sends the state that it wants': '/admin/toggle-admin /admin/verify-user /admin/toggle-job-public',
  'makes a session, link or key that replaces or outlives the first one; limited by rate':
    '/auth/login /auth/change-email /auth/forgot-password /auth/resend-verification /admin/signing-key',
};

test('every POST accepts an Idempotency-Key or is listed with what a repeated request does', () => {
  const listed = Object.values(withoutKey).flatMap((paths) => paths.split(' '));
  const posts = routes.filter(({ method }) => method === 'post');
  const isListed = (path: string) => listed.some((one) => path === one || path.startsWith(`${one}/`));
  expect(
    posts.filter(({ path, repeatable }) => isListed(path) === (repeatable === true)).map(({ path }) => path),
  ).toEqual([]);
  expect(listed.filter((one) => !posts.some(({ path }) => path === one || path.startsWith(`${one}/`)))).toEqual([]);
  for (const { path, repeatable } of posts) {
    const headers = parametersOf(`post ${path}`, 'header').map(({ name }) => name);
    expect(headers, path).toEqual(repeatable ? ['Idempotency-Key'] : []);
  }
});

const games = 'games[]{game_id game_uuid}';
const envelope = 'total_count has_next has_previous page';
const matches = 'jobs[]{job_id batch_id? players[] first_game_created_at? is_public}';
const entries = '[]{id username score tag time_created}';
const person = 'username name? github? discord_username? about?';
const adminJobs =
  '[]{id job_id status job_status error_message? result_data? username created_at completed_at? tournaments_2025_added}';
const containers = '[]{container_name port state}';

// What a client of the original reads, and prints as it is. '?': may be null, which such a client shows as absent.
test.each([
  ['POST /auth/login', 'access_token token_type expires_in'],
  ['POST /auth/register', 'access_token'],
  ['GET /auth/whoami', `${person} email admin is_verified`],
  ['POST /auth/resend-verification', 'message'],
  ['GET /live/job-ids', `${matches} ${envelope}`],
  ['GET /live/public-job-ids', matches],
  ['GET /live/public-job-ids/paginated', `${matches} ${envelope}`],
  ['GET /live/job/{id}/games', games],
  ['GET /live/job/{id}/games/paginated', `${games} ${envelope}`],
  ['GET /live/game/{id}', 'message game_id game_uuid job_id game_data'],
  ['GET /sim/status/all', '[]{job_id job_status}'],
  ['GET /sim/status/{id}', 'job_id job_status'],
  ['POST /sim/async_run', 'job_id job_status status_code message'],
  ['POST /sim/async_run_user', 'job_id job_status status_code'],
  ['POST /submission/upload', 'submission_id status_code'],
  ['GET /submission/list', 'files[]{id player_file package_file final created_at}'],
  ['POST /submission/mark_final', 'status_code message'],
  ['POST /submission/unmark_final', 'status_code message'],
  ['GET /submission/users/with-final', 'users_list[]'],
  ['GET /profile', `profile{${person} admin is_verified} leaderboard_entries${entries}`],
  ['GET /profile/{username}', `profile{${person} admin is_verified} leaderboard_entries${entries}`],
  ['POST /user/update', `profile{${person} admin is_verified}`],
  ['GET /user/all', `users[]{${person}} total page total_pages`],
  ['GET /user/search', `[]{${person}}`],
  ['GET /leaderboard/top/{n}', `top_entries${entries}`],
  ['GET /leaderboard/tags', 'tags[]'],
  ['GET /leaderboard/user/{username}', `entries${entries}`],
  ['POST /leaderboard/add', 'entry{id username score tag time_created}'],
  ['GET /admin/user-count', 'user_count'],
  ['GET /admin/job-count', 'job_count'],
  ['GET /admin/submission-count', 'submission_count'],
  ['GET /admin/users', '[]{username email admin is_verified}'],
  ['GET /admin/jobs', adminJobs],
  ['GET /admin/sim-admin-jobs', adminJobs],
  ['GET /admin/scaling-jobs', adminJobs],
  ['POST /admin/toggle-admin/{username}', 'admin'],
  ['POST /admin/verify-user/{username}', 'is_verified'],
  ['POST /admin/toggle-job-public/{job_id}', 'job_id is_public affected_logs'],
  ['GET /admin/2025-job-status/{job_id}', 'tournaments_2025_added'],
  ['GET /admin/user-final-submission/{username}', 'has_final_submission message'],
  ['POST /llm/batch-run', 'batch_id total_jobs'],
  [
    'GET /llm/batches',
    'batches[]{batch_id created_at total_jobs job_statuses{PENDING RUNNING FINISHED FAILED} jobs[]{job_id status users_to_run[]}}',
  ],
  ['GET /llm/batch/{id}/arena-status', 'all_added'],
  ['GET /llm/batch/{id}/metadata', 'batch_id metadata_id? batch_metadata batch_entries_count'],
  ['POST /llm/batch/{id}/metadata', 'metadata_id batch_entries_updated action'],
  ['GET /llm/game-log/{game_id}/batch-order', 'batch_order batch_id total_batches'],
  ['GET /docker/pool/status', 'success data{pool_size active_containers idle_containers acquired_containers}'],
  ['GET /docker/pool/detailed', `data{idle_containers${containers} active_containers${containers}}`],
  ['POST /docker/pool/scale', 'job_id'],
  ['GET /docker/game-log/{port}', 'success message container_name port log_content'],
])('%s always has the fields of the contract: %s', (call, fields) => {
  const responses = operationOf(call).responses as Record<string, { content: Record<string, { schema: Json }> }>;
  const [schema] = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? [content['application/json']?.schema ?? {}] : [],
  );
  expectFields(schema ?? {}, fields, call);
});

function resolved(schema: Json): Json {
  const name = typeof schema.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? '') : '';
  return name === '' ? schema : ((document.components as { schemas: Record<string, Json> }).schemas[name] ?? {});
}

/** Checks a schema against fields such as `a b? list[]{c d} object{e}`. */
function expectFields(given: Json, fields: string, what: string): void {
  const schema = resolved(given);
  if (fields.startsWith('[]')) {
    expect(schema.type, what).toBe('array');
    const [inner = ''] = innerOf(fields.slice(2));
    if (inner !== '') expectFields(schema.items as Json, inner, `${what}[]`);
    return;
  }
  for (let rest = fields.trim(); rest !== ''; ) {
    const [all = '', name = '', list = '', optional = ''] = /^(\w+)(\[\])?(\?)?/.exec(rest) ?? [];
    const [inner, after] = innerOf(rest.slice(all.length));
    const field = (schema.properties as Record<string, Json>)[name] ?? {};
    expect(schema.required, `${what} ${name}`).toContain(name);
    const nullable = JSON.stringify(field.anyOf ?? field.type ?? null).includes('"null"');
    if (optional === '') expect(nullable, `${what} ${name} may be null`).toBe(false);
    if (list !== '' || inner !== '') expectFields(field, list === '' ? inner : `[]{${inner}}`, `${what} ${name}`);
    rest = after.trim();
  }
}

/** Splits `{a b{c}} d` into `a b{c}` and ` d`; text without a brace has an empty first part. */
function innerOf(text: string): [string, string] {
  if (!text.startsWith('{')) return ['', text];
  let depth = 0;
  const end = [...text].findIndex((character) => {
    depth += character === '{' ? 1 : character === '}' ? -1 : 0;
    return depth === 0;
  });
  return [text.slice(1, end), text.slice(end + 1)];
}
