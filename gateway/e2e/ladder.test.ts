import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { registerVerified, uploadFinal } from '../../scripts/demo/accounts.ts';
import { Api } from '../../scripts/demo/api.ts';
import { type OwnPlatform, startOwnPlatform, withoutLimits } from '../../scripts/up/own-platform.ts';
import type { Body } from './client.ts';

let own: OwnPlatform;
let admin: Api;
const players = new Map<string, Api>();
const bots = { ann: 'tight-aggressive', bob: 'calling-station', cem: 'random-legal' };

beforeAll(async () => {
  own = await startOwnPlatform(withoutLimits);
  admin = await new Api(own.origin).signIn(own.admin);
  for (const [name, bot] of Object.entries(bots)) {
    const player = await registerVerified(admin, name);
    const folder = join(import.meta.dirname, '../../services/runner/bots', bot);
    await uploadFinal(player, readFileSync(join(folder, 'player.py'), 'utf8'));
    players.set(name, player);
  }
});

afterAll(() => own?.stop());

// A rotation takes seconds on a free machine, and minutes on a busy one.
const limitMs = 600_000;
const ladder = () => new Api(own.origin).get<Body>('/ladder');
const until = <T>(read: () => Promise<T>, check: (value: T) => void) =>
  vi.waitFor(async () => check(await read()), { timeout: limitMs, interval: 500 });
const setsOf = ({ entries }: Body) => entries.reduce((sum: number, entry: Body) => sum + entry.sets, 0) / 6;

test('rates the final submissions of all who take part, across a crash, without a trace in the lists', {
  timeout: 2 * limitMs,
}, async () => {
  expect(await ladder()).toMatchObject({ entries: [], on: false, computed_at: null, playing: [], total_count: 0 });
  await admin.post('/admin/settings', { ladder: true, ladder_hands: 10 });

  await until(ladder, (body) => expect(setsOf(body)).toBeGreaterThanOrEqual(1));
  const dead = own.pidOf('simulation');
  if (dead !== undefined) process.kill(dead, 'SIGKILL');
  await until(
    () => ladder().catch(() => ({ entries: [] })),
    (body) => expect(setsOf(body)).toBeGreaterThanOrEqual(2),
  );

  await admin.post('/admin/settings', { ladder: false });
  await until(ladder, (body) => expect(body.playing).toEqual([]));
  const { entries, ...rest } = await ladder();
  expect(entries.map(({ username }: Body) => username)).toEqual(expect.arrayContaining([...players.keys()]));
  expect(entries.filter(({ house }: Body) => house).length).toBeGreaterThanOrEqual(3);
  expect(rest).toMatchObject({ on: false, hands_a_set: 60, page: 1, has_next: false, has_previous: false });
  for (const { rating, low, high, hands, sets, version, paused } of entries) {
    expect(low).toBeLessThan(rating);
    expect(rating).toBeLessThan(high);
    expect({ hands, version, paused }).toEqual({ hands: 60 * sets, version: 1, paused: false });
  }

  const [best] = (await players.get('ann')?.get<Body>('/live/players/ann/hands?of=ladder'))?.hands ?? [];
  expect(best.net).toBeGreaterThan(0);
  // While nothing else is public, the channel has one match every ten minutes: of two sets, one match.
  const visitor = new Api(own.origin);
  const { finished } = await visitor.get<Body>('/live/now');
  expect(finished).toHaveLength(1);
  const { job_id: shown } = finished[0];
  expect((await visitor.get<Body>(`/live/job/${shown}/games`)).games.length).toBeGreaterThan(0);
  const { hands: publicHands } = await visitor.get<Body>('/live/players/ann/hands?of=ladder');
  expect(publicHands.filter(({ job_id }: Body) => job_id !== shown)).toEqual([]);

  const csv = await (await fetch(`${own.origin}/ladder/ratings.csv`)).text();
  const { username, rating } = entries[0];
  expect(csv.trimEnd().split('\r\n').slice(1)).toHaveLength(entries.length);
  expect(csv).toContain(`"${username}",1,${rating},`);

  // Each set counts once, and its matches are where its players find them only.
  const ann = players.get('ann') as Api;
  const history = await ann.get<Body>('/ladder/ann');
  expect(history.entry).toEqual(entries.find((entry: Body) => entry.username === 'ann'));
  expect(history.versions).toMatchObject([{ version: 1, sets: history.entry.sets }]);
  expect(new Set(history.sets.map(({ set_id }: Body) => set_id)).size).toBe(history.entry.sets);
  const [set] = history.sets;
  expect(set).toMatchObject({ hands: 60, version: 1, bad_matches: 0 });
  expect(set.job_ids).toHaveLength(6);
  expect((await visitor.get<Body>('/ladder/ann')).sets[0].job_ids).toEqual([]);
  expect(await ann.get<Body>(`/sim/status/${set.job_ids[0]}`)).toMatchObject({ job_status: 'Finished' });
  const others = history.sets.flatMap(({ job_ids }: Body) => job_ids).filter((id: string) => id !== shown);
  await expect(visitor.get(`/live/job/${others[0]}/games`)).rejects.toThrow('private');
  const lists = ['/live/public-job-ids', '/live/public-job-ids/paginated', '/sim/status/all', '/sim/played'].map(
    (path) => ann.get<Body>(path),
  );
  for (const list of await Promise.all([...lists, admin.get<Body>('/live/job-ids')])) {
    const body = JSON.stringify(list);
    for (const { job_ids } of history.sets) for (const id of job_ids) expect(body).not.toContain(id);
  }
});

test('leaves out who opts out, and takes a new final submission as a new version', {
  timeout: 2 * limitMs,
}, async () => {
  const bob = players.get('bob') as Api;
  expect(await bob.get<Body>('/submission/ladder')).toEqual({ takes_part: true, paused_at: null, pause_reason: null });
  expect(await bob.post<Body>('/submission/ladder', { takes_part: false })).toMatchObject({ takes_part: false });
  const cem = players.get('cem') as Api;
  const folder = join(import.meta.dirname, '../../services/runner/bots/pressure');
  await uploadFinal(cem, readFileSync(join(folder, 'player.py'), 'utf8'));
  await admin.post('/admin/settings', { ladder: true });
  await until(ladder, (body) => {
    const names = body.entries.map(({ username }: Body) => username);
    expect(names).not.toContain('bob');
    expect(body.entries.find(({ username }: Body) => username === 'cem')).toMatchObject({ version: 2 });
  });
  expect((await new Api(own.origin).get<Body>('/ladder/cem')).versions).toMatchObject([{ version: 2 }, { version: 1 }]);
});
