// E-mail notices after a real match, and their unsubscribe links.
import { expect, inject, test, vi } from 'vitest';
import * as client from './client.ts';

interface Mail {
  readonly subject: string;
  readonly text: string;
}

/** Returns the mails to a user, oldest first. */
const mailsTo = (username: string): Mail[] =>
  client
    .allMails()
    .filter((text) => text.includes(`\r\nTo: ${username}@`))
    .map((text) => ({ subject: /^Subject: (.*)$/m.exec(text)?.[1]?.trim() ?? '', text }));

const waitForMail = (username: string, words: string) =>
  vi.waitFor(
    () => {
      const found = mailsTo(username).find(({ subject }) => subject.includes(words));
      if (!found)
        throw new Error(`${username} has no mail about "${words}": ${mailsTo(username).map((one) => one.subject)}`);
      return found;
    },
    { timeout: 20_000, interval: 100 },
  );

async function runTest(token: string, bot: string) {
  const { player, requirements } = client.botFiles(bot);
  const form = client.uploadForm(client.testRunFields, player, requirements);
  const { job_id } = client.expectStatus(await client.call('POST', '/sim/async_run', { form, token }), 200);
  const status = await client.ended(job_id, token);
  expect(status.job_status, status.error).toBe('Finished');
  return job_id as string;
}

test('mails one notice each for a verified address, a disabled bot and a finished match, with its reason and a link', async () => {
  const { origin } = inject('platform');
  const user = await client.registerVerified(client.uniqueName('notified'));
  expect((await waitForMail(user.username, 'is verified')).text).toContain(`${origin}/submission`);
  const jobId = await runTest(user.token, 'exits-os');
  const disabled = await waitForMail(user.username, 'disabled');
  expect(disabled.text).toContain(`${origin}/games/${jobId}`);
  expect(disabled.text).toMatch(/your bot stopped playing in test run \d+: it stopped running/);
  const finished = await waitForMail(user.username, 'has finished');
  expect(finished.text).toContain(`${origin}/games/${jobId}`);
  expect(finished.text).toMatch(/Your bot: .*\d+ chips?/);
  expect(finished.text).toMatch(/house: .*\d+ chips?/);
  // The second run's mails are delayed by ten minutes, so no further mail arrives.
  await runTest(user.token, 'exits-os');
  expect(
    mailsTo(user.username)
      .map(({ subject }) => subject)
      .filter((subject) => !subject.startsWith('Verify')),
  ).toHaveLength(3);
});

test('shows a page for the link in a notice, and unsubscribes from that kind by POST without a sign-in', async () => {
  const user = await client.registerVerified(client.uniqueName('weary'));
  const { text } = await waitForMail(user.username, 'is verified');
  const url = new URL(/^List-Unsubscribe: <([^>]+)>/m.exec(text)?.[1] ?? '');
  expect(text).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
  const switchedOff = async () =>
    client
      .expectStatus(await client.get('/auth/notices', user.token), 200)
      .notices.flatMap((one: { kind: string; enabled: boolean }) => (one.enabled ? [] : one.kind));
  const browser = { headers: { accept: 'text/html' } };

  for (const method of ['GET', 'HEAD', 'GET']) {
    const page = await client.call(method, url.pathname, browser);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    if (method === 'GET') expect(page.body).toContain('Stop these e-mails');
  }
  expect(await switchedOff()).toEqual([]);
  const oneClick = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(oneClick.status).toBe(200);
  expect(await oneClick.text()).toContain('You no longer get an e-mail when your address has been verified');
  expect(await switchedOff()).toEqual(['verified']);
  expect((await client.call('GET', url.pathname, browser)).body).toContain('You no longer get an e-mail');
  client.expectStatus(await client.post('/auth/notices', { verified: true }, user.token), 200);
  expect(await switchedOff()).toEqual([]);

  const broken = `${url.pathname.slice(0, -3)}AAA`;
  expect((await client.call('GET', broken, browser)).status).toBe(404);
  expect((await client.post(broken)).body).toMatchObject({ reason: 'link-unknown' });
  expect((await client.post('/opt-out/x')).status).toBe(404);
});

test('mails neither notices of a switched-off kind nor to an unverified address', async () => {
  const user = await client.registerVerified(client.uniqueName('quiet'));
  await waitForMail(user.username, 'is verified');
  const off = client.expectStatus(await client.post('/auth/notices', { match_finished: false }, user.token), 200);
  expect(off).toEqual({
    address_verified: true,
    notices: [
      { kind: 'verified', enabled: true },
      { kind: 'bot_disabled', enabled: true },
      { kind: 'match_finished', enabled: false },
      { kind: 'bot_prepared', enabled: true },
      { kind: 'challenged', enabled: true },
      { kind: 'tournament', enabled: true },
    ],
  });
  await runTest(user.token, 'exits-os');
  await waitForMail(user.username, 'disabled');
  expect(mailsTo(user.username).some(({ subject }) => subject.includes('finished'))).toBe(false);
  expect((await client.post('/auth/notices', { match_finished: 'no' }, user.token)).status).toBe(422);
  expect((await client.get('/auth/notices')).status).toBe(401);

  const stranger = await client.register(client.uniqueName('stranger'));
  expect(client.expectStatus(await client.get('/auth/notices', stranger.token), 200).address_verified).toBe(false);
  expect((await client.get(`/admin/users?q=${stranger.username}`, await client.adminToken())).status).toBe(200);
  expect(mailsTo(stranger.username).map(({ subject }) => subject)).toEqual(["Verify your Husky Hold'em account"]);
});
