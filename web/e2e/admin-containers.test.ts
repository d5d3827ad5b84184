import { afterAll, expect, inject, test, vi } from 'vitest';
import { asAdmin, callsDuring, expectText, expectToast, press, savedText } from './admin-steps.ts';
import { desktop, horizontalOverflow, open, pageErrors, phone, visibleText, visit } from './visitor.ts';
import type { World } from './world.ts';

const world: World = inject('world');
const { admin } = world;

interface Status {
  readonly data: { readonly pool_size: number; readonly target_size: number };
}
const poolSize = async () => (await asAdmin.get<Status>('/docker/pool/status')).data.pool_size;
const targetSize = async () => (await asAdmin.get<Status>('/docker/pool/status')).data.target_size;
const first = await targetSize();

afterAll(async () => {
  await asAdmin.post(`/docker/pool/scale?target_size=${first}`);
  await vi.waitFor(async () => expect(await poolSize()).toBe(first), { timeout: 30_000, interval: 300 });
});

test('the pool is scaled manually: a toast reports the change, and the job is listed until it has finished', async () => {
  const page = await visit('/container-manager', { account: admin });
  const status = page.getByRole('region', { name: 'CURRENT POOL STATUS' });
  const jobs = page.getByRole('region', { name: 'ACTIVE SCALING JOBS' });
  await expectText(status, new RegExp(`Pool Size\\s+${first}\\b`, 'i'));
  for (const label of ['Active', 'Idle', 'Acquired']) await expectText(status, label);
  await page.getByLabel('Target size').fill(String(first + 1));
  await press(page, 'Scale Now');
  await expectToast(page, `Scaling to ${first + 1} started.`);
  await expectText(jobs.locator('tbody tr').first(), new RegExp(`${first} → ${first + 1}`));
  await expect
    .poll(
      async () => {
        await page.reload();
        await jobs.locator('tbody tr').first().waitFor();
        return visibleText(jobs.locator('tbody tr').first());
      },
      { timeout: 30_000, interval: 500 },
    )
    .toMatch(/Finished/);
  await expectText(status, new RegExp(`Pool Size\\s+${first + 1}\\b`, 'i'));
  await expect.poll(() => page.getByLabel('Container', { exact: true }).locator('option').count()).toBe(first + 2);
  await expectText(page.getByRole('region', { name: 'SANDBOX' }), /In force: seccomp, landlock/);
  expect(pageErrors).toEqual([]);
});

test('sizes of 2, -1, 3.5 and a million are refused with an error text, and nothing changes', async () => {
  const page = await visit('/container-manager', { account: admin });
  const jobs = page.getByRole('region', { name: 'ACTIVE SCALING JOBS' }).locator('tbody tr');
  const [before, listed] = [await targetSize(), await jobs.count()];
  const calls = await callsDuring(page, '/docker/pool/scale', async () => {
    for (const size of ['2', '-1', '3.5', '']) {
      await page.getByLabel('Target size').fill(size);
      await press(page, 'Scale Now');
      await expectToast(page, 'Target size must be at least 3');
    }
  });
  expect(calls).toBe(0);
  await page.getByLabel('Target size').fill('1000000');
  await press(page, 'Scale Now');
  await expectToast(page, /^Scaling failed\. Target size must be at most \d+$/);
  expect([await targetSize(), await jobs.count()]).toEqual([before, listed]);
});

test('autoscaling is switched on and off, its bounds are checked, and manual scaling switches it off', async () => {
  const page = await visit('/container-manager', { account: admin });
  const panel = page.getByRole('region', { name: 'AUTOSCALING', exact: true });
  await expectText(panel, /Off\./);
  const fields = { Minimum: '3', Maximum: '4', 'Play the backlog within': '600' };
  const fill = async (values: Partial<typeof fields>) => {
    for (const [label, value] of Object.entries({ ...fields, ...values })) await panel.getByLabel(label).fill(value);
  };
  const calls = await callsDuring(page, '/docker/pool/autoscaling', async () => {
    for (const [values, text] of [
      [{ Minimum: '2' }, 'The minimum must be a whole number of at least 3.'],
      [{ Maximum: '1000000' }, /The maximum must be a whole number from 3 to [\d,]+\./],
      [{ Minimum: '4', Maximum: '3' }, 'The maximum must not be below the minimum.'],
      [{ 'Play the backlog within': '5' }, 'The backlog must be played within 10 to 86,400 seconds.'],
    ] as const) {
      await fill(values);
      await press(panel, 'Save bounds');
      await panel.getByRole('alert').getByText(text).waitFor();
    }
  });
  expect(calls).toBe(0);
  await fill({});
  await press(panel, 'Switch on');
  await expectToast(page, 'Autoscaling is on.');
  await expectText(panel, /On[.,]/);
  await expectText(panel, `by ${admin.username}`);
  await expectText(
    page.getByRole('region', { name: 'Adjust Pool Size' }),
    'Autoscaling is on: scaling by hand switches it off.',
  );
  await page.getByLabel('Target size').fill('4');
  await press(page, 'Scale Now');
  await expectToast(page, 'Scaling to 4 started. Autoscaling is off now.');
  await expectText(panel, /Off\./);
  await press(panel, 'Switch on');
  await expectToast(page, 'Autoscaling is on.');
  await press(panel, 'Switch off');
  await expectToast(page, 'Autoscaling is off.');
  await expectText(panel, /Off\./);
  expect(pageErrors).toEqual([]);
});

test("a runner's log is fetched with its number of lines, and downloaded", async () => {
  const page = await visit('/container-manager', { account: admin });
  const panel = page.getByRole('region', { name: 'CONTAINER LOG VIEWER' });
  const container = panel.getByLabel('Container', { exact: true });
  await expect.poll(() => container.locator('option').count()).toBeGreaterThan(3);
  const option = (await container.locator('option').nth(1).textContent()) ?? '';
  expect(option).toMatch(/^\S+ \(port \d+, (active|idle|acquired)\)$/);
  await container.selectOption({ index: 1 });
  await press(panel, 'Fetch');
  await expectText(panel, /[1-9]\d* lines/);
  const text =
    (await panel.getByRole('region', { name: 'Container log' }).or(panel.locator('pre')).first().textContent()) ?? '';
  expect(text.length).toBeGreaterThan(10);
  const download = page.waitForEvent('download');
  await press(panel, 'Download');
  const file = await download;
  expect(file.suggestedFilename()).toBe(`${option.split(' ')[0]}.log`);
  expect((await savedText(file)).split('\n').length).toBeGreaterThan(1);
  expect(pageErrors).toEqual([]);
});

test.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)(
  'a thousand containers are searched, filtered and moved through by keyboard on a %s',
  async (_name, size) => {
    const page = await visit(null, { account: admin, size });
    await page.route('**/docker/pool/detailed', async (route) => {
      // Simulates a large fleet: a thousand runners do not fit on this machine.
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      const real = [...data.active_containers, ...data.idle_containers];
      const more = Array.from({ length: 1000 - real.length }, (_, index) => ({
        ...real[0],
        container_name: `husky-runner-${index}`,
        port: 20_000 + index,
        state: index % 100 === 0 ? 'starting' : 'idle',
      }));
      await route.fulfill({
        response,
        json: { ...rest, data: { active_containers: [], idle_containers: [...more, ...real] } },
      });
    });
    await open(page, '/container-manager');
    const panel = page.getByRole('region', { name: 'CONTAINER LOG VIEWER' });
    const list = panel.getByRole('listbox', { name: 'Containers' });
    await expectText(panel, /\d{3} idle, 10 starting/);
    expect(await list.getByRole('option').count()).toBeLessThan(40);
    expect(await panel.getByLabel('Container', { exact: true }).locator('option').count()).toBe(101);
    await expect.poll(() => horizontalOverflow(page)).toBe(0);

    await list.focus();
    await page.keyboard.press('End');
    await list.getByRole('option').and(page.locator('[aria-posinset="1000"]')).waitFor();
    const last = await list.locator('.container-row-current').textContent();
    await page.keyboard.press('PageUp');
    await page.keyboard.press('PageDown');
    expect(await list.locator('.container-row-current').textContent()).toBe(last);
    await page.keyboard.press('Enter');
    await expectText(panel, /[1-9]\d* lines/);

    await panel.getByLabel('State').selectOption('starting');
    await expectText(panel, '10 starting');
    expect(await list.getByRole('option').count()).toBe(10);
    await panel.getByLabel('Search').fill('husky-runner-700');
    await expect.poll(() => list.getByRole('option').count()).toBe(1);
    await panel.getByLabel('Search').fill('nobody');
    await expectText(panel, 'No container matches.');
    expect(pageErrors).toEqual([]);
  },
);
