import { DomainError } from '@husky/runtime/errors';
import type { Context, SubmissionHandlers } from '../context.ts';
import { getBot } from '../store/bots.ts';

export const botNotFound = () => new DomainError('NOT_FOUND', 'bot-not-found', 'Bot not found');

export function fetchBot(context: Context): SubmissionHandlers['fetchBot'] {
  return async (request) => {
    const bot = await getBot(context.prisma, request.botHash);
    if (!bot) throw botNotFound();
    return { playerFile: bot.player, requirementsFile: bot.requirementsFile };
  };
}
