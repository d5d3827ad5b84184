import { userChanged } from '@husky/contracts/events';
import type { Consumer, Messaging } from '@husky/runtime/nats';
import type { LeaderboardContext } from '../context.ts';
import { removeUser } from '../store/entries.ts';

/** Deletes the entries of a deleted user. Idempotent. */
export function consumeUserChanged(context: LeaderboardContext, messaging: Messaging): Consumer {
  return messaging.consume(userChanged, 'leaderboard_user_changed', async (event) => {
    if (event.change !== 'DELETED') return;
    await context.transaction((tx) => removeUser(tx, event.userId, context.now()));
  });
}
