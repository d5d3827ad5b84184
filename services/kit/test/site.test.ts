// The commands with a site, against sites that are unreachable, busy, of another version, or cut the connection.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Ended, installedKit, type RunOptions, run } from './installed-kit.ts';

// Each command starts a Python process; a busy machine needs seconds for one.
vi.setConfig({ testTimeout: 180_000 });

const token = `husky_${'t'.repeat(43)}`;
const job = '0c1c2c3c-0000-4000-8000-000000000000';
const whoami = {
  username: 'ann',
  access_token: { name: 'CI', scopes: ['read', 'submit'], expires_at: '2999-01-01T00:00:00Z' },
};

type Responder = (request: IncomingMessage, response: ServerResponse) => void;

const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Responder => {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
};
const notFound = json({ detail: 'Not Found', reason: 'not-found' }, 404);

let bin: string;
let folder: string;
let origin: string;
let server: Server;
let responders: Record<string, Responder>;
let requests: { path: string; query: string | undefined; authorization: string | undefined; key: unknown }[];

beforeAll(async () => {
  bin = await installedKit();
}, 300_000);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'husky-site-'));
  requests = [];
  responders = { '/auth/whoami': json(whoami) };
  server = createServer((request, response) => {
    const [path = '', query] = request.url?.split('?') ?? [];
    requests.push({
      path,
      query,
      authorization: request.headers.authorization,
      key: request.headers['idempotency-key'],
    });
    request.resume();
    request.on('end', () => (responders[path] ?? notFound)(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

function husky(args: readonly string[], more: Partial<RunOptions> = {}): Promise<Ended> {
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, HUSKY_SITE: origin, HUSKY_TOKEN: token, ...more.env };
  return run(join(bin, 'husky'), args, { cwd: folder, ...more, env });
}

const withoutToken = { env: { HUSKY_TOKEN: '', HUSKY_SITE: '' } };
const loginFile = () => join(folder, '.config/husky-holdem/login.json');

function writeBot(): void {
  mkdirSync(join(folder, 'bot'));
  writeFileSync(join(folder, 'bot/player.py'), 'pass\n');
}

test('stores a token from standard input in a file that only its owner can read', async () => {
  const { code, stdout } = await husky(['login', '--site', `${origin}/account`], {
    ...withoutToken,
    input: `${token}\n`,
  });
  expect([code, stdout]).toEqual([0, `Signed in at ${origin} as ann (scopes: read, submit; until 2999-01-01).\n`]);
  expect(statSync(loginFile()).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(loginFile(), 'utf8'))).toEqual({ site: origin, token, username: 'ann' });
  responders['/sim/played'] = json([]);
  expect((await husky(['jobs'], withoutToken)).code).toBe(0);
  expect(requests.at(-1)).toMatchObject({ path: '/sim/played', authorization: `Bearer ${token}` });
  const out = await husky(['logout', '--json'], withoutToken);
  expect(JSON.parse(out.stdout)).toEqual({ signed_out: true });
  expect(await husky(['jobs'], withoutToken)).toMatchObject({ code: 4, stdout: '' });
});

test('never sends a stored token to another site, and makes its file readable by its owner only', async () => {
  await husky(['login', '--site', 'http://localhost:1'], { ...withoutToken, input: token });
  mkdirSync(join(folder, '.config/husky-holdem'), { recursive: true });
  writeFileSync(loginFile(), JSON.stringify({ site: 'http://localhost:1', token, username: 'ann' }));
  chmodSync(loginFile(), 0o644);
  const { code, stderr } = await husky(['jobs'], { env: { HUSKY_TOKEN: '' } });
  expect([code, stderr]).toEqual([
    4,
    `husky: not signed in at ${origin}: run \`husky login --site ${origin}\`, or set HUSKY_TOKEN\n`,
  ]);
  expect(requests).toEqual([]);
  expect(statSync(loginFile()).mode & 0o777).toBe(0o600);
});

test('refuses a text that is no token, and a damaged file, without a call', async () => {
  for (const input of ['', 'secret', 'husky_a b', 'husky_\u00e9']) {
    const { code, stderr } = await husky(['login', '--site', origin], { ...withoutToken, input });
    expect([code, stderr], input).toEqual([4, expect.stringContaining('this is no access token')]);
  }
  mkdirSync(join(folder, '.config/husky-holdem'), { recursive: true });
  writeFileSync(loginFile(), '{"site": ');
  expect(await husky(['jobs'], withoutToken)).toMatchObject({ code: 4, stderr: expect.stringContaining('damaged') });
  expect(requests).toEqual([]);
});

test("ends with the site's sentence and code 4 when the token has expired or was revoked", async () => {
  for (const state of ['expired', 'been revoked']) {
    const detail = `This access token has ${state}: make a new one on your account page`;
    responders['/sim/played'] = json({ detail, reason: 'token-x' }, 401);
    const { code, stderr } = await husky(['jobs']);
    expect([code, stderr]).toEqual([4, `husky: ${detail} (${origin}/account), then run \`husky login\`\n`]);
  }
});

test('waits for the Retry-After of a busy site, but not longer than two minutes', async () => {
  let calls = 0;
  const busy = (seconds: string) =>
    json({ detail: 'Too many requests: please wait', reason: 'x' }, 429, { 'retry-after': seconds });
  responders['/sim/played'] = (request, response) => (++calls === 1 ? busy('1') : json([]))(request, response);
  const second = await husky(['jobs']);
  expect([second.code, second.stderr]).toEqual([0, `${origin} is busy: trying again in 1 s\n`]);
  responders['/sim/played'] = busy('900');
  const never = await husky(['jobs']);
  expect([never.code, never.stderr]).toEqual([3, `husky: ${origin}: Too many requests: please wait\n`]);
});

test('reports in one sentence that a site is unreachable, is not of this platform, or has moved', async () => {
  const unreachable = await husky(['jobs', '--json'], { env: { HUSKY_SITE: 'http://127.0.0.1:1' } });
  const sentence = 'http://127.0.0.1:1 cannot be reached: Connection refused';
  expect([unreachable.code, JSON.parse(unreachable.stdout)]).toEqual([3, { error: sentence, code: 3 }]);
  responders['/auth/whoami'] = (_request, response) => response.end('<html>');
  const other = await husky(['login'], { input: token });
  expect([other.code, other.stderr]).toEqual([3, expect.stringContaining('is no site of Husky Hold')]);
  responders['/auth/whoami'] = json(whoami);
  responders['/sim/played'] = (_request, response) =>
    response.writeHead(302, { location: `${origin}/elsewhere` }).end();
  const moved = await husky(['jobs']);
  expect([moved.code, moved.stderr]).toEqual([3, expect.stringContaining(`redirects to ${origin}/elsewhere`)]);
  expect(requests.map(({ path }) => path)).not.toContain('/elsewhere');
  for (const address of ['ftp://x', 'http://', 'http://a:b@c', 'http://x:99999', '://']) {
    expect((await husky(['login', '--site', address])).code, address).toBe(2);
  }
});

test('names the version to install when the site has another protocol', async () => {
  responders['/kit/index.json'] = json({
    protocol_version: 2,
    version: '9.0.0',
    install: `pip install ${origin}/kit/x.whl`,
  });
  const { code, stderr } = await husky(['jobs']);
  expect([code, stderr]).toEqual([3, expect.stringContaining(`install 9.0.0 (pip install ${origin}/kit/x.whl)`)]);
  expect(requests.map(({ path }) => path)).not.toContain('/sim/played');
});

test('leaves no file of a download that is cut, lacks its end, fills the disk or is stopped', async () => {
  const path = `/live/job/${job}/download`;
  const start = `${JSON.stringify({ type: 'manifest' })}\n${'x'.repeat(100_000)}\n`;
  const before = readdirSync(folder);
  const expectNothingLeft = () => expect(readdirSync(folder)).toEqual(before);

  responders[path] = (_request, response) => {
    response.writeHead(200, { 'content-length': '900000' });
    response.write(start, () => response.destroy());
  };
  expect(await husky(['download', job])).toMatchObject({ code: 3 });
  expectNothingLeft();

  responders[path] = (_request, response) => response.end(start);
  const part = await husky(['download', job]);
  expect([part.code, part.stderr]).toEqual([3, 'husky: the file is only a part of the match: try again\n']);
  expectNothingLeft();

  // A limit of the file's size stands for a full disk: 8 blocks of 1 KiB.
  const script = 'ulimit -f 8; exec "$0" download "$1"';
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, HUSKY_SITE: origin, HUSKY_TOKEN: token };
  const full = await run('bash', ['-c', script, join(bin, 'husky'), job], { cwd: folder, env });
  expect([full.code, full.stderr]).toEqual([2, expect.stringMatching(/^husky: File too large.*\n$/)]);
  expectNothingLeft();

  let stop: () => void = () => undefined;
  responders[path] = (_request, response) => response.write(start, () => stop());
  const onStart: RunOptions['onStart'] = (child) => {
    stop = () => child.kill('SIGINT');
  };
  const stopped = await husky(['download', job], { onStart });
  expect([stopped.code, stopped.stderr]).toEqual([130, 'husky: stopped by Ctrl-C\n']);
  expectNothingLeft();
});

test('does not replace a file without --force, and keeps it when the download fails', async () => {
  writeFileSync(join(folder, 'm.jsonl'), 'mine');
  const end = `${JSON.stringify({ type: 'end', complete: true, hands: 0 })}\n`;
  responders[`/live/job/${job}/download`] = (_request, response) => response.end(end);
  expect((await husky(['download', job, '-o', 'm.jsonl'])).code).toBe(2);
  expect(readFileSync(join(folder, 'm.jsonl'), 'utf8')).toBe('mine');
  responders[`/live/job/${job}/download`] = notFound;
  expect((await husky(['download', job, '-o', 'm.jsonl', '--force'])).code).toBe(3);
  expect(readFileSync(join(folder, 'm.jsonl'), 'utf8')).toBe('mine');
  responders[`/live/job/${job}/download`] = (_request, response) => response.end(end);
  const page = await husky(['download', `${origin}/games/${job}`, '-o', 'm.jsonl', '--force']);
  expect([page.code, readFileSync(join(folder, 'm.jsonl'), 'utf8')]).toEqual([0, end]);
  expect((await husky(['download', 'no-job'])).code).toBe(2);
});

test('starts a test run against the opponents and for the hands of its options', async () => {
  writeBot();
  responders['/sim/async_run'] = json({ job_id: job });
  for (const [options, query] of [
    [[], 'against=house&num_rounds=10'],
    [['--against', 'mix', '--hands', '200'], 'against=mix&num_rounds=200'],
  ] as const) {
    expect((await husky(['test', 'bot', '--no-wait', ...options])).code).toBe(0);
    expect(requests.at(-1)).toMatchObject({ path: '/sim/async_run', query });
  }
  expect((await husky(['test', 'bot', '--against', 'nobody'])).code).toBe(2);
});

test('names the test run that goes on when waiting for it is stopped', async () => {
  writeBot();
  responders['/sim/async_run'] = json({ job_id: job });
  let stop: () => void = () => undefined;
  responders[`/sim/status/${job}`] = (request, response) => {
    json({ job_status: 'Running', num_rounds: 10, hands_done: 1 })(request, response);
    stop();
  };
  const onStart: RunOptions['onStart'] = (child) => {
    stop = () => child.kill('SIGINT');
  };
  const stopped = await husky(['test', 'bot'], { onStart });
  expect(stopped.code).toBe(130);
  expect(stopped.stderr).toContain(`test run ${job} goes on: ${origin}/games/${job}`);
  const late = await husky(['test', 'bot', '--timeout', '0']);
  expect([late.code, late.stderr]).toEqual([3, expect.stringContaining('has not ended after 0 s')]);
});

test('refuses a bot without player.py or beyond 1 MiB before it calls the site', async () => {
  writeBot();
  writeFileSync(join(folder, 'bot/requirements.txt'), 'x'.repeat((1 << 20) + 1));
  for (const args of [
    ['submit', 'nowhere'],
    ['submit', 'bot'],
    ['test', 'bot'],
    ['submit', join(folder, 'bot/requirements.txt')],
  ]) {
    expect((await husky(args)).code, args.join(' ')).toBe(2);
  }
  expect(requests).toEqual([]);
});

test('names the uploaded submission when the final mark is refused', async () => {
  writeBot();
  responders['/submission/upload'] = json({ submission_id: 's1' });
  responders['/submission/mark_final'] = json({ detail: 'The event is frozen', reason: 'frozen' }, 400);
  const { code, stderr } = await husky(['submit', 'bot', '--final']);
  expect([code, stderr]).toEqual([
    3,
    `husky: submission s1 was uploaded but is not final: ${origin}: The event is frozen\n`,
  ]);
});

test('sends, answers and lists challenges, and says who is waited for', async () => {
  const players = [
    { username: 'ann', answer: 'accepted' },
    { username: 'bob', answer: 'waiting' },
  ];
  const challenge = { challenge_id: 'c1', state: 'waiting', reason: null, challenger: 'ann', players, job_ids: [] };
  const sent = { ...challenge, created_at: '2026-07-01T10:00:00Z' };
  responders['/challenges'] = (request, response) =>
    json(request.method === 'GET' ? { challenges: [sent], total_count: 1 } : challenge)(request, response);
  responders['/challenges/c1/accept'] = json({ ...challenge, state: 'queued', players: [], job_ids: [job] });
  responders['/challenges/c2/decline'] = json({ detail: 'Challenge not found', reason: 'challenge-not-found' }, 404);
  for (const [args, code, text] of [
    [['bob'], 0, 'Challenge c1: waiting for bob\n'],
    [[], 0, /c1 +waiting +2026-07-01 10:00 +ann +bob \(waiting\)/],
    [['--accept', 'c1'], 0, `Challenge c1: queued\n  ${origin}/games/${job}\n`],
    [['--decline', 'c2'], 3, `husky: ${origin}: Challenge not found\n`],
    [['bob', '--accept', 'c1'], 2, 'husky: --accept takes no names\n'],
  ] as const) {
    const ended = await husky(['challenge', ...args]);
    const expected = typeof text === 'string' ? text : expect.stringMatching(text);
    expect([ended.code, ended.stdout + ended.stderr]).toEqual([code, expected]);
  }
});

test('repeats an upload once with the same key when its response is lost', async () => {
  writeBot();
  const cut: Responder = (request) => request.socket.destroy();
  const uploads = () => requests.filter(({ path }) => path === '/submission/upload');
  for (const [lost, answer, code] of [
    [cut, json({ submission_id: 's1' }), 0],
    [json({}, 502), json({ submission_id: 's1' }), 0],
    [cut, cut, 3],
  ] as const) {
    requests = [];
    responders['/submission/upload'] = (...sent) => (uploads().length === 1 ? lost : answer)(...sent);
    expect((await husky(['submit', 'bot'])).code).toBe(code);
    const keys = uploads().map(({ key }) => key);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
  }
});
