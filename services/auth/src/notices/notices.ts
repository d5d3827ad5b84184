import type { Messaging } from '@husky/runtime/messages/nats';
import type { Repeating } from '@husky/runtime/process/repeat';
import {
  consumeJobEnded,
  consumePrepared,
  consumePublished,
  consumeSimulationAudit,
  consumeTournamentNews,
  consumeUserChanged,
} from './events/consumers.ts';
import type { NoticesHost } from './host.ts';
import { sendNext } from './mail/sender.ts';
import { deleteOldNotices } from './store/notices.ts';

const pollMs = 2000;
const hourMs = 3_600_000;

/** Starts the sender, the hourly deletion of old notices and the event consumers. All of them stop with the service. */
export function startNotices(
  host: NoticesHost,
  service: {
    readonly messaging: Messaging;
    repeat(name: string, everyMs: number, work: () => Promise<boolean | undefined>): Repeating;
  },
): void {
  const { messaging } = service;
  const sender = service.repeat('sending notices', pollMs, () => sendNext(host));
  service.repeat('deleting old notices', hourMs, async () => {
    await deleteOldNotices(host.pool, host.now());
    return false;
  });
  const wakeSender = () => sender.kick();
  consumeUserChanged(host, messaging, wakeSender);
  consumeJobEnded(host, messaging, wakeSender);
  consumePublished(host, messaging, wakeSender);
  consumePrepared(host, messaging, wakeSender);
  consumeSimulationAudit(host, messaging, wakeSender);
  consumeTournamentNews(host, messaging, wakeSender);
}
