import { userChanged } from '@husky/contracts/events';
import type { UserChanged } from '@husky/contracts/types/events/v1/UserChanged';
import { outboxRow } from '@husky/runtime/outbox';
import type { Db } from './database.ts';

export type UserChange = Extract<UserChanged['change'], string>;

/** Tells the other services of a change, once its transaction is committed. */
export async function announce(tx: Db, userId: string, change: UserChange): Promise<void> {
  await tx.outbox.create({ data: outboxRow(userChanged, { userId, change }) });
}
