import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { PrismaClient } from './generated/client.ts';
import { loadHouse } from './house.ts';
import { createBotCheck } from './programs/bot-check.ts';
import { createPackageBuilder } from './programs/package-builder.ts';
import { createPackagePreparer } from './programs/package-preparer.ts';

const maxUnpackedBytes = 200 * 1024 * 1024;
// numpy, scipy, pandas and scikit-learn together hold 8,700.
const maxEntries = 20_000;

export async function createContext(
  config: Config,
  pool: pg.Pool,
  sendEvents: () => void = () => undefined,
): Promise<Context> {
  const checkBot = createBotCheck(config.PYTHON, config.childEnvironment);
  const builder = createPackageBuilder({
    python: config.PYTHON,
    uv: config.UV,
    indexUrl: config.PACKAGE_INDEX_URL,
    runnerPython: config.RUNNER_PYTHON,
    platform: config.RUNNER_PLATFORM,
    workDir: config.WORK_DIR,
    timeoutMs: config.RESOLVE_TIMEOUT_MS,
    environment: config.childEnvironment,
    maxUnpackedBytes,
    maxEntries,
  });
  return {
    pool,
    prisma: new PrismaClient({ adapter: new PrismaPg(pool, { schema: 'submission' }) }),
    checkBot,
    packages: createPackagePreparer(pool, builder),
    uploadAnswerMs: config.UPLOAD_ANSWER_MS,
    house: await loadHouse(pool, config.HOUSE_BOT_DIR, checkBot),
    fileLinkKey: config.fileLinkKey,
    quota: { maxSubmissions: config.MAX_SUBMISSIONS, maxUploadsADay: config.MAX_UPLOADS_A_DAY },
    sendEvents,
    now: Date.now,
  };
}
