import type { Messaging } from '@husky/runtime/nats';
import { consumeJobEnded, consumePublished, consumeUserChanged } from './events/consumers.ts';
import type { NoticesHost } from './host.ts';
import { startSender } from './mail/sender.ts';

/** Starts the event consumers and the sender. `stop` waits for the work in progress. */
export function startNotices(host: NoticesHost, messaging: Messaging): { stop(): Promise<void> } {
  const sender = startSender(host);
  const wakeSender = () => sender.kick();
  const consumers = [
    consumeUserChanged(host, messaging, wakeSender),
    consumeJobEnded(host, messaging, wakeSender),
    consumePublished(host, messaging, wakeSender),
  ];
  return {
    async stop() {
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      await sender.stop();
    },
  };
}
