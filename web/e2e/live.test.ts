import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { Api } from '../../scripts/demo/api.ts';
import { expectText } from './admin-steps.ts';
import { expectAlignedHands, open, visibleText, visit } from './visitor.ts';
import { type Account, endOfMatch, registerVerified, startMatch, submit, type World } from './world.ts';

const world: World = inject('world');
const { dataDir, origin } = inject('platform');
const api = new Api(origin);
const hands = 600;
let seats: readonly Account[] = [];

beforeAll(async () => {
  const slow = await registerVerified(api, world.admin, `slow-${process.pid}`);
  await submit(api, slow, 'slow', true);
  seats = [slow, ...world.bots.filter((bot) => bot.username !== 'coin-flipper')];
});

const handsShown = async (page: Page) =>
  Number(/Hands \(([\d,]+)\)/.exec(await visibleText(page.getByRole('main')))?.[1]?.replace(',', '') ?? 0);

/** Records the event streams of the page: the id of each hand, and the Last-Event-ID of each request. */
async function recordStreams(page: Page): Promise<{ hands: () => Promise<string[]>; resumes: string[] }> {
  const resumes: string[] = [];
  page.on('request', (request) => {
    const id = request.headers()['last-event-id'];
    if (request.url().endsWith('/events') && id !== undefined) resumes.push(id);
  });
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seenHands: seen });
    const real = window.fetch;
    window.fetch = async (...request) => {
      const response = await real(...request);
      if (!`${request[0]}`.endsWith('/events') || response.body === null) return response;
      const [ours, theirs] = response.body.tee();
      const read = async () => {
        let text = '';
        for (const reader = ours.getReader(); ; ) {
          const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
          if (value) text += new TextDecoder().decode(value);
          for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
            const id = /^id: (\d+:\d+)\nevent: hand/.exec(text.slice(0, end))?.[1];
            if (id) seen.push(id);
            text = text.slice(end + 2);
          }
          if (done) return;
        }
      };
      void read();
      return new Response(theirs, response);
    };
  });
  return { hands: () => page.evaluate(() => (window as unknown as { seenHands: string[] }).seenHands), resumes };
}

function killGateway(): void {
  const register = JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as Record<string, { pid: number }>;
  process.kill(register.gateway?.pid ?? Number.NaN, 'SIGKILL');
}

test('a running match adds hand after hand to its page, without gap or duplicate after a crash of the gateway, and ends in results', async () => {
  const jobId = await startMatch(api, world.admin, seats, hands);
  const page = await visit(null, { account: world.admin });
  const streams = await recordStreams(page);
  await open(page, `/games/${jobId}`);
  await page.getByRole('progressbar', { name: 'Hands played' }).waitFor();
  const counts: number[] = [];
  let killed = false;
  await expect
    .poll(
      async () => {
        const count = await handsShown(page);
        if (count !== counts.at(-1)) counts.push(count);
        if (count > 20 && !killed) {
          killed = true;
          killGateway();
        }
        return page.getByText('Job Final Result').count();
      },
      { timeout: 80_000, interval: 100 },
    )
    .toBe(1);
  expect(killed).toBe(true);
  expect(counts.length, `${counts}`).toBeGreaterThan(3);
  expect(counts).toEqual([...counts].sort((a, b) => a - b));

  const games = await endOfMatch(api, world.admin, jobId);
  await expect.poll(() => handsShown(page), { timeout: 30_000 }).toBe(games.length);
  const seen = (await streams.hands()).map((id) => Number(id.split(':')[1]));
  expect(streams.resumes.length, 'the stream was resumed from the last hand').toBeGreaterThan(0);
  expect(seen, 'each hand arrived once, in order').toEqual(
    Array.from({ length: seen.length }, (_, index) => index + 1),
  );
  console.log(
    `live: ${counts.length} different counts shown, ${seen.length} hands streamed, ${streams.resumes.length} resumed requests`,
  );
  await page.getByText(`${games.length} hands`).first().waitFor();
  await expect.poll(() => page.getByText('Hand #1', { exact: true }).count()).toBe(1);
});

test('a running public match has a LIVE mark on /games and shows hands and progress to spectators', async () => {
  const jobId = await startMatch(api, world.admin, seats, hands);
  await expect
    .poll(() =>
      api
        .as(world.admin.token)
        .post(`/admin/toggle-job-public/${jobId}`)
        .then(
          () => true,
          () => false,
        ),
    )
    .toBe(true);
  const page = await visit('/games');
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.locator('.job-card').first().waitFor();
        return page.locator('.job-card-live').filter({ hasText: jobId }).getByText('LIVE').count();
      },
      { timeout: 20_000 },
    )
    .toBe(1);
  await open(page, `/games/${jobId}`);
  await expect.poll(() => handsShown(page), { timeout: 20_000 }).toBeGreaterThan(0);
  await expectAlignedHands(page);
  await expectText(page.getByRole('region', { name: 'Broadcast' }), /Hand [\d,]+ of 600/);
  await endOfMatch(api, world.admin, jobId);
});
