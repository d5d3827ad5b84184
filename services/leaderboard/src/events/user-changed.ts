import { userChanged } from '@husky/contracts/events';
import type { Consumer, Messaging } from '@husky/runtime/messages/nats';
import type { Context } from '../context.ts';
import { changeEntries, removeUser } from '../store/entries.ts';

/** Deletes the entries of a deleted user. Idempotent. */
export function consumeUserChanged(context: Context, messaging: Messaging): Consumer {
  return messaging.consume(userChanged, 'leaderboard_user_changed', async (event) => {
    if (event.change !== 'DELETED') return;
    await changeEntries(context.pool, (client) => removeUser(client, event.userId, context.now()));
    context.relay.kick();
  });
}
