import { randomInt } from 'node:crypto';
import { housePlayers, houseUserId } from '@husky/contracts/house-user';
import { isTransient } from '@husky/runtime/process/retry';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import type { Context } from './context.ts';
import { type SeatPlan, seatPlan } from './domain/job.ts';
import { usernamesOf } from './names.ts';
import { beginRelease, finishRelease, openIntent, reopenIntent } from './store/pin-intents.ts';

/**
 * Opens a pin intent and runs `create`, which pins bots for a holder and, in one transaction, inserts the holder and closes the
 * intent. If it fails, releases the pins unless the holder was inserted: a commit may succeed although its response is lost.
 * After a refusal that is not transient the intent is closed. After any other failure it remains, since a call to submission that has
 * failed here may still pin there: the sweeper releases the pins once more. It also does so if this process dies.
 */
export async function withPins<T>(context: Context, holderId: string, create: () => Promise<T>): Promise<T> {
  await openIntent(context.pool, holderId, context.now());
  try {
    return await create();
  } catch (error) {
    const isRefusal = error instanceof DomainError && !isTransient(error);
    await releasePins(context, holderId, isRefusal).catch((failure: unknown) => {
      context.log.warn({ holderId }, `releasing pins failed, the sweeper will retry: ${messageOf(failure)}`);
    });
    throw error;
  }
}

async function releasePins(context: Context, holderId: string, isRefusal: boolean): Promise<void> {
  const { pool } = context;
  const isHeld = !(await beginRelease(pool, holderId)) && !(await reopenIntent(pool, holderId, context.now()));
  if (isHeld) return;
  await context.submission.releasePins({ holderId });
  if (isRefusal) await finishRelease(pool, holderId);
}

const mixedStyles = 4;

/**
 * Pins the opponents in a test run for a holder. The house account marks test runs: it has the seat of an opponent that is alone, whatever
 * its style.
 */
export async function pinOpponents(
  submission: Context['submission'],
  holderId: string,
  against: string,
): Promise<SeatPlan[]> {
  const pin = async (userId: string) => seatPlan(await submission.pinHouse({ holderId, userId }));
  const [single] = [...housePlayers].find(([, style]) => style === against) ?? [];
  if (single !== undefined) return [{ ...(await pin(single)), userId: houseUserId }];
  return Promise.all(['', ...(against === 'mix' ? drawHousePlayers(mixedStyles) : [])].map(pin));
}

/** Draws at most so many of the house bots. */
export function drawHousePlayers(count: number): string[] {
  const players = [...housePlayers.keys()];
  while (players.length > count) players.splice(randomInt(players.length), 1);
  return players;
}

/** Pins the final submissions of those users who still have one, for a holder. */
export async function pinFinalsLeft(
  { submission }: Context,
  holderId: string,
  users: readonly string[],
): Promise<SeatPlan[]> {
  let userIds = [...users];
  // All or none are pinned: without those who have just unmarked theirs.
  for (;;) {
    if (userIds.length === 0) return [];
    const { pins, missingUserIds } = await submission.pinFinals({ holderId, userIds });
    if (missingUserIds.length === 0) return pins.map(seatPlan);
    userIds = userIds.filter((id) => !missingUserIds.includes(id));
  }
}

/** Pins the users' final submissions for a holder. Throws FAILED_PRECONDITION with the names of users who have none. */
export async function pinFinals(context: Context, holderId: string, userIds: readonly string[]): Promise<SeatPlan[]> {
  const { pins, missingUserIds } = await context.submission.pinFinals({ holderId, userIds: [...userIds] });
  if (missingUserIds.length > 0) {
    const names = await namesOf(context, missingUserIds);
    const subject =
      names.length === 1 ? `${names[0]} has` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} have`;
    throw new DomainError('FAILED_PRECONDITION', 'no-final-submission', `${subject} no final submission.`);
  }
  return pins.map(seatPlan);
}

/** Returns the users' names, or their ids while auth is unavailable. */
async function namesOf(context: Context, ids: readonly string[]): Promise<string[]> {
  try {
    const known = await usernamesOf(context, ids);
    return ids.map((id) => known.get(id) ?? id);
  } catch (error) {
    context.log.warn(`reading names failed, using ids: ${messageOf(error)}`);
    return [...ids];
  }
}
