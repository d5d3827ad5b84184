import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { horizontalOverflow, open, pageErrors, visibleText, visit } from './visitor.ts';

const fixtures = join(import.meta.dirname, '../src/table/fixtures');
const { verified } = inject('world');

const format = 'Invalid game data format. Please check the JSON structure.';
type Log = Record<string, unknown> & {
  rounds: Record<string, { action_sequence: Record<string, unknown>[] }>;
  playerNames: Record<string, string>;
};
const fixture = (): Log => JSON.parse(readFileSync(join(fixtures, 'match-2-hand-3.json'), 'utf8'));
const changed = (change: (log: Log) => void): string => {
  const log = fixture();
  change(log);
  return JSON.stringify(log);
};

const actionsOf = (log: Log) => Object.values(log.rounds).flatMap((round) => round.action_sequence);

async function upload(page: Page, name: string, content: string | Buffer, mimeType = 'application/json') {
  await page
    .getByLabel('Choose file')
    .first()
    .setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
}

async function expectShown(page: Page): Promise<void> {
  await page.getByText('POKER REPLAY').waitFor();
  await page.keyboard.press('End');
  await expect.poll(() => visibleText(page.getByRole('main'))).toMatch(/GAME RESULTS|Nobody acted/);
  expect(await visibleText(page.getByRole('main'))).not.toMatch(/NaN|undefined|\[object|Something went wrong/);
  expect(pageErrors).toEqual([]);
  await page.getByRole('button', { name: 'Upload Another' }).click();
}

async function expectRefused(page: Page, text: string): Promise<void> {
  await page.getByRole('alert').getByText(text).waitFor();
  expect(pageErrors).toEqual([]);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
}

test('every real log is uploaded and replayed to its end with the final chips of the log', async () => {
  const page = await visit('/upload-replay');
  for (const name of readdirSync(fixtures).filter((file) => file.endsWith('.json'))) {
    const content = readFileSync(join(fixtures, name), 'utf8');
    await upload(page, name, content);
    await page.getByText('POKER REPLAY').waitFor();
    expect(await visibleText(page.getByRole('main'))).toContain(name);
    await page.keyboard.press('End');
    await page.getByText('GAME RESULTS').waitFor();
    const log = JSON.parse(content).game_data ?? JSON.parse(content);
    const finals = Object.values(log.playerMoney?.finalMoney ?? {}) as number[];
    const panel = await visibleText(page.getByRole('complementary', { name: 'Hand details' }));
    for (const money of finals) expect(panel, `${name}: ${money}`).toContain(`$${money.toLocaleString('en-US')}`);
    await page.getByRole('button', { name: 'Upload Another' }).click();
  }
  await upload(page, 'wrapped.json', JSON.stringify({ game_data: fixture() }));
  await expectShown(page);
});

test('refuses files that are not the log of a hand with the error texts', async () => {
  const page = await visit('/upload-replay');
  const players = (count: number) =>
    changed((log) => {
      log.playerNames = Object.fromEntries(Array.from({ length: count }, (_, index) => [index, `player${index}`]));
    });
  const refused: [string, string | Buffer, string, string][] = [
    ['hand.txt', '{}', 'text/plain', 'Please upload a valid JSON file.'],
    ['picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'image/png', 'Please upload a valid JSON file.'],
    ['broken.json', '{"rounds": ', 'application/json', 'Invalid JSON file. Please check the file format.'],
    ['empty.json', '', 'application/json', 'Invalid JSON file. Please check the file format.'],
    [
      'binary.json',
      Buffer.from([0xff, 0xfe, 0]),
      'application/json',
      'Invalid JSON file. Please check the file format.',
    ],
    ['null.json', 'null', 'application/json', format],
    ['list.json', '[]', 'application/json', format],
    ['object.json', '{}', 'application/json', format],
    ['rounds.json', changed((log) => Object.assign(log, { rounds: [] })), 'application/json', format],
    ['board.json', changed((log) => Object.assign(log, { finalBoard: {} })), 'application/json', format],
    ['one.json', players(1), 'application/json', format],
    ['seven.json', players(7), 'application/json', format],
  ];
  for (const [name, content, type, text] of refused) {
    await upload(page, name, content, type);
    await expectRefused(page, text);
  }
  await upload(page, 'seven.json', players(7));
  await page.getByText('Invalid number of players: 7. Must be between 2-6 players.').waitFor();
});

test('a JSON of 100 MB is refused without being read', async () => {
  const page = await visit('/upload-replay');
  const reads = await page.evaluate(async () => {
    let count = 0;
    for (const name of ['text', 'arrayBuffer', 'bytes', 'stream', 'slice'] as const) {
      const real: unknown = Blob.prototype[name];
      if (typeof real !== 'function') continue;
      Object.defineProperty(Blob.prototype, name, {
        value(...rest: unknown[]) {
          count++;
          return Reflect.apply(real, this, rest);
        },
      });
    }
    const input = document.querySelector<HTMLInputElement>('input[type=file]');
    const transfer = new DataTransfer();
    const part = 'x'.repeat(1024 * 1024);
    transfer.items.add(new File(Array<string>(100).fill(part), 'huge.json', { type: 'application/json' }));
    if (input) input.files = transfer.files;
    input?.dispatchEvent(new Event('change', { bubbles: true }));
    while (!document.querySelector('[role=alert]')) await new Promise((resolve) => requestAnimationFrame(resolve));
    return count;
  });
  expect(reads).toBe(0);
  await expectRefused(page, 'Please upload a valid JSON file.');
});

test('unusual logs are replayed: no blinds, unknown actions, empty rounds, prototype keys', async () => {
  const page = await visit('/upload-replay');
  const readable: Record<string, string> = {
    'no-blinds.json': changed((log) => void delete log.blinds),
    'unknown-action.json': changed((log) => Object.assign(actionsOf(log)[2] ?? {}, { action: 'DANCE' })),
    'no-board.json': changed((log) => Object.assign(log, { finalBoard: [] })),
    'empty-round.json': changed((log) => Object.assign(log.rounds['1'] ?? {}, { action_sequence: [] })),
    'no-rounds.json': changed((log) => Object.assign(log, { rounds: {} })),
    'no-money.json': changed((log) => void delete log.playerMoney),
    'prototype.json': JSON.stringify(fixture()).replace(
      /^\{/,
      '{"__proto__": {"polluted": true, "rounds": 1}, "constructor": {"prototype": {"polluted": true}},',
    ),
    'prototype-names.json': changed((log) => {
      log.playerNames = Object.fromEntries(
        Object.keys(log.playerNames).map((key, index) => [
          key,
          ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'x'][index] ?? key,
        ]),
      );
    }),
  };
  for (const [name, content] of Object.entries(readable)) {
    await upload(page, name, content);
    await expectShown(page);
  }
  expect(await page.evaluate(() => ({ ...({} as { polluted?: boolean }) }).polluted ?? 'polluted' in {})).toBe(false);
});

test('logs with any 32-bit ids are replayed; an action of a player who is not at the table is refused', async () => {
  const page = await visit('/upload-replay');
  const pids = Object.keys(fixture().playerNames).map(Number);
  for (const chosen of [
    [0xffff_fffe, 1],
    [0x7fff_ffff, 0x8000_0001],
    [0, 4_294_967_293],
  ]) {
    let text = JSON.stringify(fixture());
    for (const [seat, pid] of pids.entries()) {
      const other = chosen[seat] ?? 0;
      text = text.replaceAll(`${pid + 1}`, `${other + 1}`).replaceAll(`${pid}`, `${other}`);
    }
    await upload(page, `ids-${chosen[0]}.json`, text);
    await expectShown(page);
  }
  await upload(
    page,
    'stranger.json',
    changed((log) => Object.assign(actionsOf(log)[3] ?? {}, { player: 123_456_789 })),
  );
  await expectRefused(page, format);
});

test('names with markup, right-to-left marks and 300 characters stay text and do not break the layout', async () => {
  const page = await visit('/upload-replay');
  const pairs = [
    ['<img src=x onerror="window.owned=1">', '\u202Eeniltsop\u2067'],
    ['W'.repeat(300), '<script>window.owned=1</script>'],
  ] as const;
  for (const [index, names] of pairs.entries()) {
    const content = changed((log) => {
      const pids = Object.keys(log.playerNames).map(Number);
      log.playerNames = Object.fromEntries(pids.map((pid, seat) => [pid, names[seat] ?? '']));
      log.playerIdToUsername = Object.fromEntries(pids.map((pid, seat) => [pid + 1, names[seat] ?? '']));
      log.usernameMapping = Object.fromEntries(pids.map((pid, seat) => [names[seat] ?? '', pid + 1]));
    });
    await upload(page, `${'n'.repeat(200)}${index}.json`, content);
    await page.getByText('POKER REPLAY').waitFor();
    await page.keyboard.press('End');
    await page.getByText('GAME RESULTS').waitFor();
    expect(await page.getByRole('main').textContent()).toContain(names[0].slice(0, 12));
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(() => horizontalOverflow(page)).toBe(0);
    }
    await page.getByRole('button', { name: 'Upload Another' }).click();
  }
  expect(await page.evaluate(() => 'owned' in window)).toBe(false);
  for (const path of ['/profile/hostile', '/directory']) {
    const other = await visit(path, { account: verified });
    if (path === '/directory') await other.getByLabel('Search users').fill('hostile');
    await other.getByText('<img src=x').first().waitFor();
    expect(await other.title()).not.toBe('owned');
    expect(await other.locator('main img[src="x"], main a[href^="javascript"]').count()).toBe(0);
    await expect.poll(() => horizontalOverflow(other)).toBe(0);
  }
});

test('the profile form shows the error of the server for too long or unprintable names and keeps the input', async () => {
  const page = await visit('/profile', { account: verified });
  for (const name of ['x'.repeat(300), '\u202Ereversed']) {
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: /Save/ }).click();
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(name);
    await page.getByRole('button', { name: 'Cancel' }).click();
  }
  const found = await visit('/directory', { account: verified });
  await found.getByLabel('Search users').fill('x'.repeat(300));
  await expect.poll(() => visibleText(found.getByRole('main'))).toMatch(/No users found|Failed to load users/);
});

test('invalid bots are refused at once in the browser, or by the server with the line number', async () => {
  const page = await visit('/submission', { account: verified });
  const player = (text: string | Buffer) => ({
    name: 'player.py',
    mimeType: 'text/x-python',
    buffer: Buffer.from(text),
  });
  const none = { name: 'requirements.txt', mimeType: 'text/plain', buffer: Buffer.from('') };
  const choose = (...files: ReturnType<typeof player>[]) =>
    page.getByLabel('Choose files').first().setInputFiles(files);
  const submit = page.locator('form.bot-upload button[type=submit]');

  await submit.click();
  await page.getByText('Both player.py and requirements.txt must be selected').waitFor();
  await choose({ ...none, name: 'bot.py' }, none);
  await page.getByText('Ignored: bot.py.').waitFor();
  const checked: [string | Buffer, string][] = [
    ['', 'player.py is empty'],
    ['x'.repeat(1024 * 1024 + 1), 'player.py is larger than 1 MiB'],
  ];
  for (const [text, finding] of checked) {
    await choose(player(text), none);
    await page.getByText(`Error: ${finding}`).waitFor();
    await submit.click();
    await page.getByRole('alert').getByText(finding).waitFor();
  }
  const refused: [string | Buffer, string][] = [
    ['x = 1\n', 'player.py has no class SimplePlayer'],
    [Buffer.from([0xff, 0xfe, 0x80]), 'player.py is encoded in UTF-16'],
    ['class SimplePlayer:\n  def broken(:\n', 'player.py has a syntax error in line 2'],
  ];
  for (const [text, problem] of refused) {
    await choose(player(text), none);
    await submit.click();
    await page.getByRole('alert').getByText(`Failed to upload submission. Error: ${problem}`).waitFor();
  }
  await open(page, '/dashboard');
  await submit.click();
  await page.getByText('Both player.py and requirements.txt must be provided').waitFor();
});
