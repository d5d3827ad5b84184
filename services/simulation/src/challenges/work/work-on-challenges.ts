import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context } from '../../context.ts';
import { makeMatches } from '../make-matches.ts';
import {
  challengesToPublish,
  endChallenge,
  expireChallenges,
  storePublished,
  waitingChallenges,
} from '../store/challenges.ts';

/** Answers of live-data to which there is nothing to do: the match is public, or was deleted. */
const published: ReadonlySet<string> = new Set(['already-so', 'NOT_FOUND']);

/** Ends challenges that cannot be played any more, and completes what a crash, a freeze or an outage has interrupted. Safe on every replica. */
export async function workOnChallenges(context: Context): Promise<void> {
  await expireChallenges(context.pool, context.now());
  const waiting = await waitingChallenges(context.pool);
  if (waiting.length > 0) {
    const { finals } = await context.submission.listFinals({});
    const withFinal = new Set(finals.map(({ userId }) => userId));
    for (const { id, ready, userIds } of waiting) {
      if (!userIds.every((userId) => withFinal.has(userId))) {
        const reason = 'A player has no final submission any more.';
        await endChallenge(context.pool, id, 'ended', reason, context.now());
      } else if (ready) {
        await makeMatches(context, id).catch((error: unknown) => {
          if (!(error instanceof DomainError && error.reason === 'frozen')) throw error;
        });
      }
    }
  }
  for (const { id, jobIds } of await challengesToPublish(context.pool)) {
    for (const jobId of jobIds) {
      await context.liveData.toggleVisibility({ jobId, public: true }).catch((error: unknown) => {
        if (!(error instanceof DomainError && (published.has(error.reason) || published.has(error.code)))) throw error;
      });
    }
    await storePublished(context.pool, id, context.now());
  }
}
