import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mailsIn } from '@husky/testkit/mail-folder';
import { expect, inject, vi } from 'vitest';
import type { Platform } from './platform.ts';

// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server sent; the tests check its content.
export type Body = any;

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface CallOptions {
  readonly token?: string;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly headers?: Record<string, string>;
}

let own: Platform | undefined;
export const platform = () => own ?? inject('platform');

/** Directs the calls of this test file to another platform. For tests that would disturb other test files. */
export function usePlatform(another: Platform): void {
  own = another;
}

/** Makes an HTTP call. Returns error responses like any other. */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> {
  const headers: Record<string, string> = { accept: 'application/json', ...options.headers };
  // The same files twice are two uploads.
  if (options.form) headers['idempotency-key'] ??= randomUUID();
  if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;
  if (options.json !== undefined) headers['content-type'] ??= 'application/json';
  const body = options.form ?? (options.json === undefined ? undefined : JSON.stringify(options.json));
  const response = await fetch(`${platform().origin}${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(130_000),
  });
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('content-type')?.includes('/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

export const get = (path: string, token?: string) => call('GET', path, token === undefined ? {} : { token });
export const post = (path: string, json?: unknown, token?: string) =>
  call('POST', path, { ...(json === undefined ? {} : { json }), ...(token === undefined ? {} : { token }) });
export const remove = (path: string, token?: string) => call('DELETE', path, token === undefined ? {} : { token });

/** Expects the status and returns the body. The failure message contains the error body. */
export function expectStatus(response: ApiResponse, status: number): Body {
  expect(response.status, JSON.stringify(response.body)).toBe(status);
  return response.body;
}

let counter = 0;

export const uniqueName = (stem = 'user') => `${stem}_${process.pid}_${++counter}`;

export async function register(
  username = uniqueName(),
): Promise<{ username: string; token: string; password: string }> {
  const password = 'a long enough passphrase';
  const response = await post('/auth/register', { username, email: `${username}@test.invalid`, password });
  return { username, password, token: expectStatus(response, 201).access_token };
}

let admin: Promise<string> | undefined;

/** Returns a session token of the administrator, created once per test file. */
export function adminToken(): Promise<string> {
  admin ??= signInAdmin();
  return admin;
}

/** Signs in as the administrator and returns the session token. */
export async function signInAdmin(): Promise<string> {
  const response = await post('/auth/login', { username: 'admin', password: platform().adminPassword });
  return expectStatus(response, 200).access_token;
}

export async function registerVerified(username = uniqueName()) {
  const user = await register(username);
  expect(
    expectStatus(await post(`/admin/verify-user/${username}`, undefined, await adminToken()), 200).is_verified,
  ).toBe(true);
  return user;
}

/** Returns all mails of the platform, oldest first. */
export const allMails = () => mailsIn(join(platform().dataDir, 'outbox'));

/** Waits for a mail to an address that contains a text, and returns the newest one. */
export const mailTo = (address: string, words = '') =>
  vi.waitFor(
    () =>
      allMails().findLast((mail) => mail.includes(`\r\nTo: ${address}\r\n`) && mail.includes(words)) ??
      expect.fail(`${address} has no mail with "${words}"`),
    { timeout: 10_000, interval: 50 },
  );

const root = join(import.meta.dirname, '../..');

/** Reads the files of an example bot or of a fixture. */
export function botFiles(name: string): { player: string; requirements: string } {
  for (const folder of ['services/runner/bots', 'services/runner/fixtures/bots']) {
    const paths = ['player.py', 'requirements.txt'].map((file) => join(root, folder, name, file));
    const [player = '', requirements = ''] = paths.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : ''));
    if (player !== '') return { player, requirements };
  }
  throw new Error(`There is no bot ${name}`);
}

export function uploadForm(
  fields: readonly [player: string, requirements: string],
  player: string | Uint8Array<ArrayBuffer>,
  requirements: string | Uint8Array<ArrayBuffer> = '',
  names: readonly [string, string] = ['player.py', 'requirements.txt'],
): FormData {
  const form = new FormData();
  form.set(fields[0], new File([player], names[0]));
  form.set(fields[1], new File([requirements], names[1]));
  return form;
}

export const submissionFields = ['playerFile', 'requirementsFile'] as const;
export const testRunFields = ['python_file', 'packages_file'] as const;

export async function submitFinal(token: string, bot: string): Promise<string> {
  const { player, requirements } = botFiles(bot);
  const form = uploadForm(submissionFields, player, requirements);
  const { submission_id } = expectStatus(await call('POST', '/submission/upload', { form, token }), 200);
  expectStatus(await post('/submission/mark_final', { submission_id }, token), 200);
  return submission_id;
}

/** Registers a verified user for each example bot, which is the user's final submission. */
export async function registerPlayers(bots: readonly string[]) {
  const players: (Awaited<ReturnType<typeof registerVerified>> & { readonly submission: string })[] = [];
  for (const bot of bots) {
    const user = await registerVerified(uniqueName(bot.slice(0, 12)));
    players.push({ ...user, submission: await submitFinal(user.token, bot) });
  }
  return players;
}

/** As registerPlayers. Returns their names. */
export const registerNamed = async (bots: readonly string[]) =>
  (await registerPlayers(bots)).map(({ username }) => username);

/** Waits until the newest upload of a user has had its test run. Returns the run's id. */
export async function tested(token: string): Promise<string> {
  for (;;) {
    const [newest] = expectStatus(await get('/submission/list', token), 200).files;
    if (['passed', 'failed'].includes(newest.test_run)) return newest.last_test_run.job_id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Waits for the end of a job and returns its status. */
export async function ended(jobId: string, token: string, limitMs = 120_000): Promise<Body> {
  const until = Date.now() + limitMs;
  for (;;) {
    const status = expectStatus(await get(`/sim/status/${jobId}`, token), 200);
    if (status.job_status === 'Finished' || status.job_status === 'Failed') return status;
    if (Date.now() > until) throw new Error(`job ${jobId} has not ended: ${JSON.stringify(status)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
