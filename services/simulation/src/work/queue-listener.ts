import type { Logger } from '@husky/runtime/logger';
import { repeat } from '@husky/runtime/repeat';
import type pg from 'pg';
import { queueChannel } from '../store/queue.ts';
import type { QueueWaiters } from './queue-waiters.ts';

const reconnectMs = 500;

/** Wakes one waiting runner on every notification of new work (LISTEN), and all of them after a lost connection. */
export function listenToQueue(pool: pg.Pool, waiters: QueueWaiters, log: Logger): { stop(): Promise<void> } {
  const stopped = Promise.withResolvers<void>();
  let stopping = false;

  async function listen(): Promise<void> {
    const client = await pool.connect();
    const lost = Promise.withResolvers<void>();
    client.once('error', () => lost.resolve());
    client.once('end', () => lost.resolve());
    try {
      client.on('notification', () => waiters.wakeOne());
      await client.query(`LISTEN ${queueChannel}`);
      waiters.wakeAll();
      await Promise.race([lost.promise, stopped.promise]);
    } finally {
      client.removeAllListeners('notification');
      client.release(true);
    }
  }

  const listening = repeat('listening to the queue', reconnectMs, log, async () => {
    if (!stopping) await listen();
  });
  return {
    stop() {
      stopping = true;
      stopped.resolve();
      return listening.stop();
    },
  };
}
