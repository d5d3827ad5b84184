import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packageLimits } from '@husky/contracts/package-archive';
import { submissionService } from '@husky/contracts/services';
import { openDatabase } from '@husky/runtime/database/postgres';
import { createLogger } from '@husky/runtime/process/logger';
import { serve } from '@husky/runtime/process/open-service';
import { repeat, WorkGroup } from '@husky/runtime/process/repeat';
import type { Caller } from '@husky/runtime/rpc/caller';
import { testClock } from '@husky/testkit/clock';
import { testClient, testDatabase } from '@husky/testkit/servers';
import { testLife, testSettings } from '@husky/testkit/service-under-test';
import { expect } from 'vitest';
import { access } from '../src/access.ts';
import { createBotCheck, loadHouseBot } from '../src/programs/bot-check.ts';
import { createPackageBuilder } from '../src/programs/package-builder.ts';
import { createPackagePreparer } from '../src/programs/package-preparer.ts';
import { createHandlers } from '../src/server.ts';
import { clientOver } from '../src/start.ts';
import { SubmissionPreparation } from '../src/work/prepare-submissions.ts';

const root = resolve(import.meta.dirname, '../../..');
const environment = { PATH: process.env.PATH ?? '' };

export const log = createLogger('submission', 'fatal');
export const completeBot = `from bot import Bot
class SimplePlayer(Bot):
    def on_start(self, *args): pass
    def on_round_start(self, *args): pass
    def get_action(self, *args): pass
    def on_end_round(self, *args): pass
    def on_end_game(self, *args): pass
`;

export const user = (id: string, more: Partial<Extract<Caller, { kind: 'user' }>> = {}): Caller => ({
  kind: 'user',
  id,
  username: `user-${id.slice(0, 4)}`,
  admin: false,
  verified: true,
  ...more,
});

export const files = (player = completeBot, requirements = '') => ({
  playerFile: Buffer.from(player),
  requirementsFile: Buffer.from(requirements),
});

const runners = { python: 'python3', environment, runnerPython: '3.11', platform: 'x86_64-manylinux_2_28' };

export const testBotCheck = () => createBotCheck(runners);

/** Creates the real builder for the tests' index. */
export function createTestBuilder(indexUrl: string, workDir: string) {
  return createPackageBuilder({
    ...runners,
    uv: join(root, '.tools/python/bin/uv'),
    indexUrl,
    workDir,
    timeoutMs: 30_000,
    limits: { ...packageLimits, bytes: 2 * 1024 * 1024, entries: 100 },
    onLeft: (error) => expect.unreachable(String(error)),
  });
}

/**
 * Starts the real service in this process with its own database, or as another replica on that of `first`. Packages are resolved from
 * `indexUrl`.
 */
export async function startService(
  indexUrl = 'http://127.0.0.1:9/simple',
  uploadAnswerMs = 60_000,
  first?: { readonly database: Awaited<ReturnType<typeof testDatabase>> },
) {
  const database = first?.database ?? (await testDatabase('submission'));
  const pool = openDatabase({ ...database, poolSize: 8 });
  const workDir = mkdtempSync(join(tmpdir(), 'husky-submission-'));
  const clock = testClock();
  const botCheck = testBotCheck();
  const builder = createTestBuilder(indexUrl, workDir);
  const life = testLife('submission');
  const context = {
    log: life.log,
    pool,
    prisma: clientOver(pool),
    botCheck,
    packages: createPackagePreparer(pool, builder),
    preparation: new WorkGroup(),
    uploadAnswerMs,
    houseBot: await loadHouseBot(pool, join(root, 'services/runner/bots/house'), botCheck),
    houseBotOf: (style: string) => loadHouseBot(pool, join(root, 'services/runner/bots', style), botCheck),
    fileLinkKey: 'a key for tests',
    quota: { maxSubmissions: 5, maxUploadsADay: 100 },
    relay: { kick: () => undefined },
    now: clock.now,
  };
  const preparation = new SubmissionPreparation(context);
  const preparing = repeat('preparing submissions', 500, life.log, () => preparation.next());
  context.preparation.add(preparing);
  preparation.onFree = () => preparing.kick();
  const settings = testSettings('submission');
  const port = await serve(life, settings, undefined, submissionService, access, createHandlers(context));
  const gateway = testClient(submissionService, port);
  const simulation = testClient(submissionService, port, 'simulation');
  return {
    database,
    pool,
    clock,
    gateway,
    simulation,
    workDir,
    async stop() {
      gateway.close();
      simulation.close();
      await preparation.stop();
      await preparing.stop();
      await life.stop();
      await context.prisma.$disconnect();
      await pool.end();
      if (first === undefined) await database.drop();
      // Programs of a preparation in progress still write.
      await rm(workDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

export type TestService = Awaited<ReturnType<typeof startService>>;
