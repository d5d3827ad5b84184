import { DomainError, messageOf } from '@husky/runtime/errors';
import type { Context } from '../context.ts';
import type { SeatPlan } from '../domain/job.ts';
import { seatPlan } from '../domain/seat-plan.ts';

/** Pins the users' final submissions for a holder, or FAILED_PRECONDITION naming those who have none. */
export async function requireFinals(
  context: Context,
  holderId: string,
  userIds: readonly string[],
): Promise<SeatPlan[]> {
  const { pins, missingUserIds } = await context.submission.pinFinals({ holderId, userIds: [...userIds] });
  if (missingUserIds.length > 0) {
    const names = await namesOf(context, missingUserIds);
    const subject =
      names.length === 1 ? `${names[0]} has` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} have`;
    throw new DomainError('FAILED_PRECONDITION', 'no-final-submission', `${subject} no final submission.`);
  }
  return pins.map(seatPlan);
}

async function namesOf(context: Context, ids: readonly string[]): Promise<string[]> {
  try {
    const { names } = await context.auth.getNames({ ids: [...ids] });
    const known = new Map(names.map((one) => [one.id, one.username]));
    return ids.map((id) => known.get(id) ?? id);
  } catch (error) {
    context.log.warn(`names are not known: ${messageOf(error)}`);
    return [...ids];
  }
}
