import { userChanged } from '@husky/contracts/events';
import type { Consumer, Messaging } from '@husky/runtime/nats';
import type pg from 'pg';
import { deleteUser } from '../store/submissions.ts';

/** A deleted user's submissions go; what running jobs play stays pinned. */
export function consumeUserChanged(messaging: Messaging, pool: pg.Pool): Consumer {
  return messaging.consume(userChanged, 'submission_user_changed', async (event) => {
    if (event.change === 'DELETED') await deleteUser(pool, event.userId);
  });
}
