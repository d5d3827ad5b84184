import type { Audited } from '@husky/contracts/types/events/v1/Audited';
import { type AuditEntry, auditedMessage } from '@husky/runtime/audit';
import type { Caller } from '@husky/runtime/caller';
import { isUuid } from '@husky/runtime/uuid';
import type { Db } from './database.ts';

/** Writes down what a caller did, in the transaction of the change itself. */
export async function audit(tx: Db, caller: Caller, entry: AuditEntry, now: Date): Promise<void> {
  await addRecords(tx, [{ ...auditedMessage(caller, entry), occurredAt: now.toISOString() }]);
}

/** The user as the one who acts, where no token has said so yet. */
export const asUser = (user: { id: string; username: string; admin: boolean; verified: boolean }): Caller => ({
  kind: 'user',
  id: user.id,
  username: user.username,
  admin: user.admin,
  verified: user.verified,
});

const text = (value: string | undefined, most: number) => (value ?? '').replaceAll('\0', '').slice(0, most);

/** Adds records that are not there yet, by their id. */
export async function addRecords(tx: Db, messages: readonly Audited[]): Promise<void> {
  await tx.auditRecord.createMany({
    data: messages.map((message) => ({
      id: message.id ?? '',
      occurredAt: new Date(message.occurredAt ?? ''),
      action: text(message.action, 64),
      actorId: isUuid(message.actorId ?? '') ? (message.actorId ?? null) : null,
      actorKind: text(message.actorKind, 32),
      subjectKind: text(message.subjectKind, 32),
      subjectId: text(message.subjectId, 128),
      beforeJson: text(message.beforeJson, 8192),
      afterJson: text(message.afterJson, 8192),
      requestId: text(message.requestId, 64),
      address: text(message.address, 64),
    })),
    skipDuplicates: true,
  });
}

const failedSignIn = 'user.sign_in_failed';
const hourMs = 3_600_000;
const mostPerSubject = 20;
const mostInAll = 2000;

/** A failed sign-in, within bounds by hour: who guesses for hours must not fill the log. */
export async function auditFailedSignIn(tx: Db, subjectId: string, address: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - hourMs);
  const lately = { action: failedSignIn, occurredAt: { gt: since } };
  const [ofSubject, inAll] = await Promise.all([
    tx.auditRecord.count({ where: { ...lately, subjectId, address }, take: mostPerSubject }),
    tx.auditRecord.count({ where: lately, take: mostInAll }),
  ]);
  if (ofSubject >= mostPerSubject || inAll >= mostInAll) return;
  await audit(tx, { kind: 'anonymous' }, { action: failedSignIn, subjectKind: 'user', subjectId, address }, now);
}
