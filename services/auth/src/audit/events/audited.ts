import { audited } from '@husky/contracts/events';
import { auditedDomains } from '@husky/contracts/subjects';
import type { Messaging } from '@husky/runtime/messages/nats';
import { isUuid } from '@husky/runtime/process/uuid';
import { type AuditHost, addRecords } from '../audit.ts';

/** Consumes the audit events of every other service and stores them. Idempotent: deduplicated by record id. */
export function consumeAudited(host: AuditHost, messaging: Messaging): void {
  for (const domain of auditedDomains) {
    messaging.consume(audited(domain), `auth_${domain}_audited`, async (message) => {
      if (!isUuid(message.id) || Number.isNaN(Date.parse(message.occurredAt))) {
        host.log.warn({ action: message.action }, `audit record of ${domain} dropped: invalid id or time`);
        return;
      }
      await addRecords(host.db, [message]);
    });
  }
}
