import type { BotVersion as BotVersionMessage } from '@husky/contracts/types/submission/v1/BotVersion';
import type { BotVersions } from '@husky/contracts/types/submission/v1/BotVersions';
import type { FetchBotResponse } from '@husky/contracts/types/submission/v1/FetchBotResponse';
import type { PackagesPart } from '@husky/contracts/types/submission/v1/PackagesPart';
import type { PreparePackagesResponse } from '@husky/contracts/types/submission/v1/PreparePackagesResponse';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, SubmissionHandlers } from '../context.ts';
import type { BotVersion } from '../generated/client.ts';
import { archiveParts } from '../store/archives.ts';
import { findBot, findPreviousVersion, findVersion } from '../store/bots.ts';

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

/** Returns the files of a version of a user's bot and of the version before it. */
export function getBotVersion(context: Context): SubmissionHandlers['getBotVersion'] {
  return async ({ userId, botHash }): Promise<BotVersions> => {
    const version = isUuid(userId) ? await findVersion(context.prisma, userId, botHash) : null;
    if (!version) {
      throw new DomainError('NOT_FOUND', 'version-not-found', 'The files of this version are not stored any more.');
    }
    const previous = await findPreviousVersion(context.prisma, version);
    return {
      version: await present(context, version),
      previous: previous && (await present(context, previous)),
    };
  };
}

async function present(context: Context, version: BotVersion): Promise<BotVersionMessage | null> {
  const bot = await findBot(context.prisma, version.botHash);
  return (
    bot && {
      botHash: version.botHash,
      firstUsedAt: version.firstUsedAt.toISOString(),
      playerFile: bot.player,
      requirementsFile: bot.requirementsFile,
    }
  );
}
