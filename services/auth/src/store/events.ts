import { userChanged } from '@husky/contracts/events';
import type { UserChanged } from '@husky/contracts/types/events/v1/UserChanged';
import { outboxRow } from '@husky/runtime/outbox';
import type { Db } from './database.ts';

export type UserChange = Extract<UserChanged['change'], string>;

/** Writes the event `user_changed` to the outbox, in the transaction of the change. */
export async function emitUserChanged(tx: Db, userId: string, change: UserChange): Promise<void> {
  await tx.outbox.create({ data: outboxRow(userChanged, { userId, change }) });
}
