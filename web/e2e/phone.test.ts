// Layout and loading on phones.
import { expect, inject, test } from 'vitest';
import { pageErrors, phone, visit } from './visitor.ts';

const { admin, match } = inject('world');

test('cards of the admin page are folded to one line and open on a tap', async () => {
  const page = await visit('/admin', { size: phone, account: admin });
  await page.getByLabel('Search users').fill(admin.username);
  const row = page.getByRole('table', { name: 'User management' }).getByRole('row', { name: admin.username });
  const email = row.getByRole('cell', { name: /@/ });
  await row.waitFor();
  expect(await email.isVisible()).toBe(false);
  expect((await row.boundingBox())?.height).toBeLessThan(80);
  const button = row.getByRole('button', { name: `Details of ${admin.username}` });
  expect(await button.getAttribute('aria-expanded')).toBe('false');
  await button.tap();
  await email.waitFor();
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  await button.tap();
  await email.waitFor({ state: 'hidden' });
  expect(pageErrors).toEqual([]);
});

test("a match's graph is compressed on its way, and its hands are confirmed by a 304", async () => {
  const page = await visit('/about');
  const sizes = await page.evaluate(async (path) => {
    await (await fetch(path, { headers: { Accept: 'application/json' } })).text();
    await (await fetch(path, { headers: { Accept: 'application/json' } })).text();
    const entries = performance.getEntriesByName(new URL(path, location.href).href) as PerformanceResourceTiming[];
    return entries.map(({ transferSize, encodedBodySize, decodedBodySize }) => ({
      transferSize,
      encodedBodySize,
      decodedBodySize,
    }));
  }, `/live/job/${match.jobId}/user-performance`);
  expect(sizes).toHaveLength(2);
  const [first, second] = sizes;
  expect(first?.encodedBodySize).toBeLessThan((first?.decodedBodySize ?? 0) / 2);
  // The second response has headers only: the body is the stored one.
  expect(second?.transferSize).toBeLessThan(first?.encodedBodySize ?? 0);
});
