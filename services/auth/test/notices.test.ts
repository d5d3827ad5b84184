import { randomUUID } from 'node:crypto';
import { houseUserId } from '@husky/contracts/house-user';
import type { JobEnded } from '@husky/contracts/types/events/v1/JobEnded';
import type { Caller } from '@husky/runtime/caller';
import { createLogger } from '@husky/runtime/logger';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { start } from '../src/start.ts';
import { startMailServer, startOwnNats } from './notice-world.ts';
import { type AuthUnderTest, anonymous, refusal, startAuth } from './service.ts';

let post: Awaited<ReturnType<typeof startMailServer>>;
let nats: Awaited<ReturnType<typeof startOwnNats>>;
let auth: AuthUnderTest;
let admin: Caller;
const pauseMs = 10 * 60_000;

beforeAll(async () => {
  [post, nats] = await Promise.all([startMailServer(), startOwnNats()]);
  auth = await startAuth((config) => ({
    ...config,
    nats: nats.settings('auth'),
    mail: { ...config.mail, smtpUrl: post.url },
  }));
  admin = await auth.signInAdmin();
});
afterAll(async () => {
  await auth?.stop();
  await nats?.stop();
  await post?.stop();
});

interface Person {
  readonly id: string;
  readonly name: string;
  readonly caller: Caller;
  letters(): ReturnType<typeof post.to>;
}

async function person(name: string, options: { verified?: boolean } = {}): Promise<Person> {
  const letters = () => post.to(`${name}@example.com`).filter(({ subject }) => !/^Verify your/.test(subject));
  const { user, accessToken } = await auth.register(name);
  if (options.verified !== false) {
    await auth.client.toggleVerified({ username: name }, { caller: admin });
    // Every notice of it is out of the way before anything else happens.
    await arrived(() => letters().some(({ subject }) => subject.includes('is verified')));
  }
  const later = () => letters().filter(({ subject }) => !subject.includes('is verified'));
  return { id: user?.id ?? '', name, caller: await auth.callerOf(accessToken), letters: later };
}

const arrived = (look: () => boolean, timeout = 15_000) =>
  vi.waitFor(() => expect(look()).toBe(true), { timeout, interval: 50 });

const testRun = (owner: Person, change: Partial<JobEnded> = {}): JobEnded => ({
  ...{ jobId: randomUUID(), ownerId: owner.id, status: 'Finished', kind: 'TEST_RUN', gameNumber: 7 },
  ...{ endedAt: new Date(auth.clock.now()).toISOString(), handsPlayed: 10, numRounds: 10 },
  results: [
    { userId: owner.id, delta: 1250 },
    { userId: houseUserId, delta: -1250 },
  ],
  ...change,
});

/** Everything told before is handled when this has come. */
async function settled(): Promise<void> {
  const witness = await person(`witness-${randomUUID().slice(0, 8)}`);
  await nats.jobEnded(testRun(witness));
  await arrived(() => witness.letters().length === 1);
}

/** Moves the clock once no mail is under way: one that takes so long would look abandoned. */
async function leap(ms: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await auth.database.admin.query('SELECT 1 FROM notice_queues WHERE mail_id IS NOT NULL');
      expect(rows).toEqual([]);
    },
    { timeout: 10_000, interval: 20 },
  );
  auth.clock.advance(ms);
}

test('an address that is verified is told what comes next, once', async () => {
  const name = 'fresh';
  await auth.register(name);
  await auth.client.toggleVerified({ username: name }, { caller: admin });
  await arrived(() => post.to('fresh@example.com').length === 2);
  const letter = post.to('fresh@example.com').at(-1);
  expect(letter?.subject).toBe("Your Husky Hold'em address is verified");
  expect(letter?.text).toContain('http://husky.test/bots');
  expect(letter?.text).toContain('Content-Type: text/html');
  await auth.client.toggleVerified({ username: name }, { caller: admin });
  await auth.client.toggleVerified({ username: name }, { caller: admin });
  await settled();
  expect(post.to('fresh@example.com')).toHaveLength(2);
});

test('whoever starts a test run hears of its result and of a disabled bot, with the reason and the link', async () => {
  const owner = await person('starter');
  const disabled = 'is disabled for the rest of the match: 10 faults in a row by hand 4';
  const event = testRun(owner, {
    results: [
      { userId: owner.id, delta: -100, disabled },
      { userId: houseUserId, delta: 100 },
    ],
  });
  await nats.jobEnded(event);
  await arrived(() => owner.letters().length === 2);
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

test('the same event again tells nothing again', async () => {
  const owner = await person('repeated');
  const event = testRun(owner);
  for (let time = 0; time < 3; time++) await nats.jobEnded(event);
  await settled();
  await leap(pauseMs);
  await settled();
  expect(owner.letters()).toHaveLength(1);
});

test('what comes within ten minutes is gathered into one mail of its kind', async () => {
  const owner = await person('busy');
  await nats.jobEnded(testRun(owner, { gameNumber: 1 }));
  await arrived(() => owner.letters().length === 1);
  for (const gameNumber of [2, 3, 4]) await nats.jobEnded(testRun(owner, { gameNumber }));
  await nats.jobEnded(testRun(owner, { gameNumber: 5, status: 'Failed', reason: 'The package index is away.' }));
  await settled();
  expect(owner.letters()).toHaveLength(1);
  await leap(pauseMs);
  await arrived(() => owner.letters().length === 2);
  const [, digest] = owner.letters();
  expect(digest?.subject).toBe('4 matches have ended');
  for (const number of [2, 3, 4]) expect(digest?.text).toContain(`Test run ${number}: your bot ended at +1,250 chips`);
  expect(digest?.text).toContain('Test run 5: failed. The package index is away.');
});

test('players hear of matches of others that are public, and of private ones once they are published', async () => {
  const [boss, player, rival] = await Promise.all([person('boss'), person('player'), person('rival')]);
  const results = [
    { userId: player.id, delta: 30, disabled: 'ended unexpectedly: exit code 1' },
    { userId: rival.id, delta: -30, disabled: '' },
  ];
  const match = (change: Partial<JobEnded>) => testRun(boss, { kind: 'MATCH', results, ...change });
  const hidden = match({ gameNumber: 20 });
  await nats.jobEnded(hidden);
  await arrived(() => boss.letters().length === 1);
  await settled();
  expect([player.letters().length, rival.letters().length]).toEqual([0, 0]);
  expect(boss.letters()[0]?.text).toContain('player: +30 chips; it ended unexpectedly: exit code 1');

  await nats.visibility('job', hidden.jobId ?? '', true);
  await arrived(() => player.letters().length === 2 && rival.letters().length === 1);
  expect(rival.letters()[0]?.text).toContain('player: +30 chips');
  expect(rival.letters()[0]?.text).not.toContain('exit code');
  await leap(pauseMs);
  await nats.jobEnded(match({ gameNumber: 21, isPublic: true }));
  await arrived(() => rival.letters().length === 2);
  await leap(pauseMs);
});

test('a batch is one mail for its owner, and one for each player when it has ended', async () => {
  const [boss, player] = await Promise.all([person('batch-boss'), person('batch-player')]);
  const batchId = randomUUID();
  const total = 30;
  for (let gameNumber = 1; gameNumber <= total; gameNumber++) {
    const batchEnded = gameNumber === total ? { finished: total, failed: 0 } : null;
    await nats.jobEnded(
      testRun(boss, {
        ...{ kind: 'BATCH_MATCH', batchId, batchNumber: 3, gameNumber, isPublic: true, batchEnded },
        results: [
          { userId: player.id, delta: 100, disabled: gameNumber % 10 === 0 ? 'went over its memory limit' : '' },
        ],
      }),
    );
  }
  await arrived(() => boss.letters().length === 1 && player.letters().length === 2);
  expect(boss.letters()[0]?.subject).toBe('Batch 3 has ended');
  expect(boss.letters()[0]?.text).toContain('30 matches finished, 0 failed');
  const about = (word: string) => player.letters().find(({ subject }) => subject.includes(word));
  expect(about('ended')?.text).toContain('Batch 3: 30 matches with your bot, +3,000 chips in all');
  expect(about('disabled')?.subject).toBe('Your bot was disabled in 3 matches');
  await leap(6 * 3_600_000);
  await settled();
  expect([boss.letters().length, player.letters().length]).toEqual([1, 2]);
});

test('nothing goes to an address that is not verified, to a deleted user, or of a deleted job', async () => {
  const stranger = await person('unproven', { verified: false });
  const leaver = await person('leaver');
  const cleaner = await person('cleaner');
  await nats.jobEnded(testRun(stranger));
  await nats.jobEnded(testRun(leaver));
  await nats.jobEnded(testRun(cleaner));
  await arrived(() => leaver.letters().length === 1 && cleaner.letters().length === 1);
  await nats.jobEnded(testRun(leaver));
  const second = testRun(cleaner);
  await nats.jobEnded(second);
  await settled();
  await auth.client.deleteUser({ username: 'leaver' }, { caller: admin });
  await nats.jobEnded({ jobId: second.jobId, ownerId: cleaner.id, status: 'Deleted' });
  await settled();
  await leap(pauseMs);
  await settled();
  expect([stranger.letters().length, leaver.letters().length, cleaner.letters().length]).toEqual([0, 1, 1]);
  const { rows } = await auth.database.admin.query('SELECT 1 FROM notices WHERE user_id = $1', [leaver.id]);
  expect(rows).toEqual([]);
});

test('a kind that is switched off is not mailed, the others are', async () => {
  const owner = await person('chooser');
  expect(await auth.client.getNotices({}, { caller: owner.caller })).toMatchObject({
    addressVerified: true,
    settings: [{ kind: 'verified', enabled: true }, { kind: 'bot_disabled', enabled: true }, { enabled: true }],
  });
  const off = { settings: [{ kind: 'match_finished', enabled: false }] };
  const { settings } = await auth.client.setNotices(off, { caller: owner.caller });
  expect(settings.map(({ enabled }) => enabled)).toEqual([true, true, false]);
  await nats.jobEnded(
    testRun(owner, { results: [{ userId: owner.id, delta: 0, disabled: 'did not answer in time' }] }),
  );
  await arrived(() => owner.letters().length === 1);
  await settled();
  expect(owner.letters().map(({ subject }) => subject)).toEqual(['Your bot was disabled in test run 7']);
  const wrong = auth.client.setNotices({ settings: [{ kind: 'spam', enabled: true }] }, { caller: owner.caller });
  expect(await refusal(wrong)).toMatch(/^INVALID_ARGUMENT notice-unknown: /);
  expect(await refusal(auth.client.getNotices({}, { caller: anonymous }))).toMatch(/^UNAUTHENTICATED /);
});

test('the link in a mail ends mails of its kind without a sign-in; looking at it changes nothing', async () => {
  const owner = await person('tired');
  await nats.jobEnded(testRun(owner));
  await arrived(() => owner.letters().length === 1);
  const token = /\/opt-out\/([\w-]+)/.exec(owner.letters()[0]?.text ?? '')?.[1] ?? '';
  const look = () => auth.client.lookAtOptOut({ token }, { caller: anonymous });
  expect(await look()).toEqual({ kind: 'match_finished', enabled: true });
  expect(await look()).toEqual({ kind: 'match_finished', enabled: true });
  for (let time = 0; time < 2; time++) {
    expect(await auth.client.useOptOut({ token }, { caller: anonymous })).toEqual({
      kind: 'match_finished',
      enabled: false,
    });
  }
  await leap(pauseMs);
  await nats.jobEnded(testRun(owner));
  await settled();
  expect(owner.letters()).toHaveLength(1);

  const forged = Buffer.from(token, 'base64url');
  forged[16] = 1;
  for (const bad of [forged.toString('base64url'), token.slice(0, -4), '', 'x', `${token}AAAA`, 'a'.repeat(400)]) {
    expect(await refusal(auth.client.useOptOut({ token: bad }, { caller: anonymous }))).toMatch(
      /^NOT_FOUND link-unknown/,
    );
  }
  const { settings } = await auth.client.getNotices({}, { caller: owner.caller });
  expect(settings.filter(({ enabled }) => !enabled).map(({ kind }) => kind)).toEqual(['match_finished']);
  await auth.client.deleteUser({ username: 'tired' }, { caller: admin });
  expect(await refusal(auth.client.useOptOut({ token }, { caller: anonymous }))).toMatch(/^NOT_FOUND link-unknown/);
});

test('a notice waits while the mail server is away, and comes once it is back', async () => {
  const owner = await person('patient');
  await post.leave();
  await nats.jobEnded(testRun(owner));
  const tries = async () => {
    auth.clock.advance(60_000);
    const { rows } = await auth.database.admin.query<{ tries: number }>(
      'SELECT max(tries) AS tries FROM notice_queues',
    );
    return rows[0]?.tries;
  };
  await vi.waitFor(async () => expect(await tries()).toBeGreaterThan(1), { timeout: 15_000, interval: 50 });
  await post.comeBack();
  expect(owner.letters()).toHaveLength(0);
  await vi.waitFor(
    () => {
      if (owner.letters().length === 0) auth.clock.advance(3_600_000);
      expect(owner.letters()).toHaveLength(1);
    },
    { timeout: 20_000, interval: 3000 },
  );
  await settled();
  expect(owner.letters()).toHaveLength(1);
});

test('an address that is refused for good is given up after five tries, and holds nobody else up', async () => {
  const owner = await person('refused');
  const other = await person('accepted');
  post.refuse(550);
  await nats.jobEnded(testRun(owner));
  const waiting = async () => {
    auth.clock.advance(3_600_000);
    const { rows } = await auth.database.admin.query(
      "SELECT 1 FROM notices WHERE user_id = $1 AND kind = 'match_finished' AND outcome = 'waiting'",
      [owner.id],
    );
    return rows.length;
  };
  // Events come when they come, so the first look must see the notice.
  await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 15_000, interval: 20 });
  await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 20_000, interval: 50 });
  expect(post.refusals(`${owner.name}@example.com`)).toBe(5);
  post.refuse(undefined);
  await nats.jobEnded(testRun(other));
  await arrived(() => other.letters().length === 1);
  expect(owner.letters()).toHaveLength(0);
});

test('a mail that a crash cut off goes out again as the same mail, with what it told then', async () => {
  const owner = await person('crashed');
  const mailId = randomUUID();
  const data = { about: 'batch', batchNumber: 9, finished: 3, failed: 0 };
  const now = new Date(auth.clock.now());
  await auth.database.admin.query(
    `INSERT INTO notices (user_id, kind, key, data, mail_id, created_at) VALUES ($1, 'match_finished', 'x', $2, $3, $4)`,
    [owner.id, JSON.stringify(data), mailId, now],
  );
  await auth.database.admin.query(
    `INSERT INTO notice_queues (user_id, kind, mail_id, tries, due_at) VALUES ($1, 'match_finished', $2, 1, $3)`,
    [owner.id, mailId, new Date(now.getTime() + 120_000)],
  );
  await nats.jobEnded(testRun(owner));
  await settled();
  expect(owner.letters()).toHaveLength(0);
  auth.clock.advance(120_000);
  await arrived(() => owner.letters().length === 1);
  expect(owner.letters()[0]).toMatchObject({ subject: 'Batch 9 has ended', messageId: `<${mailId}@husky.test>` });
  await leap(pauseMs);
  await arrived(() => owner.letters().length === 2);
  expect(owner.letters()[1]?.subject).toBe('Test run 7 has finished');
});

test('two replicas, one of them stopped in the middle, mail each notice once', async () => {
  const people: Person[] = [];
  for (let n = 0; n < 8; n++) people.push(await person(`shared-${n}`));
  const closers: (() => Promise<void> | void)[] = [];
  const life = {
    log: createLogger('auth', 'fatal'),
    onStop: (_name: string, close: () => Promise<void> | void) => void closers.push(close),
    readyWhen: () => undefined,
  };
  await start(auth.config, life, () => new Date(auth.clock.now()));
  const rounds = 4;
  for (let round = 0; round < rounds; round++) {
    for (const one of people) await nats.jobEnded(testRun(one, { gameNumber: round + 1 }));
    if (round === 1) for (const close of closers.reverse()) await close();
    // What the stopped one had taken from NATS is delivered again half a minute later.
    await arrived(() => people.every((one) => one.letters().length === round + 1), 60_000);
    await leap(pauseMs);
  }
  await settled();
  for (const one of people) {
    const ids = one.letters().map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(rounds);
    expect(ids).toHaveLength(rounds);
  }
}, 120_000);
