import type { BotVersion as BotVersionMessage } from '@husky/contracts/types/submission/v1/BotVersion';
import type { BotVersions } from '@husky/contracts/types/submission/v1/BotVersions';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, SubmissionHandlers } from '../context.ts';
import type { BotVersion } from '../generated/client.ts';
import { findBot } from '../store/bots.ts';
import { findPreviousVersion, findVersion } from '../store/versions.ts';

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
