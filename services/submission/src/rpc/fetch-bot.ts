import { type Caller, requireLease } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Context, SubmissionHandlers } from '../context.ts';
import { getBot } from '../store/bots.ts';

export const botNotFound = () => new DomainError('NOT_FOUND', 'bot-not-found', 'Bot not found');

export function fetchBot(context: Context): SubmissionHandlers['fetchBot'] {
  return async (request, call) => {
    requireReadable(call.caller, request.botHash);
    const bot = await getBot(context.prisma, request.botHash);
    if (!bot) throw botNotFound();
    return { playerFile: bot.player, requirementsFile: bot.requirementsFile };
  };
}

/** A lease names what its match plays (simulation signed it); it reads nothing else. */
export function requireReadable(caller: Caller, hash: string): void {
  const lease = requireLease(caller);
  if (!lease.reads?.includes(hash)) {
    throw new DomainError('PERMISSION_DENIED', 'not-in-this-match', 'The lease is for a match that does not use this');
  }
}
