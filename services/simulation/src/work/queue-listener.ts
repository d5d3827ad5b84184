import { messageOf } from '@husky/runtime/errors';
import type { Logger } from '@husky/runtime/logger';
import type pg from 'pg';
import { queueChannel } from '../store/queue.ts';
import type { QueueWaiters } from './queue-waiters.ts';

const reconnectMs = 500;

/** Hears of new work from any replica through PostgreSQL's NOTIFY; wakes all after a connection was lost. */
export function listenToQueue(pool: pg.Pool, waiters: QueueWaiters, log: Logger): { stop(): Promise<void> } {
  let stopped = false;
  let end: () => void = () => undefined;

  async function listen(): Promise<void> {
    const client = await pool.connect();
    const lost = new Promise<void>((resolve) => {
      end = resolve;
      client.once('error', () => resolve());
      client.once('end', () => resolve());
    });
    try {
      client.on('notification', () => waiters.wakeOne());
      await client.query(`LISTEN ${queueChannel}`);
      waiters.wakeAll();
      if (!stopped) await lost;
    } finally {
      client.removeAllListeners('notification');
      client.release(true);
    }
  }

  const running = (async () => {
    while (!stopped) {
      try {
        await listen();
      } catch (error) {
        log.warn(`the queue is not heard: ${messageOf(error)}`);
      }
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, reconnectMs));
    }
  })();

  return {
    async stop() {
      stopped = true;
      end();
      await running;
    },
  };
}
