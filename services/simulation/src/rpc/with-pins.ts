import { messageOf } from '@husky/runtime/errors';
import type { Context } from '../context.ts';
import { closeIntent, openIntent } from '../store/pin-intents.ts';

/**
 * Runs `work`, which pins bots for a holder and then makes it (closing the intent in the same transaction). When it fails,
 * the pins are released; when this process dies, the sweeper does that later.
 */
export async function withPins<T>(context: Context, holderId: string, work: () => Promise<T>): Promise<T> {
  await openIntent(context.pool, holderId, context.now());
  try {
    return await work();
  } catch (error) {
    await releaseNow(context, holderId).catch((failure: unknown) => {
      context.log.warn(`pins of ${holderId} are left to the sweeper: ${messageOf(failure)}`);
    });
    throw error;
  }
}

async function releaseNow(context: Context, holderId: string): Promise<void> {
  await context.submission.releasePins({ holderId });
  await closeIntent(context.pool, holderId);
}
