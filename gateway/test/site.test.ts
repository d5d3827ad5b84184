// Pages, previews of links and pictures over a real gateway, with doubles of the services.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authService, leaderboardService, liveDataService, simulationService } from '@husky/contracts/services';
import { specifiedEvent } from '@husky/match/specified-event';
import { anyone } from '@husky/runtime/rpc/access';
import { DomainError } from '@husky/runtime/rpc/errors';
import { startDouble } from '@husky/testkit/service-double';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openApi } from '../src/http/openapi.ts';
import { apiRoutes } from '../src/routes/all.ts';
import { withSettings } from '../src/site/page-files.ts';
import { findPage, sitePages } from '../src/site/pages.ts';
import { startEdge } from './edge.ts';

const publicId = '11111111-1111-4111-8111-111111111111';
const privateId = '22222222-2222-4222-8222-222222222222';
const widest = 'W'.repeat(32);
const hostile = '"><script>alert(1)</script>&\'$&';
const names = new Map([
  ['u1', widest],
  ['u2', hostile],
]);
const game = {
  finalBoard: ['Qd', 'Jh', '2c', 'Ts', '7h'],
  playerHands: { '0': ['Ah', 'Kd'], '1': ['2s', '2h'] },
  playerMoney: { thisGameDelta: { '1': 900, '2': -900 } },
};
const visible = new Set([publicId]);

let origin: string;
/** Discards the shared responses, as the gateway does when an event reports a change. */
let receiveChange: () => void;
let folder: string;
const stops: (() => unknown)[] = [];

beforeAll(async () => {
  const notFound = () => new DomainError('NOT_FOUND', 'not-here', 'Not found');
  const auth = await startDouble(authService, anyone, {
    getNames: async ({ ids }) => ({ names: ids.map((id) => ({ id, username: names.get(id) ?? '' })) }),
    async getUser({ username }) {
      if (username !== widest) throw notFound();
      return { id: 'u1', username };
    },
  });
  const liveData = await startDouble(liveDataService, anyone, {
    async getMatchAccess({ jobId }) {
      return { jobId, canRead: visible.has(jobId) };
    },
    async listMatches({ publicOnly, jobIdBegins, playerId }) {
      expect(publicOnly).toBe(true);
      const listed = [publicId].filter((id) => visible.has(id) && id.startsWith(jobIdBegins ?? ''));
      const found = { playerIds: ['u1', 'u2'], deltas: [9_000, -9_000], status: 'Finished', hands: 1000 };
      const matches = listed.map((jobId) => ({ jobId, ...found }));
      return { matches, total: playerId === 'u2' ? 0 : matches.length };
    },
    searchHands: async () => ({ hands: [{ gameId: 'hand-0000-1000', hand: 1000, board: game.finalBoard }], total: 1 }),
    async getHand({ gameId }) {
      const jobId = gameId === 'hand-0000-1000' ? publicId : privateId;
      if (!visible.has(jobId)) throw new DomainError('PERMISSION_DENIED', 'private-match', 'This game is private');
      return { gameId, jobId, hand: 1000, playerIds: ['u1', 'u2'], gameJson: JSON.stringify(game) };
    },
    listPublicBatches: async () => ({ batchIds: visible.has(publicId) ? ['b1', 'b2'] : [] }),
    getResults: async ({ batchId }) => ({
      matches: 7,
      hands: 7000,
      players: [
        { userId: 'u1', delta: 500 },
        { userId: 'u2', delta: batchId === 'b2' ? 500 : -500 },
      ],
    }),
  });
  const leaderboard = await startDouble(leaderboardService, anyone, {
    getBoard: async () => ({ tag: '2025', rows: [{ userId: 'u1', scoreCents: 1_250, rank: 1 }], total: 1 }),
  });
  const simulation = await startDouble(simulationService, anyone, {
    async findBatch({ batchNumber }) {
      if (batchNumber === 4) return { id: 'b2', batchNumber };
      if (batchNumber !== 3 && batchNumber !== 2) throw notFound();
      return { id: 'b1', batchNumber: 3 };
    },
    getSettings: async () => ({ banner: hostile, frozen: true, tournamentStart: '', tournamentEnd: '' }),
  });
  folder = mkdtempSync(join(tmpdir(), 'site-'));
  const head = '<!-- head of the page --><title>x</title><!-- /head of the page -->';
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><head>${head}<meta name="app-config" content="" /></head><noscript>x</noscript><div id="root"><!-- before the app --><p class="boot-title"></p><!-- /before the app --></div>`,
  );
  const services = { auth, liveData, leaderboard, simulation };
  const edge = await startEdge(
    Object.fromEntries(Object.entries(services).map(([name, { address }]) => [name, address])),
    { settings: { PUBLIC_URL: 'https://play.example.org/', WEB_DIR: folder } },
  );
  origin = edge.origin;
  receiveChange = () => edge.context.publicResponses.forgetRecent();
  stops.push(
    () => edge.stop(),
    ...[auth, liveData, leaderboard, simulation].map((double) => () => double.stop()),
    () => rmSync(folder, { recursive: true }),
  );
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

const fetchAs = (path: string, accept: string, headers = {}) =>
  fetch(`${origin}${path}`, { headers: { accept, ...headers } });
const html = async (path: string) => (await fetchAs(path, 'text/html')).text();
const contentOf = (page: string, key: string) =>
  new RegExp(`<meta (?:name|property)="${key}" content="([^"]*)"`).exec(page)?.[1];

test.each([
  ['/', '*/*', 'text/html'],
  ['/games', '*/*', 'text/html'],
  [`/games/${publicId}`, 'text/*;q=0.5', 'text/html'],
  [`/players/${widest}`, '*/*', 'text/html'],
  // The REST contract has a call at this path.
  [`/profile/${widest}`, 'text/html,*/*', 'text/html'],
  [`/profile/${widest}`, '*/*', 'application/json'],
  ['/games', 'application/json', 'application/json'],
  ['/games', 'application/json, text/plain, */*', 'application/json'],
  ['/no/such/page', '*/*', 'application/json'],
  ['/no/such/page', 'text/html', 'text/html'],
])('responds to GET %s with Accept: %s as %s', async (path, accept, type) => {
  expect((await fetchAs(path, accept)).headers.get('content-type')).toContain(type);
});

test('shows the title of a page before the app has started, but not on pages without a bar', async () => {
  for (const [path, title] of [
    ['/games', 'Games'],
    ['/', 'Husky Hold&#39;em Bench'],
    ['/nowhere', 'Husky Hold&#39;em Bench'],
  ] as const)
    expect(await html(path)).toContain(`<p class="boot-title">${title}</p>`);
  for (const path of ['/tv', '/embed/replay/x']) expect(await html(path)).not.toContain('boot-title');
});

test('marks every page that shares its path with a call', () => {
  const calls = openApi(apiRoutes({}, { metricsText: async () => '' }), 'http://localhost').paths as Record<
    string,
    object
  >;
  const shared = Object.keys(calls).filter((path) => 'get' in (calls[path] ?? {}) && findPage(path));
  const callFirst = shared.filter((path) => findPage(path)?.page.call);
  expect(callFirst.sort()).toEqual([
    '/admin/audit',
    '/ladder',
    '/profile',
    '/profile/{username}',
    '/tournaments',
    '/tournaments/{slug}',
    '/trials',
    '/trials/{id}',
  ]);
  expect(shared.filter((path) => !callFirst.includes(path)).sort()).toEqual([
    '/batches/{number}',
    '/players/{username}',
  ]);
});

test('serves pages to requests without an Accept header', async () => {
  const { request } = await import('node:http');
  const type = await new Promise<string | undefined>((resolve, reject) => {
    request(`${origin}/games`, (response) => {
      response.resume();
      resolve(response.headers['content-type']);
    })
      .on('error', reject)
      .end();
  });
  expect(type).toContain('text/html');
});

test('describes a public match in its head, with escaped names', async () => {
  const page = await html(`/games/${publicId}`);
  expect(page).toContain('<title>Match 11111111 · Husky Hold&#39;em Bench</title>');
  expect(contentOf(page, 'og:description')).toContain(`${widest} wins $9,000 in 1,000 hands`);
  expect(contentOf(page, 'og:image')).toBe(`https://play.example.org/og/match/${publicId}.png`);
  expect(page).toContain(`<link rel="canonical" href="https://play.example.org/games/${publicId}" />`);
  expect(contentOf(page, 'twitter:card')).toBe('summary_large_image');
  expect(page).not.toContain('<script>');
  expect(page).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;$&amp;');
});

test.each([
  [
    '/',
    [
      '<h1>Husky Hold&#39;em Bench',
      `<td>1</td><td><a href="/players/${widest}">`,
      '+$12.50',
      `<a href="/games/${publicId}">`,
    ],
  ],
  ['/games', ['<h1>Games', `<a href="/games/${publicId}">`, `${widest} wins $9,000 in 1,000 hands`]],
  [`/games/${publicId}`, [`<td><a href="/players/${widest}">${widest}</a></td><td>+$9,000</td>`]],
  ['/batches/3', ['<h1>Batch 3', '<td>1</td>', '+$500', `<a href="/games/${publicId}">`]],
  [`/players/${widest}`, [`<h1>${widest}`, `<a href="/games/${publicId}">`]],
])('shows %s without JavaScript: escaped, and nothing of a match that became private', async (path, parts) => {
  const textOf = async () => /<noscript>([\s\S]*)<\/noscript>/.exec(await html(path))?.[1] ?? '';
  for (const part of parts) expect(await textOf()).toContain(part);
  expect(await textOf()).not.toContain('<script>');
  visible.delete(publicId);
  onTestFinished(() => {
    visible.add(publicId);
  });
  await expect.poll(textOf, { timeout: 5_000 }).not.toContain(publicId);
});

test("puts the web app's settings into the page, escaped", async () => {
  const content = contentOf(await html('/'), 'app-config') ?? '';
  const unescaped = content
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>');
  const settings: unknown = JSON.parse(unescaped.replaceAll('&amp;', '&'));
  expect(settings).toEqual(await (await fetchAs('/app-config.json', 'application/json')).json());
  expect(settings).toMatchObject({ identity: 'own', banner: hostile, frozen: true });
});

test('shows the banner before the app, escaped, unless the app shows another in its place', () => {
  const { banner, start, end } = specifiedEvent;
  const tournament = { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
  const page = '<p class="strip strip-info strip-notice" hidden></p>';
  const shown = (text: string) => `<p class="strip strip-info strip-notice">${text}</p>`;
  expect(withSettings(page, { banner, tournament })).toBe(shown(banner));
  expect(withSettings(page, { banner: '$& <b>', frozen: true })).toBe(shown('$&amp; &lt;b&gt;'));
  for (const settings of [
    {},
    { banner, tournament, frozen: true },
    { banner, tournament: { ...tournament, end: '2026-01-01T00:00:00Z' } },
  ])
    expect(withSettings(page, settings)).toBe(page);
});

test('escapes the path in the canonical address', async () => {
  const page = await html(`/games/%22%3E%3Cscript%3E"><script>`);
  expect(page).not.toMatch(/<script>|"><s/);
});

test('describes hands, players and batches, and points from an embedded replay to the replay', async () => {
  expect(contentOf(await html('/replay/hand-0000-1000'), 'og:description')).toContain(
    `${widest} wins $900 net in hand 1000. The board is Qd Jh 2c Ts 7h`,
  );
  expect(contentOf(await html('/batches/3'), 'description')).toBe(
    `${widest} leads with +$500 after 7 matches of 2 players, 7,000 hands. Standing, curves and all matches.`,
  );
  expect(contentOf(await html('/batches/4'), 'description')).toMatch(/ and \S+ lead with \+\$500 after 7 matches/);
  const embedded = await html('/embed/replay/hand-0000-1000');
  expect(embedded).toContain('<link rel="canonical" href="https://play.example.org/replay/hand-0000-1000" />');
  expect(contentOf(embedded, 'robots')).toBe('noindex');
  await expect
    .poll(async () => contentOf(await html(`/players/${widest}`), 'description'), { timeout: 5_000 })
    .toBe(`The poker bot of ${widest}: number 1 with +$12.50, 1 public match.`);
});

test.each([
  ['text/html', '/batches/2?tab=standings', '/batches/3?tab=standings'],
  ['application/json', '/batches/2', '/batches/3'],
])('redirects a client that accepts %s from a former number of a batch', async (accept, former, now) => {
  const response = await fetch(origin + former, { headers: { accept }, redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([307, now]);
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test('gives private, unknown and deleted subjects the same tags and picture', async () => {
  const general = Buffer.from(await (await fetch(`${origin}/og/site.png`)).arrayBuffer());
  const other = '33333333-3333-4333-8333-333333333333';
  const [hidden, unknown] = [await html(`/games/${privateId}`), await html(`/games/${other}`)];
  expect(hidden.replaceAll(privateId, '')).toBe(unknown.replaceAll(other, ''));
  expect(hidden).not.toContain('og/match');
  for (const path of [
    `match/${privateId}`,
    `match/${other}`,
    'replay/hand-0000-0001',
    'player/nobody',
    'batch/1',
    'match/..%2f',
  ]) {
    const response = await fetch(`${origin}/og/${path}.png`);
    expect([response.status, response.headers.get('content-type')], path).toEqual([200, 'image/png']);
    expect(Buffer.from(await response.arrayBuffer()).equals(general), path).toBe(true);
  }
});

test('draws pictures of 1200 x 630 pixels, and stops showing a match as soon as it is private', async () => {
  for (const path of [`match/${publicId}`, 'replay/hand-0000-1000', `player/${widest}`, 'batch/3']) {
    const response = await fetch(`${origin}/og/${path}.png`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(1, 4).toString(), path).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], path).toEqual([1200, 630]);
    expect(bytes.length, path).toBeGreaterThan(15_000);
    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(`${origin}/og/${path}.png`, {
      // Without it fetch sends no-cache.
      headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' },
    });
    expect(again.status, path).toBe(304);
  }
  const shown = await fetch(`${origin}/og/match/${publicId}.png`);
  visible.delete(publicId);
  receiveChange();
  const hidden = await fetch(`${origin}/og/match/${publicId}.png`);
  expect(hidden.headers.get('etag')).not.toBe(shown.headers.get('etag'));
  expect(contentOf(await html(`/games/${publicId}`), 'og:title')).toBe('Match');
  expect(contentOf(await html('/batches/3'), 'og:title')).toBe('Batch');
  visible.add(publicId);
  receiveChange();
});

test('lists public pages, matches and players for crawlers', async () => {
  const robots = await (await fetch(`${origin}/robots.txt`)).text();
  expect(robots).toContain('Sitemap: https://play.example.org/sitemap.xml');
  const response = await fetch(`${origin}/sitemap.xml`);
  expect(response.headers.get('content-type')).toContain('application/xml');
  const sitemap = await response.text();
  for (const path of ['/', '/bots', `/games/${publicId}`, `/players/${widest}`]) {
    expect(sitemap).toContain(`<loc>https://play.example.org${path}</loc>`);
  }
  expect(sitemap).not.toMatch(/admin|dashboard|22222222|<script>/);
});

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['identity', null],
])('a file of the site for a client that accepts %s is encoded with %s', async (accepted, encoding) => {
  const name = '/encoded.js';
  for (const end of ['', '.br', '.gz']) writeFileSync(join(folder, name + end), '');
  const response = await fetch(origin + name, { method: 'HEAD', headers: { 'accept-encoding': accepted } });
  expect([response.status, response.headers.get('content-encoding')]).toEqual([200, encoding]);
});

test('loads the code of a page together with the first script', async () => {
  const withoutBuild = await html('/games');
  expect(withoutBuild).not.toContain('modulepreload');
  mkdirSync(join(folder, '.vite'));
  const manifest = {
    'index.html': { file: 'assets/index.js', isEntry: true, imports: ['_shared.js'], css: ['assets/index.css'] },
    '_shared.js': { file: 'assets/shared.js' },
    '_cards.js': { file: 'assets/cards.js', imports: ['_shared.js'] },
    'src/features/games/games-page.tsx': {
      file: 'assets/games.js',
      imports: ['index.html', '_cards.js'],
      css: ['assets/games.css'],
    },
  };
  writeFileSync(join(folder, '.vite/manifest.json'), JSON.stringify(manifest));
  const links = [...(await html('/games')).matchAll(/<link rel="(?:modulepreload|preload)"[^>]*>/g)].map(String);
  expect(links).toEqual([
    '<link rel="modulepreload" crossorigin href="/assets/games.js" />',
    '<link rel="preload" as="style" crossorigin href="/assets/games.css" />',
    '<link rel="modulepreload" crossorigin href="/assets/cards.js" />',
  ]);
  expect(await html('/about')).not.toContain('modulepreload');
});

test('names modules of the web app that exist', () => {
  const modules = sitePages.flatMap(({ module }) => module ?? []);
  expect(modules.length).toBeGreaterThan(4);
  for (const module of modules) expect(existsSync(join(import.meta.dirname, '../../web', module)), module).toBe(true);
});
