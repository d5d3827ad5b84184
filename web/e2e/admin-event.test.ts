import { afterAll, expect, inject, test } from 'vitest';
import { DEFAULT_BANNER } from '../src/lib/tournament.ts';
import { api, asAdmin, expectText, expectToast, press, reopenUntil, secondAdmin } from './admin-steps.ts';
import { pick } from './screen-list.ts';
import { desktop, horizontalOverflow, open, pageErrors, phone, visit } from './visitor.ts';
import { botFile, type World } from './world.ts';

const world: World = inject('world');
const { admin, verified } = world;

interface Settings {
  readonly banner: string;
  readonly frozen: boolean;
  readonly tournament_start: string;
  readonly tournament_end: string;
  readonly home_board: string;
  readonly max_submissions: number;
  readonly version: number;
}
const settings = () => asAdmin.get<Settings>('/admin/settings');
const original = await settings();

afterAll(async () => {
  const { banner, frozen, tournament_start, tournament_end, home_board, max_submissions } = original;
  const body = { banner, frozen, tournament_start, tournament_end, home_board, max_submissions };
  await asAdmin.post('/admin/settings', body);
});

const bot = () =>
  (['player.py', 'requirements.txt'] as const).map((name) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(botFile('calling-station', name)),
  }));

test('the default banner about the development phase is above every page', async () => {
  for (const size of [desktop, phone]) {
    const page = await visit(null, { size });
    for (const path of ['/', '/games', '/login', '/no-such-page']) {
      await open(page, path);
      await expectText(page.locator('.strip-notice'), DEFAULT_BANNER);
      await expect.poll(() => horizontalOverflow(page), { message: path }).toBe(0);
    }
  }
});

test('a banner is shown above every page to everybody, as text, until it is deleted', async () => {
  const page = await visit('/admin', { account: admin });
  const text = 'Maintenance at 18:00 UTC.\n<b onclick="alert(1)">Bots keep playing</b>';
  await page.getByLabel('Banner').fill(text);
  await press(page, 'Save settings');
  await expectToast(page, 'Settings saved.');
  await page.locator('.strip').getByText('Maintenance at 18:00 UTC.').waitFor();
  const anonymous = await visit(null);
  for (const path of ['/', '/games', '/login', '/no-such-page']) {
    await reopenUntil(
      anonymous,
      path,
      anonymous.locator('.strip-notice'),
      '<b onclick="alert(1)">Bots keep playing</b>',
    );
  }
  await page.getByLabel('Banner').fill('');
  await press(page, 'Save settings');
  await expectToast(page, 'Settings saved.');
  await reopenUntil(anonymous, '/', anonymous.locator('.strip'), /^$/);
  expect(pageErrors).toEqual([]);
});

test('a freeze refuses submissions, test runs and matches with an error text, is shown to everybody, and ends', async () => {
  const page = await visit('/admin', { account: admin });
  const freeze = page.getByLabel('Freeze: no new submissions, no new matches');
  await freeze.check();
  await press(page, 'Save settings');
  await expectToast(page, 'Settings saved.');
  const notice = 'The event is frozen by the organisers: no new submissions and no new matches for now.';
  const userPage = await visit(null, { account: verified });
  await reopenUntil(userPage, '/dashboard', userPage.locator('.strip'), notice);
  const note = /^The organisers have frozen the event since .+: uploads, final marks and test runs are refused/;
  await userPage.getByText(note).waitFor();
  await userPage.getByLabel('Choose files').first().setInputFiles(bot());
  expect(await userPage.getByRole('button', { name: 'Submit Bot' }).isDisabled()).toBe(true);
  await open(userPage, '/about');
  await userPage.getByText(/^FROZEN since /).waitFor();
  await open(userPage, '/submission');
  await userPage.getByText(note).waitFor();
  expect(await userPage.locator('form.bot-upload button[type=submit]').isDisabled()).toBe(true);
  expect(
    await userPage
      .getByRole('button', { name: /^Mark Final/ })
      .first()
      .isDisabled(),
  ).toBe(true);
  for (const [path, button, text] of [
    ['/simulation', 'INITIATE SIMULATION', 'Failed to start simulation:'],
    ['/llm-batch', 'CREATE BATCH', 'Failed to create batch:'],
  ] as const) {
    const control = await visit(path, { account: admin });
    await pick(control, world, 6);
    await press(control, button);
    await expectToast(control, `${text} New matches are frozen by the organisers.`);
  }
  await freeze.uncheck();
  await press(page, 'Save settings');
  await expectToast(page, 'Settings saved.');
  await reopenUntil(userPage, '/submission', userPage.getByText(notice), /^$/);
  // Marks the other submission, then the original one again.
  const rows = userPage.locator('.submission');
  const first = await rows.evaluateAll((all) => all.findIndex((row) => /Unmark/.test(row.textContent)));
  for (const index of [1 - first, first]) {
    await rows
      .nth(index)
      .getByRole('button', { name: /^Mark Final/ })
      .click();
    const confirm = userPage.getByRole('button', { name: 'Mark it anyway' });
    await expect
      .poll(async () => (await confirm.count()) + (await userPage.locator('.toast').count()))
      .toBeGreaterThan(0);
    if (await confirm.isVisible()) await confirm.click();
    await expectToast(userPage, 'Marked as the final submission.');
    await expectText(rows.nth(index), 'Unmark');
  }
  expect(pageErrors).toEqual([]);
});

test('the About page shows the specified panel, and with other settings the same story as banner and dashboard', async () => {
  await asAdmin.post('/admin/settings', { banner: DEFAULT_BANNER });
  const page = await visit('/admin', { account: admin });
  const pacific = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'America/Los_Angeles',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const wall = (time: number) => pacific.format(time).replace(' ', 'T');
  const inDays = (days: number) => wall(Date.now() + days * 86_400_000);
  const save = async (start: string, end: string) => {
    await page.getByLabel('Tournament starts').fill(start);
    await page.getByLabel('Tournament ends').fill(end);
    await press(page, 'Save settings');
    await expectToast(page, 'Settings saved.');
  };
  const userPage = await visit('/dashboard', { account: verified });
  const timer = userPage.getByRole('timer');
  const about = await visit(null);
  const panel = about.getByRole('region', { name: 'Status' });
  await reopenUntil(
    about,
    '/about',
    panel,
    /^Status\s+Tournament\s+ACTIVE\s+Registration\s+OPEN\s+Next event\s+BOT_SUBMISSION\s+Active members/,
  );
  const banner = userPage.locator('.strip-notice');
  await expectText(banner, DEFAULT_BANNER);
  await expectText(timer, 'Submission open');
  await save('2099-07-12T00:00', '2099-07-21T23:59:59');
  await reopenUntil(userPage, '/dashboard', timer, 'The tournament officially starts on July 12 2099');
  await expectText(banner, 'This test phase is the development phase. The official start is in July 2099.');
  await reopenUntil(about, '/about', panel, /Tournament\s+NOT STARTED[\s\S]*Next event\s+Start on July 12, 2099/);
  await save(inDays(-1), inDays(2.5));
  await reopenUntil(userPage, '/dashboard', timer, /^2d 1[12]h \d+m \d+s$/);
  await expectText(banner, /^The tournament is running: submissions until /);
  await reopenUntil(about, '/about', panel, /Tournament\s+ACTIVE[\s\S]*Next event\s+BOT_SUBMISSION until /);
  await save(inDays(-3), inDays(-2));
  await reopenUntil(userPage, '/dashboard', timer, 'Submission open');
  await expectText(banner, 'The tournament is over.');
  await reopenUntil(about, '/about', panel, /Tournament\s+OVER[\s\S]*Next event\s+None scheduled/);
  await save(wall(Date.parse(original.tournament_start)), wall(Date.parse(original.tournament_end)));
  expect(pageErrors).toEqual([]);
});

test('invalid settings are refused with an error text, stay in the form, and change nothing', async () => {
  const before = await settings();
  const page = await visit('/admin', { account: admin });
  const panel = page.getByRole('region', { name: 'EVENT SETTINGS' });
  for (const [label, value, text] of [
    [
      'Tournament starts',
      '',
      'Failed to save the settings: A time is written with its zone, as in 2025-07-12T00:00:00-07:00.',
    ],
    ['Tournament ends', '2001-01-01T00:00', 'The tournament must end after it starts.'],
    ['Submissions kept', '0', /Failed to save the settings: .*1/],
    ['Submissions kept', '', /Failed to save the settings: .*1/],
    ['Submissions kept', '1000000000', /Failed to save the settings: .*100/],
    ['Submissions kept', '2.5', /Failed to save the settings: ./],
  ] as const) {
    const field = panel.getByLabel(label);
    const was = await field.inputValue();
    await field.fill(value);
    await press(panel, 'Save settings');
    await panel.getByRole('alert').getByText(text).waitFor();
    expect(await field.inputValue()).toBe(value);
    await field.fill(was);
  }
  await panel.getByLabel('Banner').fill('x'.repeat(600));
  expect((await panel.getByLabel('Banner').inputValue()).length).toBeGreaterThan(0);
  expect(await settings()).toEqual(before);
});

test('of two admins with the form open, the second one gets an error, keeps the input, and can load the saved settings', async () => {
  const other = await secondAdmin('settler');
  const [firstPage, secondPage] = [
    await visit('/admin', { account: admin }),
    await visit('/admin', { account: other }),
  ];
  await firstPage.getByLabel('Banner').fill('Mine');
  await secondPage.getByLabel('Banner').fill('Theirs');
  await press(secondPage, 'Save settings');
  await expectToast(secondPage, 'Settings saved.');
  await press(firstPage, 'Save settings');
  const panel = firstPage.getByRole('region', { name: 'EVENT SETTINGS' });
  await panel
    .getByText('Failed to save the settings: Somebody else has changed the settings since you opened them.')
    .waitFor();
  await panel.getByText(`${other.username} saved other settings in the meantime. Your input is kept.`).waitFor();
  expect(await firstPage.getByLabel('Banner').inputValue()).toBe('Mine');
  await press(panel, 'Load saved version');
  await expect.poll(() => firstPage.getByLabel('Banner').inputValue()).toBe('Theirs');
  await firstPage.getByLabel('Banner').fill('');
  await press(firstPage, 'Save settings');
  await expectToast(firstPage, 'Settings saved.');
  expect(await api.get('/app-config.json')).not.toHaveProperty('banner');
  expect(pageErrors).toEqual([]);
});
