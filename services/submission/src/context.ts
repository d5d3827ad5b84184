import { join } from 'node:path';
import { defaultQuota } from '@husky/contracts/events';
import { packageLimits } from '@husky/contracts/package-archive';
import type { SubmissionServiceDefinition } from '@husky/contracts/types/submission/v1/SubmissionService';
import type { ServiceContext } from '@husky/runtime/process/open-service';
import { WorkGroup } from '@husky/runtime/process/repeat';
import { messageOf } from '@husky/runtime/rpc/errors';
import type { Handlers } from '@husky/runtime/rpc/grpc-server';
import type { access } from './access.ts';
import type { Config } from './config.ts';
import type { CheckedBot, Quota } from './domain/bot-files.ts';
import type { PrismaClient } from './generated/client.ts';
import { type BotCheck, createBotCheck, loadHouseBot } from './programs/bot-check.ts';
import { createPackageBuilder } from './programs/package-builder.ts';
import { createPackagePreparer, type PackagePreparer } from './programs/package-preparer.ts';

export interface Context extends ServiceContext<PrismaClient> {
  readonly botCheck: BotCheck;
  readonly packages: PackagePreparer;
  /** Wakes the preparation of submissions whose upload was answered before. */
  readonly preparation: WorkGroup;
  /** Maximum time that an upload waits for its packages. */
  readonly uploadAnswerMs: number;
  readonly houseBot: CheckedBot;
  /** Returns an example bot, which is checked and stored at its first use. */
  readonly houseBotOf: (style: string) => Promise<CheckedBot>;
  readonly fileLinkKey: string;
  /** The quota until simulation has published the event's settings. */
  readonly quota: Quota;
}

export type SubmissionHandlers = Handlers<SubmissionServiceDefinition, typeof access>;

/** Creates the context; checks and stores the house bot. */
export async function createContext(
  config: Config,
  { log, pool, prisma, relay, now }: ServiceContext<PrismaClient>,
): Promise<Context> {
  const runners = {
    python: config.PYTHON,
    runnerPython: config.RUNNER_PYTHON,
    platform: config.runnerPlatform,
    environment: config.childEnvironment,
  };
  const botCheck = createBotCheck(runners);
  const builder = createPackageBuilder({
    ...runners,
    uv: config.UV,
    indexUrl: config.PACKAGE_INDEX_URL,
    workDir: config.WORK_DIR,
    timeoutMs: config.resolveTimeoutMs,
    limits: packageLimits,
    onLeft: (error) => log.warn({ err: error }, `a folder was left: ${messageOf(error)}`),
  });
  const houseBots = new Map<string, Promise<CheckedBot>>();
  return {
    log,
    pool,
    prisma,
    botCheck,
    packages: createPackagePreparer(pool, builder),
    preparation: new WorkGroup(),
    uploadAnswerMs: config.uploadAnswerMs,
    houseBot: await loadHouseBot(pool, join(config.houseBotsDir, 'house'), botCheck),
    houseBotOf: (style) => {
      const bot = houseBots.get(style) ?? loadHouseBot(pool, join(config.houseBotsDir, style), botCheck);
      houseBots.set(style, bot);
      bot.catch(() => houseBots.delete(style));
      return bot;
    },
    fileLinkKey: config.fileLinkKey,
    quota: defaultQuota,
    relay,
    now,
  };
}
