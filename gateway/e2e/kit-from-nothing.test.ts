// The kit from installing the site's wheel to a verified match, as on a participant's machine: an empty home, another user where possible,
// no Node in PATH, no clone of the repository.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, run } from '@husky/testkit/program';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as client from './client.ts';

const uv = join(import.meta.dirname, '../../.tools/python/bin/uv');
/** The system's interpreter: others may be in a home that the participant cannot read. */
const python = process.env.PYTHON ?? (existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3');
/** Uid of the participant: `nobody` if the test runs as root, otherwise the user of the test. */
const participant = process.getuid?.() === 0 ? 65_534 : undefined;
const hands = 1000;
const slowMs = 600_000;

let root: string;
let home: string;
let bin: string;
let env: Record<string, string>;
let user: { username: string; token: string };

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'husky-participant-'));
  chmodSync(root, 0o755);
  home = join(root, 'home');
  mkdirSync(home);
  if (participant !== undefined) chownSync(home, participant, participant);
  bin = join(root, 'venv/bin');
  env = { PATH: bin, HOME: home, LANG: 'C.UTF-8' };
  user = await client.registerVerified(client.uniqueName('participant'));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function husky(...args: string[]): Promise<Ended> {
  return run(join(bin, 'husky'), args, { cwd: home, env, ...(participant === undefined ? {} : { uid: participant }) });
}

/** Runs a command that must succeed. Returns its JSON output. */
async function runJson(...args: string[]) {
  const result = await husky(...args, '--json');
  expect(result.code, `husky ${args.join(' ')}: ${result.stderr}\n${result.stdout}`).toBe(0);
  return JSON.parse(result.stdout);
}

test(
  "installs the site's wheel as the site's install command does",
  async () => {
    const kit = client.expectStatus(await client.call('GET', '/kit/index.json'), 200);
    expect(kit.install).toBe(`pip install ${kit.url}`);
    const wheel = `${client.platform().origin}/kit/${kit.file}`;
    execFileSync(uv, ['venv', '--quiet', '--no-project', '--python', python, join(root, 'venv')]);
    execFileSync(uv, ['pip', 'install', '--quiet', '--python', join(bin, 'python'), `${wheel}#sha256=${kit.sha256}`]);
    const about = await runJson('about');
    expect(about).toMatchObject({ version: kit.version, rules_version: kit.rules_version });
    expect(existsSync(join(root, 'venv/bin/node')) || /^v\d+/.test(about.node)).toBe(true);
  },
  slowMs,
);

test(
  'creates a bot and plays 1,000 hands at home',
  async () => {
    await runJson('new', 'mine');
    expect(readdirSync(join(home, 'mine'))).toContain('player.py');
    const played = await runJson(
      'play',
      'mine',
      'calling-station',
      '--hands',
      String(hands),
      '--stacks',
      'reset',
      '--out',
      'first',
    );
    expect(played.bots).toHaveLength(2);
    expect(readdirSync(join(home, 'first')).some((name) => name.endsWith('.jsonl'))).toBe(true);
  },
  slowMs,
);

test(
  'signs in with an access token, tests and submits the bot',
  async () => {
    const tokenRequest = { name: 'participant', scopes: ['read', 'submit'], expires_in_days: 7 };
    const { secret } = client.expectStatus(await client.post('/auth/tokens', tokenRequest, user.token), 201);
    const input = { cwd: home, env, input: `${secret}\n`, ...(participant === undefined ? {} : { uid: participant }) };
    const signedIn = await run(join(bin, 'husky'), ['login', '--site', client.platform().origin], input);
    expect([signedIn.code, signedIn.stdout], signedIn.stderr).toEqual([
      0,
      expect.stringContaining(`as ${user.username}`),
    ]);
    expect(await runJson('test', 'mine')).toMatchObject({ ok: true, job_status: 'Finished' });
    expect(await runJson('submit', 'mine', '--final')).toMatchObject({ final: true });
  },
  slowMs,
);

test(
  'downloads, verifies and replays a match of the site, and repeats a hand of it',
  async () => {
    const others = await Promise.all(
      Array.from({ length: 5 }, () => client.registerVerified(client.uniqueName('other'))),
    );
    for (const { token } of others) await client.submitFinal(token, 'calling-station');
    const match = { users_list: [user.username, ...others.map(({ username }) => username)], num_rounds: 60, blind: 10 };
    const { job_id } = client.expectStatus(
      await client.post('/sim/async_run_user', match, await client.adminToken()),
      200,
    );
    expect((await client.ended(job_id, user.token, slowMs / 2)).job_status).toBe('Finished');

    const { jobs } = await runJson('jobs', '--kind', 'match');
    expect(jobs[0]).toMatchObject({ job_id, kind: 'match' });
    const { file } = await runJson('download', job_id);
    expect(file).toBe(`match-${job_id}.jsonl`);
    const lines = readFileSync(join(home, file), 'utf8').trimEnd().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'end', complete: true });
    const verified = await husky('verify', file);
    expect(verified.code, verified.stderr + verified.stdout).toBe(0);
    expect(verified.stdout).toMatch(/The cards depend on the nonce of your upload \S+\.\n/);
    const kept = join(home, '.config/husky-holdem/nonces.json');
    const nonces = readFileSync(kept, 'utf8');
    const changed = [
      [nonces.replace(/"nonce": "\w+"/, `"nonce": "${'0'.repeat(64)}"`), 1, 'the cards do not depend on the nonce'],
      [nonces.replace(/"head": "\d+"/, '"head": "0"'), 0, 'but the list of the seed was made after it'],
    ] as const;
    for (const [text, code, sentence] of changed) {
      writeFileSync(kept, text);
      const again = await husky('verify', file);
      expect([again.code, again.stdout + again.stderr]).toEqual([code, expect.stringContaining(sentence)]);
    }
    writeFileSync(kept, nonces);
    const replayed = await husky('replay', file, '--hand', '1');
    expect(replayed.code, replayed.stderr).toBe(0);
    const repeated = await husky('debug', 'mine/player.py', '--match', file, '--hand', '1');
    expect([repeated.code, repeated.stdout], repeated.stderr).toEqual([
      0,
      expect.stringContaining('acts as in the match'),
    ]);
    const log = await husky('logs', job_id);
    expect(log.code, log.stderr).toBe(0);
  },
  slowMs,
);

test('refuses the revoked token, and leaves only its own files in the home', async () => {
  const { tokens } = client.expectStatus(await client.call('GET', '/auth/tokens', { token: user.token }), 200);
  for (const { id } of tokens)
    client.expectStatus(await client.call('DELETE', `/auth/tokens/${id}`, { token: user.token }), 200);
  const { code, stderr } = await husky('jobs');
  expect([code, stderr]).toEqual([4, expect.stringContaining('This access token has been revoked')]);
  const left = readdirSync(home).filter(
    (name) => !/^(\.cache|\.config|\.local|mine|first|match-.*\.jsonl)$/.test(name),
  );
  expect(left).toEqual([]);
});
