import { expect, inject, test } from 'vitest';
import { asAdmin, expectDialog, expectText, expectToast, freshName, press, savedText, scores } from './admin-steps.ts';
import { open, pageErrors, visit } from './visitor.ts';
import { botFile, type World } from './world.ts';

const world: World = inject('world');
const { admin, verified, bots } = world;

test('an admin deletes an entry of the leaderboard after a confirmation; other users have no delete button', async () => {
  const tag = freshName('cup');
  await asAdmin.post('/leaderboard/add', { score: 12.5, tag, username: verified.username });
  await asAdmin.post('/leaderboard/add', { score: -3, tag, username: bots[0]?.username });
  const userPage = await visit(`/leaderboard?tag=${tag}`, { account: verified });
  await expectText(userPage.getByRole('list', { name: 'Leaderboard' }), `${verified.username} (You)`);
  expect(await userPage.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
  const page = await visit('/leaderboard', { account: admin });
  await press(page, tag);
  const button = `Delete the entry of ${verified.username}`;
  await press(page, button);
  const dialog = await expectDialog(page, /Are you sure you want to delete the entry of ada-lovelace \(.*12\.5/);
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
  expect(await scores(tag)).toEqual({ [verified.username]: 12.5, [bots[0]?.username ?? '']: -3 });
  await press(page, button);
  await press(await expectDialog(page, 'Are you sure'), 'Delete');
  await expectToast(page, 'Entry deleted.');
  await expect.poll(() => page.getByRole('button', { name: button, exact: true }).count()).toBe(0);
  await press(page, `Delete the entry of ${bots[0]?.username}`);
  await press(await expectDialog(page, 'Are you sure'), 'Delete');
  await expectToast(page, 'Entry deleted.');
  await page.getByText('No entries found').waitFor();
  await open(userPage, `/leaderboard?tag=${tag}`);
  await userPage.getByText('No entries found').waitFor();
  expect(pageErrors).toEqual([]);
});

test("admins, and nobody else, can read and download a user's final submission on the profile", async () => {
  const player = bots[1]?.username ?? '';
  const page = await visit(`/profile/${player}`, { account: admin });
  const panel = page.getByRole('region', { name: 'Final Submission' });
  await expectText(panel, /Submission \S+, created/);
  const source = botFile('calling-station', 'player.py');
  await expectText(
    panel.getByRole('region', { name: 'player.py' }),
    source.split('\n').find((line) => line !== '') ?? '',
  );
  const download = page.waitForEvent('download');
  await press(panel, 'Download player.py');
  expect(await savedText(await download)).toBe(source);
  await open(page, '/profile/unverified-user');
  await expectText(panel, /no final submission/i);
  for (const account of [verified, undefined]) {
    const other = await visit(`/profile/${player}`, account ? { account } : {});
    await other.getByText('Profile Info').waitFor();
    expect(await other.getByRole('region', { name: 'Final Submission' }).count()).toBe(0);
    expect(await other.getByText('@test.invalid').count()).toBe(0);
  }
  expect(pageErrors).toEqual([]);
});
