import { join } from 'node:path';
import { mailsIn } from '@husky/testkit/mail-folder';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { registerVerified, uploadFinal } from '../../scripts/demo/accounts.ts';
import { Api } from '../../scripts/demo/api.ts';
import { type OwnPlatform, startOwnPlatform, withoutLimits } from '../../scripts/up/own-platform.ts';
import { type Body, botFiles } from './client.ts';
import { checkDocument } from './tournament-document.ts';

let own: OwnPlatform;
let admin: Api;
const players: Api[] = [];
const names = Array.from({ length: 12 }, (_, index) => `player-${index + 1}`);
const bots = ['tight-aggressive', 'calling-station', 'random-legal', 'pressure'];
const limitMs = 300_000;

beforeAll(async () => {
  own = await startOwnPlatform(withoutLimits);
  admin = await new Api(own.origin).signIn(own.admin);
  for (const [index, name] of names.entries()) {
    const player = await registerVerified(admin, name);
    players.push(player);
    // Different files of each.
    await uploadFinal(player, `${botFiles(bots[index % bots.length] ?? '').player}\n# ${name}\n`);
  }
}, limitMs);

afterAll(() => own?.stop());

const visitor = () => new Api(own.origin);
const read = (slug: string) => visitor().get<Body>(`/tournaments/${slug}`);
const documentOf = async (slug: string) => (await fetch(`${own.origin}/tournaments/${slug}/document`)).text();
const until = (slug: string, check: (body: Body) => void) =>
  vi.waitFor(async () => check(await read(slug)), { timeout: limitMs, interval: 500 });
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const stages = [
  { name: 'Groups', hands: 4, hands_each: 8, advance: 6 },
  { name: 'Final', hands: 4, hands_each: 12 },
];
const create = (slug: string, more: object = {}) =>
  admin.post<Body>('/tournaments', { name: `Cup ${slug}`, slug, entry_deadline: inSeconds(3600), ...more });
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    ({ message }: Error) => message,
  );

test('freezes at its deadline and plays its stages by itself, across a crash, a pause and admins who interfere', {
  timeout: 2 * limitMs,
}, async () => {
  expect((await visitor().get<Body>('/tournaments')).tournaments).toEqual([]);
  expect(await create('main', { entry_deadline: inSeconds(8), starts_at: inSeconds(3600), stages })).toEqual({
    slug: 'main',
  });
  const open = await read('main');
  expect(open).toMatchObject({ name: 'Cup main', slug: 'main', state: 'open', champion: null, record: null, bots: [] });
  expect(open.entrants).toEqual([...names].sort());
  expect(open.stages).toMatchObject([
    { name: 'Groups', state: 'pending', players: 12, matches: 4, hands_each: 8, standings: [] },
    { name: 'Final', state: 'pending', players: 6, matches: 3, hands_each: 12 },
  ]);
  expect(await refusal(admin.post('/tournaments/main/start'))).toContain('Entries are open until');

  await until('main', ({ state }) => expect(state).toBe('frozen'));
  // A final mark after the deadline changes nothing.
  const late = await registerVerified(admin, 'too-late');
  await uploadFinal(late, botFiles('pressure').player);
  expect(await admin.post('/tournaments/main/pause')).toMatchObject({ state: 'paused' });
  expect(await refusal(admin.post('/tournaments/main/pause'))).toContain('paused already');
  expect(await admin.post('/tournaments/main/resume')).toMatchObject({ state: 'frozen' });
  await admin.post('/tournaments/main/start');
  await until('main', ({ stages: [groups] }) => expect(groups.state).not.toBe('pending'));
  const dead = own.pidOf('simulation');
  if (dead !== undefined) process.kill(dead, 'SIGKILL');

  await until('main', ({ state, problem }) => expect([state, problem]).toEqual(['finished', null]));
  const played = await read('main');
  expect(played.entrants).toEqual([...names].sort());
  const [groups, final] = played.stages;
  expect(groups).toMatchObject({ state: 'finished', matches: 4, finished: 4 });
  expect(final).toMatchObject({ state: 'finished', matches: 3, finished: 3, players: 6 });
  for (const { standings } of played.stages) {
    expect(standings.reduce((sum: number, { delta }: Body) => sum + delta, 0)).toBe(0);
    for (const [index, { rank, delta, adjusted, low, high }] of standings.entries()) {
      const above = standings.filter((other: Body) => other.delta > delta).length;
      expect([rank, delta <= (standings[index - 1]?.delta ?? Number.POSITIVE_INFINITY)]).toEqual([above + 1, true]);
      if (adjusted !== null) expect(low <= adjusted && adjusted <= high).toBe(true);
    }
  }
  expect(groups.standings.filter(({ advances }: Body) => advances)).toHaveLength(6);
  expect(final.standings.map(({ username }: Body) => username).sort()).toEqual(
    groups.standings
      .filter(({ advances }: Body) => advances)
      .map(({ username }: Body) => username)
      .sort(),
  );
  expect(played.champion).toBe(final.standings[0].username);

  await vi.waitFor(
    async () => {
      const { top_entries: board } = await visitor().get<Body>('/leaderboard/top/10?tag=tournament-main');
      expect(board.map(({ score }: Body) => score)).toEqual(final.standings.map(({ delta }: Body) => delta));
    },
    { timeout: limitMs, interval: 500 },
  );

  // Every entrant is told, once. The second news of a kind is mailed ten minutes later.
  const database = new pg.Client(own.databaseUrl());
  await database.connect();
  await vi.waitFor(
    async () => {
      const { rows } = await database.query(
        "SELECT data ->> 'news' AS news, count(*)::int AS count FROM auth.notices WHERE kind = 'tournament' GROUP BY 1 ORDER BY 1",
      );
      expect(rows).toEqual(['ENTERED', 'RESULTS'].map((news) => ({ news, count: names.length })));
    },
    { timeout: limitMs, interval: 500 },
  );
  await database.end();

  // The list that was frozen is in the chain, before the plans of the stages.
  const text = await documentOf('main');
  const document = JSON.parse(text) as Body;
  expect(document.list.record).toMatchObject({ number: played.record.number, commitment: played.record.hash });
  const { roster } = JSON.parse(document.list.text);
  expect(roster.map(({ botHash }: Body) => botHash).sort()).toEqual(
    played.bots.map(({ bot_hash }: Body) => bot_hash).sort(),
  );
  await checkDocument(own, text, played);

  const { batches } = await admin.get<Body>('/llm/batches');
  const batch = batches.find(({ num_rounds }: Body) => num_rounds === 4);
  for (const action of ['pause', 'cancel']) {
    expect(await refusal(admin.post(`/llm/batch/${batch.batch_id}/${action}`))).toContain('stage of the tournament');
  }
  expect(await refusal(admin.post('/tournaments/main/cancel'))).toContain('This tournament is finished.');
});

test('mails an author whose final submission does not start, while there is time', { timeout: limitMs }, async () => {
  const author = await registerVerified(admin, 'broken-author');
  await uploadFinal(
    author,
    botFiles('pressure').player.replace('class SimplePlayer', 'open("nowhere")\n\n\nclass SimplePlayer'),
  );
  await vi.waitFor(
    async () => {
      const jobs = await author.get<Body[]>('/sim/status/all');
      expect(jobs.map(({ job_status: status }) => status)).toEqual(['Finished']);
    },
    { timeout: limitMs, interval: 500 },
  );
  await create('soon', { entry_deadline: inSeconds(3000) });
  await vi.waitFor(
    () => {
      const mails = mailsIn(join(own.dataDir, 'outbox')).filter((mail) =>
        mail.includes('Your bot would not start in Cup soon'),
      );
      expect(mails).toEqual([expect.stringContaining('To: broken-author@')]);
    },
    { timeout: limitMs, interval: 500 },
  );
  await admin.delete('/tournaments/soon');
});

test('a ceremony tells nobody a place before it is revealed', { timeout: 2 * limitMs }, async () => {
  await create('show', {
    ceremony: true,
    entry_list: names.slice(0, 6),
    entry_deadline: inSeconds(3),
    stages: [{ name: 'Final', hands: 4, hands_each: 12 }],
  });
  await until('show', ({ state }) => expect(state).toBe('finished'));
  const page = async () => {
    const response = await fetch(`${own.origin}/tournaments/show`, { headers: { accept: 'text/html' } });
    return /<noscript>.*<\/noscript>/s.exec(await response.text())?.[0] ?? '';
  };
  const board = async () => {
    const response = await fetch(`${own.origin}/leaderboard/top/10?tag=tournament-show`);
    return ((await response.json()) as Body).top_entries ?? [];
  };
  const hidden = await read('show');
  expect(hidden).toMatchObject({ champion: null, stages: [{ hidden: true, standings: [], matches: 3, finished: 3 }] });
  const { jobs } = await visitor().get<Body>(`/live/public-job-ids/paginated?batch=${hidden.stages[0].batch_number}`);
  expect([jobs, await board()]).toEqual([[], []]);
  for (const name of names.slice(0, 6)) expect(await page()).not.toContain(name);
  // The players of the final do not learn more.
  const [finalist] = players as [Api, ...Api[]];
  const own0 = names[0] ?? '';
  const { batches } = await admin.get<Body>('/llm/batches');
  const id = batches.find(({ batch_number }: Body) => batch_number === hidden.stages[0].batch_number).batch_id;
  const played = (await admin.get<Body>(`/llm/batch/${id}/jobs`)).jobs as Body[];
  const job = played[0]?.job_id as string;
  const listed = async (path: string) => JSON.stringify(await finalist.get<Body>(path));
  for (const path of [
    '/sim/status/all',
    '/sim/played',
    `/live/players/${own0}/matches`,
    `/live/players/${own0}/hands`,
  ]) {
    const text = await listed(path);
    for (const { job_id } of played) expect(text, path).not.toContain(job_id);
  }
  for (const path of [
    '',
    '/games',
    '/hands',
    '/download',
    '/commitment',
    '/seed',
    '/plan',
    '/luck',
    '/user-performance',
    '/highlights',
  ]) {
    const known = path === '' ? `/sim/status/${job}` : `/live/job/${job}${path}`;
    expect(await refusal(finalist.get(known)), known).toContain('private');
  }
  for (const path of [`/log/${own0}`, `/bots/${own0}`, `/bots/${own0}/code`]) {
    expect(await refusal(finalist.get(`/live/job/${job}${path}`)), path).toContain('private');
  }
  const sums = async () => [
    (await finalist.get<Body>(`/players/${own0}/versions`)).versions[0]?.matches ?? 0,
    (await finalist.get<Body>(`/live/players/${own0}/statistics`)).matches,
  ];
  const before = await sums();
  expect(JSON.parse(await documentOf('show')).stages).toEqual([]);

  const reveal = (revealed: number) => admin.post<Body>(`/tournaments/show/reveal?revealed=${revealed}`);
  expect((await reveal(0)).stages[0].standings).toMatchObject([{ rank: expect.any(Number) }]);
  expect(await refusal(reveal(0))).toContain('Somebody else has revealed this place');
  for (let place = 1; place < 6; place++) expect((await reveal(place)).stages[0].standings).toHaveLength(place + 1);
  expect(await refusal(admin.post('/tournaments/show/reveal'))).toContain('All places are revealed');
  const shown = await read('show');
  expect(shown.stages[0]).toMatchObject({ hidden: false });
  await vi.waitFor(async () => expect(await sums()).toEqual(before.map((count) => count + 3)), {
    timeout: limitMs,
    interval: 500,
  });
  expect(await listed('/sim/played')).toContain(job);
  await vi.waitFor(async () => expect(await board()).toHaveLength(6), { timeout: limitMs, interval: 500 });
  const [first, second] = shown.stages[0].standings;
  // Level players have no champion.
  if (first.delta > second.delta) expect(shown.champion).toBe(first.username);
  await vi.waitFor(async () => expect(await page()).toContain(first.username), { timeout: limitMs, interval: 500 });
  const picture = await fetch(`${own.origin}/og/tournament/show.png`);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
});

test('refuses what cannot be played, with a sentence that says why', { timeout: limitMs }, async () => {
  const stage = { name: 'One', hands: 10, hands_each: 100 };
  const cases: [more: object, words: string][] = [
    [{ entry_deadline: '2020-01-01T00:00:00Z' }, 'The entry deadline has passed'],
    [{ entry_deadline: 'tomorrow' }, 'entry_deadline'],
    [{ starts_at: inSeconds(60) }, 'before the entry deadline'],
    [{ stages: [{ ...stage, hands_each: 9 }] }, 'is too small: a match has 10 hands'],
    [{ stages: [{ ...stage, hands_each: 10_000_000 }] }, 'is too large'],
    [{ stages: [{ ...stage, advance: 6 }] }, 'nobody goes on from it'],
    [{ stages: [stage, { ...stage, name: 'Two' }] }, 'must go on to the next stage'],
    [{ stages: [{ ...stage, advance: 8 }, stage] }, 'two stages One'],
    [{ stages: [{ ...stage, stop_rule: {} }] }, 'A stopping rule is for a stage of 6'],
    [{ entry_list: ['nobody-knows'] }, 'There is no user nobody-knows'],
  ];
  for (const [more, words] of cases) expect(await refusal(create('refused', more)), words).toContain(words);
  expect(await refusal(read('refused'))).toContain('There is no such tournament');

  await create('second');
  expect(await refusal(create('second'))).toContain('Another tournament has the address second');
  const change = (more: object) =>
    admin.post<Body>('/tournaments/second', {
      name: 'Second',
      slug: 'second',
      entry_deadline: inSeconds(7200),
      ...more,
    });
  const { version } = await read('second');
  expect(await change({ expected_version: version })).toEqual({ slug: 'second' });
  expect(await refusal(change({ expected_version: version }))).toContain('Somebody else has changed');
  expect(await refusal(admin.post('/tournaments/second/reveal'))).toContain('has no ceremony');
  expect(await refusal(admin.post('/tournaments/second/resume'))).toContain('is not paused');
  await create('third', { entry_list: names.slice(0, 6), entry_deadline: inSeconds(3) });
  expect((await read('third')).overlaps).toEqual(['second']);
  await admin.delete('/tournaments/second');
  await until('third', ({ state }) => expect(state).toBe('running'));
  await admin.post('/tournaments/third/cancel');
  await until('third', ({ state, champion }) => expect([state, champion]).toEqual(['cancelled', null]));
  await create('few', { entry_list: [...names.slice(0, 5), 'admin'], entry_deadline: inSeconds(2) });
  await until('few', ({ problem }) =>
    expect(problem).toBe('5 users had a final submission at the deadline; a tournament needs 6.'),
  );
});
