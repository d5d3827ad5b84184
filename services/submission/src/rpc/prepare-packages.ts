import type { Context, SubmissionHandlers } from '../context.ts';
import { parseRequirements } from '../domain/requirements.ts';
import { getBot } from '../store/bots.ts';
import { botNotFound } from './fetch-bot.ts';

export function preparePackages(context: Context): SubmissionHandlers['preparePackages'] {
  return async (request) => {
    const bot = await getBot(context.prisma, request.botHash);
    if (!bot) throw botNotFound();
    const requirements = parseRequirements(bot.requirementsFile.toString('utf8'));
    return { packagesHash: await context.packages.prepare(requirements) };
  };
}
