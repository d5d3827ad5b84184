import { jobEnded } from '@husky/contracts/events';
import type { Consumer, Messaging } from '@husky/runtime/nats';
import type pg from 'pg';
import { releasePins } from '../store/pins.ts';

export function consumeJobEnded(messaging: Messaging, pool: pg.Pool): Consumer {
  return messaging.consume(jobEnded, 'submission_job_ended', async (event) => {
    if (event.lastOfHolder) await releasePins(pool, event.holderId);
  });
}
