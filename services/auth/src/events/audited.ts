import { audited, auditedDomains } from '@husky/contracts/events';
import type { Consumer, Messaging } from '@husky/runtime/nats';
import { isUuid } from '@husky/runtime/uuid';
import type { AuthContext } from '../context.ts';
import { addRecords } from '../store/audit.ts';

/** What was done in every other domain, once each by its id. */
export function consumeAudited(context: AuthContext, messaging: Messaging): Consumer[] {
  return auditedDomains.map((domain) =>
    messaging.consume(audited(domain), `auth_${domain}_audited`, async (message) => {
      if (!isUuid(message.id) || Number.isNaN(Date.parse(message.occurredAt))) {
        context.log.warn({ action: message.action }, `a record of ${domain} cannot be kept: its id or time is none`);
        return;
      }
      await addRecords(context.db, [message]);
    }),
  );
}
