// Two submissions of one user are compared, and `husky trial --like` finds the same at home.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@husky/testkit/program';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type OwnPlatform, startOwnPlatform, withoutLimits } from '../../scripts/up/own-platform.ts';
import { installedKit } from '../../services/kit/test/installed-kit.ts';
import * as client from './client.ts';

// A match takes a second on a free machine, and many on a busy one.
const limitMs = 600_000;
const folding = `from bot import Bot
from type.poker_action import PokerAction

class SimplePlayer(Bot):
    def on_start(self, *args): pass
    def on_round_start(self, *args): pass
    def get_action(self, *args): return PokerAction.FOLD, 0
    def on_end_round(self, *args): pass
    def on_end_game(self, *args): pass
`;
let own: OwnPlatform;
let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'husky-trials-'));
  own = await startOwnPlatform(withoutLimits);
  client.usePlatform({ origin: own.origin, dataDir: own.dataDir, adminPassword: own.admin.password });
}, 300_000);
afterAll(async () => {
  await own?.stop();
  rmSync(home, { recursive: true, force: true });
});

async function upload(source: string, token: string): Promise<string> {
  const form = client.uploadForm(client.submissionFields, source);
  return client.expectStatus(await client.call('POST', '/submission/upload', { form, token }), 200).submission_id;
}

test('plays both with the same cards, across a crash, for the eyes of the owner only, and the kit finds the same', {
  timeout: 2 * limitMs,
}, async () => {
  const [ann, bob] = [await client.registerVerified(), await client.registerVerified()];
  const sources = { a: client.botFiles('calling-station').player, b: folding };
  const [a, b] = [await upload(sources.a, ann.token), await upload(sources.b, ann.token)];
  const same = await upload(sources.a, ann.token);
  const body = { a, b, field: 'house', max_hands: 240, rotation_hands: 10 };
  for (const [wrong, token, status, sentence] of [
    [{ b: same }, ann.token, 409, 'Both submissions are the same files: there is no difference to find.'],
    [{}, bob.token, 404, 'Submission not found'],
    [{ alpha: 0.9 }, ann.token, 422, 'alpha: Too big: expected number to be <=0.5'],
    [{ max_hands: 400_000 }, ann.token, 429, /may play 400,000 hands, but 300,000 of/],
    [{ more: 1 }, ann.token, 422, /more: is not a field of this call/],
  ] as const) {
    const refused = client.expectStatus(await client.post('/trials', { ...body, ...wrong }, token), status);
    expect(refused.detail).toEqual(sentence instanceof RegExp ? expect.stringMatching(sentence) : sentence);
  }

  // A repeated request creates nothing more.
  const create = () =>
    client.call('POST', '/trials', { json: body, token: ann.token, headers: { 'idempotency-key': 'one-trial' } });
  const { trial_id: id } = client.expectStatus(await create(), 200);
  expect(client.expectStatus(await create(), 200)).toEqual({ trial_id: id });
  const path = `/trials/${id}`;
  const read = async () => client.expectStatus(await client.get(path, ann.token), 200);
  expect(await read()).toMatchObject({
    state: 'playing',
    verdict: null,
    problem: null,
    a,
    b,
    opponents: { length: 5 },
  });
  const crash = own.pidOf('simulation');
  if (crash !== undefined) process.kill(crash, 'SIGKILL');
  const trial = await vi.waitFor(
    async () => {
      const found = await read();
      expect(found.state).not.toBe('playing');
      return found;
    },
    { timeout: limitMs, interval: 500 },
  );
  expect(trial).toMatchObject({
    state: 'finished',
    verdict: 'undecided',
    problem: null,
    hands: 240,
    owner: ann.username,
    course: [{ hands: 120 }, { hands: 240 }],
    deal_keys: { length: 2 },
    different: { length: 5 },
  });
  const bots = trial.opponents.map(({ bot }: client.Body) => bot);
  expect(bots).toEqual(['house', 'tight-aggressive', 'position-aware', 'pressure', 'calling-station']);

  const [worst] = trial.different;
  for (const game of [worst.game_a, worst.game_b])
    client.expectStatus(await client.get(`/live/game/${game}`, ann.token), 200);
  expect(Math.abs(worst.a - worst.b)).toBeGreaterThan(0);
  const jobs = [worst.game_a, worst.game_b].map((game) => `${game.slice(0, 24)}000000000000`);
  for (const job of jobs) {
    client.expectStatus(await client.get(`/live/job/${job}/games`, ann.token), 200);
    client.expectStatus(await client.get(`/live/job/${job}/games`, bob.token), 403);
    client.expectStatus(await client.get(`/live/job/${job}/games`), 403);
    expect(client.expectStatus(await client.get(`/live/job/${job}/seed`, ann.token), 200).seed).toMatch(
      /^[0-9a-f]{64}$/,
    );
  }
  for (const [token, status] of [
    [bob.token, 404],
    [undefined, 401],
    [await client.adminToken(), 200],
  ] as const)
    expect((await client.get(path, token)).status).toBe(status);
  client.expectStatus(await client.post(`${path}/cancel`, undefined, bob.token), 404);
  expect(await read()).toEqual(client.expectStatus(await client.post(`${path}/cancel`, undefined, ann.token), 200));
  expect(client.expectStatus(await client.get('/trials', ann.token), 200)).toMatchObject({
    total_count: 1,
    hands_left: 300_000 - 240,
    trials: [{ trial_id: id, hands: 240, verdict: 'undecided' }],
  });
  for (const list of ['/sim/status/all', '/sim/played', '/live/now'])
    expect(JSON.stringify((await client.get(list, ann.token)).body)).not.toContain(jobs[0]);

  for (const [name, source] of Object.entries(sources)) writeFileSync(join(home, `${name}.py`), source);
  writeFileSync(join(home, 'trial.json'), JSON.stringify(trial));
  const bin = await installedKit();
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, LANG: 'C.UTF-8' };
  const husky = (...args: string[]) => run(join(bin, 'husky'), ['trial', ...args], { cwd: home, env });
  const played = await husky('a.py', 'b.py', '--like', 'trial.json', '--json');
  expect(played, played.stderr).toMatchObject({ code: 0 });
  const found = JSON.parse(played.stdout);
  expect(found).toMatchObject({ like: true, verdict: 'undecided', hands: 240, sets: 2, other_files: [false, false] });
  expect(found.estimate / 10).toBeCloseTo(trial.estimate, 9);
  const hands = (list: client.Body[]) =>
    list.map(({ rotation, hand, a: mine, b: yours }) => [rotation, hand, mine, yours]);
  expect(hands(found.different)[0]).toEqual(hands(trial.different)[0]);
  const exchanged = await husky('b.py', 'a.py', '--like', 'trial.json');
  expect(exchanged).toMatchObject({ code: 1 });
  expect(exchanged.stdout).toMatch(/A has other files here than on the site[\s\S]*The site has another result/);
  writeFileSync(join(home, 'others.json'), JSON.stringify({ ...trial, opponents: [{ username: 'cem', bot: null }] }));
  writeFileSync(join(home, 'damaged.json'), JSON.stringify({ ...trial, deal_keys: ['x'] }));
  for (const [args, reason] of [
    [['others.json'], /against bots of other users, which are private/],
    [['trial.json', '--alpha', '0.1'], /as it was: without --alpha/],
    [['nothing'], /there is no file nothing/],
    [['damaged.json'], /damaged\.json is no trial/],
  ] as const) {
    const refused = await husky('a.py', 'b.py', '--like', ...args);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(reason) });
  }
});
