import { randomUUID } from 'node:crypto';
import { houseUserId } from '@husky/contracts/house-user';
import type { JobEnded } from '@husky/contracts/types/events/v1/JobEnded';
import { sql } from '@husky/runtime/database/sql';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, expect, test, vi } from 'vitest';
import { pauseMs, startNoticeWorld, waitUntil } from './notice-world.ts';
import { anonymous } from './service.ts';

const world = await startNoticeWorld();
afterAll(() => world?.stop());

test('a verified address gets one mail with the next steps', async () => {
  const name = 'fresh';
  await world.auth.register(name);
  await world.auth.client.toggleVerified({ username: name }, { caller: world.admin });
  await waitUntil(() => world.mailServer.to('fresh@example.com').length === 2);
  const letter = world.mailServer.to('fresh@example.com').at(-1);
  expect(letter?.subject).toBe("Your Husky Hold'em address is verified");
  expect(letter?.text).toContain('http://husky.test/bots');
  expect(letter?.text).toContain('Content-Type: text/html');
  await world.auth.client.toggleVerified({ username: name }, { caller: world.admin });
  await world.auth.client.toggleVerified({ username: name }, { caller: world.admin });
  await world.settled();
  expect(world.mailServer.to('fresh@example.com')).toHaveLength(2);
});

test('the user who starts a test run is notified of its result and of a disabled bot, with reason and link', async () => {
  const owner = await world.person('starter');
  const disabled = 'is disabled for the rest of the match: 10 faults in a row by hand 4';
  const event = world.testRun(owner, {
    results: [
      { userId: owner.id, delta: -100, disabled },
      { userId: houseUserId, delta: 100 },
    ],
  });
  await world.nats.jobEnded(event);
  await waitUntil(() => owner.letters().length === 2);
  const [broken, finished] = ['disabled', 'finished'].map((word) =>
    owner.letters().find(({ subject }) => subject.includes(word)),
  );
  expect(broken?.subject).toBe('Your bot was disabled in test run 7');
  expect(broken?.text).toContain(`it ${disabled}`);
  expect(broken?.text).toContain(`http://husky.test/games/${event.jobId}`);
  expect(finished?.subject).toBe('Test run 7 has finished');
  expect(finished?.text).toContain('Your bot: −100 chips');
  expect(finished?.text).toContain('house: +100 chips');
  for (const letter of [broken, finished]) {
    expect(letter?.text).toMatch(/^List-Unsubscribe: <http:\/\/husky\.test\/opt-out\/[\w-]+>\r$/m);
    expect(letter?.text).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  }
});

/** Waits until so many notices of a kind are stored for a user. */
const untilStored = (userId: string, kind: string, count: number) =>
  vi.waitFor(async () => {
    const { rows } = await world.auth.database.admin.query(
      sql`SELECT FROM notices WHERE user_id = ${userId} AND kind = ${kind}`,
    );
    expect(rows).toHaveLength(count);
  }, 10_000);

test('the author of a submission is notified when its packages are ready or cannot be used', async () => {
  const author = await world.person('author');
  const end = (reason: string) => world.nats.prepared(randomUUID(), { user_id: author.id, state: 'x', reason });
  await end('');
  await waitUntil(() => author.letters().length === 1);
  expect(author.letters()[0]?.subject).toBe('Your submission is ready');
  expect(author.letters()[0]?.text).toContain('http://husky.test/submission');
  const reason = 'The package nope does not exist in the package index.';
  await end(reason);
  await end('');
  await untilStored(author.id, 'bot_prepared', 3);
  await world.advanceClock(pauseMs);
  await waitUntil(() => author.letters().length === 2);
  const [, refused] = author.letters();
  expect(refused?.subject).toBe('The packages of your submission cannot be used');
  expect(refused?.text).toContain(reason);
  expect(refused?.text).toContain('the packages of your submission are ready, but the packages of a submission');
});

test('the author of a bot that is paused on the ladder is notified with the reason', async () => {
  const author = await world.person('paused');
  const reason = 'Your bot did not start in 6 of 6 matches of its last set.';
  await world.nats.paused(randomUUID(), { user_id: author.id, reason });
  await waitUntil(() => author.letters().length === 1);
  expect(author.letters()[0]?.subject).toBe('Your bot is paused on the ladder');
  expect(author.letters()[0]?.text).toContain(reason);
});

test('a user who wants to be asked is notified of a challenge, once', async () => {
  const [challenger, asked] = [await world.person('challenger'), await world.person('asked')];
  const event = [randomUUID(), challenger.id, { asked: [asked.id, 7] }] as const;
  await world.nats.challenged(...event);
  await world.nats.challenged(...event);
  await waitUntil(() => asked.letters().length === 1);
  expect(asked.letters()[0]?.subject).toBe('challenger challenges your bot');
  expect(asked.letters()[0]?.text).toContain('http://husky.test/dashboard');
  await world.settled();
  expect([asked.letters().length, challenger.letters().length]).toEqual([1, 0]);
});

test('entrants of a tournament are told what concerns them, each once', async () => {
  const entrant = await world.person('entrant');
  const event = { tournamentId: randomUUID(), slug: 'cup', name: 'Cup', entryDeadline: '2026-12-01T12:00:00.000Z' };
  const failed = { ...event, news: 'CHECK_FAILED', userIds: [entrant.id, 'nobody'], check: '1 h' };
  await world.nats.tournament(failed);
  await world.nats.tournament(failed);
  await waitUntil(() => entrant.letters().length === 1);
  expect(entrant.letters()[0]?.subject).toBe('Your bot would not start in Cup');
  expect(entrant.letters()[0]?.text).toContain('Entries close at 2026-12-01T12:00:00.000Z');
  expect(entrant.letters()[0]?.text).toContain('http://husky.test/tournaments/cup');
  await world.nats.tournament({ ...event, news: 'ENTERED', userIds: [entrant.id] });
  await world.nats.tournament({ ...event, news: 'RESULTS', userIds: [entrant.id] });
  await untilStored(entrant.id, 'tournament', 3);
  await world.advanceClock(pauseMs);
  await waitUntil(() => entrant.letters().length === 2);
  expect(entrant.letters()[1]?.subject).toBe('News of your tournaments');
  expect(entrant.letters()[1]?.text).toContain('Cup: the results are out.');
});

test('a mail reports no winner when a bot never started, and only its owner gets the exception text', async () => {
  const owner = await world.person('broken');
  const faults = { neverStarted: true, faults: 'never started', faultText: 'ImportError: no nowhere (line 1)' };
  const disabled = 'could not be started: ImportError: no nowhere (line 1)';
  await world.nats.jobEnded(
    world.testRun(owner, {
      noContest: true,
      results: [
        { userId: owner.id, delta: 0, disabled, ...faults },
        {
          userId: houseUserId,
          delta: 0,
          disabled: 'stopped running: secret of the house',
          faults: 'x',
          faultText: 'secret',
        },
      ],
    }),
  );
  await waitUntil(() => owner.letters().some(({ subject }) => subject.includes('finished')));
  const letter = owner.letters().find(({ subject }) => subject.includes('finished'))?.text ?? '';
  expect(letter).toContain('No bot played against another: nobody has won or lost.');
  expect(letter).toContain('Your bot: never started: ImportError: no nowhere (line 1)');
  expect(letter).toContain('house: no contest');
  expect(letter).not.toMatch(/secret|chips/);
});

test('players of a public match are notified of faults of other bots, without their exception texts', async () => {
  const starter = await world.person('boss-like');
  const [player, rival] = [await world.person('pl-one'), await world.person('pl-two')];
  const failed = { faults: 'failed 9 of 9 decisions: it raised an exception', faultText: 'KeyError: secret' };
  const results = [
    { userId: player.id, delta: 60, disabled: '' },
    { userId: rival.id, delta: -60, disabled: 'is disabled for the rest of the match: KeyError: secret', ...failed },
  ];
  await world.nats.jobEnded(world.testRun(starter, { kind: 'MATCH', isPublic: true, results }));
  await waitUntil(() => [player, rival].every((one) => one.letters().length > 0));
  expect(
    player
      .letters()
      .map(({ text }) => text)
      .join(),
  ).toContain('it failed 9 of 9 decisions');
  expect(
    player
      .letters()
      .map(({ text }) => text)
      .join(),
  ).not.toContain('secret');
  await waitUntil(() => rival.letters().some(({ text }) => text.includes('an exception: KeyError: secret')));
});

test('a repeated event sends no second mail', async () => {
  const owner = await world.person('repeated');
  const event = world.testRun(owner);
  for (let time = 0; time < 3; time++) await world.nats.jobEnded(event);
  await world.settled();
  await world.advanceClock(pauseMs);
  await world.settled();
  expect(owner.letters()).toHaveLength(1);
});

test('notices of a kind within ten minutes share one mail', async () => {
  const owner = await world.person('busy');
  await world.nats.jobEnded(world.testRun(owner, { gameNumber: 1 }));
  await waitUntil(() => owner.letters().length === 1);
  for (const gameNumber of [2, 3, 4]) await world.nats.jobEnded(world.testRun(owner, { gameNumber }));
  await world.nats.jobEnded(
    world.testRun(owner, { gameNumber: 5, status: 'Failed', reason: 'The package index is away.' }),
  );
  await world.settled();
  expect(owner.letters()).toHaveLength(1);
  await world.advanceClock(pauseMs);
  await waitUntil(() => owner.letters().length === 2);
  const [, digest] = owner.letters();
  expect(digest?.subject).toBe('4 matches have ended');
  for (const number of [2, 3, 4]) expect(digest?.text).toContain(`Test run ${number}: your bot ended at +1,250 chips`);
  expect(digest?.text).toContain('Test run 5: failed. The package index is away.');
});

test('players are notified of matches of others when these are public or become public', async () => {
  const [boss, player, rival] = await Promise.all([
    world.person('boss'),
    world.person('player'),
    world.person('rival'),
  ]);
  const results = [
    { userId: player.id, delta: 30, disabled: 'ended unexpectedly: exit code 1' },
    { userId: rival.id, delta: -30, disabled: '' },
  ];
  const match = (change: Partial<JobEnded>) => world.testRun(boss, { kind: 'MATCH', results, ...change });
  const hidden = match({ gameNumber: 20 });
  await world.nats.jobEnded(hidden);
  await waitUntil(() => boss.letters().length === 1);
  await world.settled();
  expect([player.letters().length, rival.letters().length]).toEqual([0, 0]);
  expect(boss.letters()[0]?.text).toContain('player: +30 chips; it ended unexpectedly: exit code 1');

  await world.nats.visibility('job', hidden.jobId ?? '', true);
  await waitUntil(() => player.letters().length === 2 && rival.letters().length === 1);
  expect(rival.letters()[0]?.text).toContain('player: +30 chips');
  expect(rival.letters()[0]?.text).not.toContain('exit code');
  await world.advanceClock(pauseMs);
  await world.nats.jobEnded(match({ gameNumber: 21, isPublic: true }));
  await waitUntil(() => rival.letters().length === 2);
  await world.advanceClock(pauseMs);
});

test('an ended batch sends one mail to its owner and one to each player', async () => {
  const [boss, player] = await Promise.all([world.person('batch-boss'), world.person('batch-player')]);
  const batchId = randomUUID();
  const total = 30;
  for (let gameNumber = 1; gameNumber <= total; gameNumber++) {
    const batchEnded = gameNumber === total ? { finished: total, failed: 0 } : null;
    await world.nats.jobEnded(
      world.testRun(boss, {
        kind: 'BATCH_MATCH',
        batchId,
        batchNumber: 3,
        gameNumber,
        isPublic: true,
        batchEnded,
        results: [
          { userId: player.id, delta: 100, disabled: gameNumber % 10 === 0 ? 'went over its memory limit' : '' },
        ],
      }),
    );
  }
  await waitUntil(() => boss.letters().length === 1 && player.letters().length === 2);
  expect(boss.letters()[0]?.subject).toBe('Batch 3 has ended');
  expect(boss.letters()[0]?.text).toContain('30 matches finished, 0 failed');
  const about = (word: string) => player.letters().find(({ subject }) => subject.includes(word));
  expect(about('ended')?.text).toContain('Batch 3: 30 matches with your bot, +3,000 chips in all');
  expect(about('disabled')?.subject).toBe('Your bot was disabled in 3 matches');
  await world.advanceClock(6 * 3_600_000);
  await world.settled();
  expect([boss.letters().length, player.letters().length]).toEqual([1, 2]);
});

test('no notice is sent to an unverified address or a deleted user, or about a deleted job', async () => {
  const stranger = await world.person('unproven', { verified: false });
  const leaver = await world.person('leaver');
  const cleaner = await world.person('cleaner');
  await world.nats.jobEnded(world.testRun(stranger));
  await world.nats.jobEnded(world.testRun(leaver));
  await world.nats.jobEnded(world.testRun(cleaner));
  await waitUntil(() => leaver.letters().length === 1 && cleaner.letters().length === 1);
  await world.nats.jobEnded(world.testRun(leaver));
  const second = world.testRun(cleaner);
  await world.nats.jobEnded(second);
  await world.settled();
  await world.auth.client.deleteUser({ username: 'leaver' }, { caller: world.admin });
  await world.nats.jobEnded({ jobId: second.jobId, ownerId: cleaner.id, status: 'Deleted' });
  await world.settled();
  await world.advanceClock(pauseMs);
  await world.settled();
  expect([stranger.letters().length, leaver.letters().length, cleaner.letters().length]).toEqual([0, 1, 1]);
  const { rows } = await world.auth.database.admin.query(sql`SELECT 1 FROM notices WHERE user_id = ${leaver.id}`);
  expect(rows).toEqual([]);
});

test('notices of a kind that is switched off are not sent, others are', async () => {
  const owner = await world.person('chooser');
  expect(await world.auth.client.getNotices({}, { caller: owner.caller })).toMatchObject({
    addressVerified: true,
    settings: ['verified', 'bot_disabled', 'match_finished', 'bot_prepared', 'challenged', 'tournament'].map(
      (kind) => ({
        kind,
        enabled: true,
      }),
    ),
  });
  const off = { settings: [{ kind: 'match_finished', enabled: false }] };
  const { settings } = await world.auth.client.setNotices(off, { caller: owner.caller });
  expect(settings.map(({ enabled }) => enabled)).toEqual([true, true, false, true, true, true]);
  await world.nats.jobEnded(
    world.testRun(owner, { results: [{ userId: owner.id, delta: 0, disabled: 'did not answer in time' }] }),
  );
  await waitUntil(() => owner.letters().length === 1);
  await world.settled();
  expect(owner.letters().map(({ subject }) => subject)).toEqual(['Your bot was disabled in test run 7']);
  const wrong = world.auth.client.setNotices({ settings: [{ kind: 'spam', enabled: true }] }, { caller: owner.caller });
  expect(await refusal(wrong)).toMatch(/^INVALID_ARGUMENT notice-unknown: /);
  expect(await refusal(world.auth.client.getNotices({}, { caller: anonymous }))).toMatch(/^UNAUTHENTICATED /);
});

test('the opt-out link of a mail works without a sign-in; a GET of it changes nothing', async () => {
  const owner = await world.person('tired');
  await world.nats.jobEnded(world.testRun(owner));
  await waitUntil(() => owner.letters().length === 1);
  const token = /\/opt-out\/([\w-]+)/.exec(owner.letters()[0]?.text ?? '')?.[1] ?? '';
  const look = () => world.auth.client.lookAtOptOut({ token }, { caller: anonymous });
  expect(await look()).toEqual({ kind: 'match_finished', enabled: true });
  expect(await look()).toEqual({ kind: 'match_finished', enabled: true });
  for (let time = 0; time < 2; time++) {
    expect(await world.auth.client.useOptOut({ token }, { caller: anonymous })).toEqual({
      kind: 'match_finished',
      enabled: false,
    });
  }
  await world.advanceClock(pauseMs);
  await world.nats.jobEnded(world.testRun(owner));
  await world.settled();
  expect(owner.letters()).toHaveLength(1);

  const forged = Buffer.from(token, 'base64url');
  forged[16] = 1;
  for (const bad of [forged.toString('base64url'), token.slice(0, -4), '', 'x', `${token}AAAA`, 'a'.repeat(400)]) {
    expect(await refusal(world.auth.client.useOptOut({ token: bad }, { caller: anonymous }))).toMatch(
      /^NOT_FOUND link-unknown/,
    );
  }
  const { settings } = await world.auth.client.getNotices({}, { caller: owner.caller });
  expect(settings.filter(({ enabled }) => !enabled).map(({ kind }) => kind)).toEqual(['match_finished']);
  await world.auth.client.deleteUser({ username: 'tired' }, { caller: world.admin });
  expect(await refusal(world.auth.client.useOptOut({ token }, { caller: anonymous }))).toMatch(
    /^NOT_FOUND link-unknown/,
  );
});
