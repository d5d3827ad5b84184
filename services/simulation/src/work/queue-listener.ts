import type { Logger } from '@husky/runtime/process/logger';
import { repeat } from '@husky/runtime/process/repeat';
import type pg from 'pg';
import { hasWaiting, queueChannel } from '../store/queue.ts';
import type { QueueWaiters } from './queue-waiters.ts';

const reconnectMs = 500;
const pingMs = 10_000;
// pg reads query_timeout (ms) from the query; its types do not have it.
const pingQuery = { text: 'SELECT 1', query_timeout: 5000 } as pg.QueryConfig;
/** Interval of polls, in case a notification was lost with its connection or woke a runner that is cordoned. */
const pollMs = 1000;

/**
 * Wakes one waiting runner on every notification of new work (LISTEN) and after a lost connection. A dead connection is not noticed
 * while it only waits, so it is queried every 10 s. Polls on behalf of all waiting runners: a poll by each would cost the database
 * more than their claims.
 */
export function listenToQueue(pool: pg.Pool, waiters: QueueWaiters, log: Logger): { stop(): Promise<void> } {
  const stopped = Promise.withResolvers<void>();
  let stopping = false;

  async function listen(): Promise<void> {
    const client = await pool.connect();
    const lost = Promise.withResolvers<void>();
    let ping: NodeJS.Timeout | undefined;
    client.once('error', () => lost.resolve());
    client.once('end', () => lost.resolve());
    try {
      client.on('notification', () => waiters.wake());
      await client.query(`LISTEN ${queueChannel}`);
      waiters.wake();
      ping = setInterval(() => void client.query(pingQuery).catch(() => lost.resolve()), pingMs);
      await Promise.race([lost.promise, stopped.promise]);
    } finally {
      clearInterval(ping);
      client.removeAllListeners('notification');
      client.release(true);
    }
  }

  const listening = repeat('listening to the queue', reconnectMs, log, async () => {
    if (!stopping) await listen();
  });
  const polling = repeat('polling the queue', pollMs, log, async () => {
    if (waiters.size > 0 && (await hasWaiting(pool))) waiters.wake();
  });
  return {
    async stop() {
      stopping = true;
      stopped.resolve();
      await Promise.all([listening.stop(), polling.stop()]);
    },
  };
}
