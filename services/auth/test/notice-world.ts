import { randomUUID } from 'node:crypto';
import { houseUserId } from '@husky/contracts/house-user';
import type { JobEnded } from '@husky/contracts/types/events/v1/JobEnded';
import type { Caller } from '@husky/runtime/rpc/caller';
import { expect, vi } from 'vitest';
import { type Letter, startMailServer, startOwnNats } from './notice-servers.ts';
import { startAuth } from './service.ts';

/** Minimum time between two mails of a kind; notices in between share one mail. */
export const pauseMs = 10 * 60_000;

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly caller: Caller;
  /** Mails to the person, except those about the address itself. */
  letters(): Letter[];
}

/** Resolves when the condition is true. Rejects after `timeout` ms. */
export const waitUntil = (condition: () => boolean, timeout = 15_000) =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout, interval: 50 });

/** Starts auth with its own mail server and its own NATS. */
export async function startNoticeWorld() {
  const [mailServer, nats] = await Promise.all([startMailServer(), startOwnNats()]);
  const auth = await startAuth((config) => ({
    ...config,
    nats: nats.settings('auth'),
    mail: { ...config.mail, smtpUrl: mailServer.url },
  }));
  const admin = await auth.signInAdmin();

  async function person(name: string, options: { verified?: boolean } = {}): Promise<Person> {
    const letters = () => mailServer.to(`${name}@example.com`).filter(({ subject }) => !/^Verify your/.test(subject));
    const { user, accessToken } = await auth.register(name);
    if (options.verified !== false) {
      await auth.client.toggleVerified({ username: name }, { caller: admin });
      // Waits for the notice about the address, so that it cannot arrive later in the test.
      await waitUntil(() => letters().some(({ subject }) => subject.includes('is verified')));
    }
    const later = () => letters().filter(({ subject }) => !subject.includes('is verified'));
    return { id: user?.id ?? '', name, caller: await auth.callerOf(accessToken), letters: later };
  }

  const testRun = (owner: Person, change: Partial<JobEnded> = {}): JobEnded => ({
    jobId: randomUUID(),
    ownerId: owner.id,
    status: 'Finished',
    kind: 'TEST_RUN',
    gameNumber: 7,
    endedAt: new Date(auth.clock.now()).toISOString(),
    handsPlayed: 10,
    numRounds: 10,
    results: [
      { userId: owner.id, delta: 1250 },
      { userId: houseUserId, delta: -1250 },
    ],
    ...change,
  });

  /** Resolves when all events published before have been handled. */
  async function settled(): Promise<void> {
    const sentinel = await person(`sentinel-${randomUUID().slice(0, 8)}`);
    await nats.jobEnded(testRun(sentinel));
    await waitUntil(() => sentinel.letters().length === 1);
  }

  /** Advances the clock once no mail is being sent, since the lease of such a mail would expire. */
  async function advanceClock(ms: number): Promise<void> {
    await vi.waitFor(
      async () => {
        const { rows } = await auth.database.admin.query('SELECT 1 FROM notice_queues WHERE mail_id IS NOT NULL');
        expect(rows).toEqual([]);
      },
      { timeout: 10_000, interval: 20 },
    );
    auth.clock.advance(ms);
  }

  async function stop(): Promise<void> {
    await auth.stop();
    await nats.stop();
    await mailServer.stop();
  }
  return { mailServer, nats, auth, admin, person, testRun, settled, advanceClock, stop };
}
