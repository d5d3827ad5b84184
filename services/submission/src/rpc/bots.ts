import type { FetchBotResponse } from '@husky/contracts/types/submission/v1/FetchBotResponse';
import type { PackagesPart } from '@husky/contracts/types/submission/v1/PackagesPart';
import type { PreparePackagesResponse } from '@husky/contracts/types/submission/v1/PreparePackagesResponse';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, SubmissionHandlers } from '../context.ts';
import { archiveParts } from '../store/archives.ts';
import { findBot } from '../store/bots.ts';

export function fetchBot(context: Context): SubmissionHandlers['fetchBot'] {
  return async (request): Promise<FetchBotResponse> => {
    const bot = await requireBot(context, request.botHash);
    return { playerFile: bot.player, requirementsFile: bot.requirementsFile };
  };
}

/** Streams an archive in parts. */
export function fetchPackages(context: Context): SubmissionHandlers['fetchPackages'] {
  return async function* (request): AsyncGenerator<PackagesPart> {
    let found = false;
    for await (const data of archiveParts(context.prisma, request.packagesHash)) {
      found = true;
      yield { data: Buffer.from(data) };
    }
    if (!found) throw new DomainError('NOT_FOUND', 'packages-not-found', 'These packages are not stored');
  };
}

/** Resolves a bot's packages unless they are stored. Idempotent. */
export function preparePackages(context: Context): SubmissionHandlers['preparePackages'] {
  return async (request): Promise<PreparePackagesResponse> => {
    const bot = await requireBot(context, request.botHash);
    return { packagesHash: await context.packages.prepare(await context.botCheck.readStored(bot)) };
  };
}

async function requireBot(context: Context, botHash: string) {
  const bot = await findBot(context.prisma, botHash);
  if (!bot) throw new DomainError('NOT_FOUND', 'bot-not-found', 'Bot not found');
  return bot;
}
