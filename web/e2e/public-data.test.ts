import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { Api } from '../../scripts/demo/api.ts';
import { horizontalOverflow, open, pageErrors, phone, visibleText, visit } from './visitor.ts';
import { endOfMatch, startMatch } from './world.ts';

const { origin } = inject('platform');
const { admin, bots, match, privateMatch } = inject('world');
const api = new Api(origin);
const root = join(import.meta.dirname, '../..');

test('the footer links to the source archive of the running version, which contains only tracked files', async () => {
  const page = await visit('/');
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Source code' });
  await expect.poll(() => link.getAttribute('href')).toMatch(/^\/source\/husky-holdem-\d+\.\d+\.\d+\.tar\.gz$/);
  const response = await fetch(`${origin}${await link.getAttribute('href')}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/gzip']);
  const folder = mkdtempSync(join(tmpdir(), 'husky-source-test-'));
  try {
    const archive = join(folder, 'source.tar.gz');
    writeFileSync(archive, Buffer.from(await response.arrayBuffer()));
    const listed = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n');
    const names = listed.map((name) => name.replace(/^husky-holdem-\d+\.\d+\.\d+\//, ''));
    for (const name of ['README.md', 'Makefile', 'package-lock.json', 'gateway/src/main.ts', 'proto/README.md']) {
      if (existsSync(join(root, name))) expect(names).toContain(name);
    }
    expect(names.filter((name) => /(^|\/)(node_modules|dist|\.data|\.tools|secrets)\//.test(name))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the footer links to the page about public data, whose script downloads a match', async () => {
  const page = await visit('/about', { size: phone });
  await page.getByRole('contentinfo').getByRole('link', { name: 'Dataset' }).click();
  await page.getByRole('heading', { name: 'Public Data' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/data');
  await expect.poll(() => visibleText(page.getByRole('main'))).toMatch(/Public matches\s+\d/i);
  await expect.poll(() => horizontalOverflow(page)).toBe(0);
  const jobId = await startMatch(api, admin, bots, 5);
  const games = await endOfMatch(api, admin, jobId);
  await api.as(admin.token).post(`/admin/toggle-job-public/${jobId}`);
  const script = await page.getByRole('link', { name: 'download-public-data.py' }).getAttribute('href');
  const folder = mkdtempSync(join(tmpdir(), 'husky-data-test-'));
  try {
    const file = join(folder, 'download.py');
    writeFileSync(file, await (await fetch(`${origin}${script}`)).text());
    const download = (id: string) =>
      execFileSync('python3', [file, origin, join(folder, 'data'), id], { encoding: 'utf8', stdio: 'pipe' });
    expect(download(jobId)).toBe(`1 of 1: ${jobId}, ${games.length} hands\n`);
    expect(readdirSync(join(folder, 'data', jobId))).toHaveLength(games.length + 2);
    const hand = JSON.parse(readFileSync(join(folder, 'data', jobId, 'hand-1.json'), 'utf8'));
    expect(hand.game_data.blinds).toEqual({ small: 5, big: 10 });
    expect(() => download(privateMatch.jobId)).toThrow(/answered 403/);
  } finally {
    rmSync(folder, { recursive: true });
    const headers = { authorization: `Bearer ${admin.token}` };
    await fetch(`${origin}/sim/job/${jobId}`, { method: 'DELETE', headers });
  }
  expect(pageErrors).toEqual([]);
});

test('every call listed on the page about public data succeeds without a token', async () => {
  const page = await visit('/data');
  const table = page.getByRole('table', { name: 'Calls for public data' });
  const paths = await table.locator('code').allTextContents();
  expect(paths.length).toBeGreaterThan(6);
  const { players } = (await (await fetch(`${origin}/sim/status/${match.jobId}`)).json()) as { players: string[] };
  for (const path of paths) {
    const filled = path
      .replace('{match}', match.jobId)
      .replace('{hand}', match.gameIds[0] ?? '')
      .replace('{username}', players[0] ?? '')
      .replace('{number}', '999999999')
      .replace('{export}', randomUUID());
    const response = await fetch(`${origin}${filled}`, { headers: { accept: 'application/json' } });
    // The test's world has no public batch and no export.
    const missing = path.includes('{number}') ? 'Batch not found' : path.includes('{export}') ? 'Export not found' : '';
    if (missing === '') expect(response.status, filled).toBe(200);
    else expect([response.status, await response.text()]).toEqual([404, expect.stringContaining(missing)]);
  }
  await open(page, '/about');
  expect(await page.getByRole('link', { name: 'Dataset' }).first().getAttribute('href')).toBe('/data');
});
