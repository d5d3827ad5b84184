import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { submissionService } from '@husky/contracts/services';
import type { Caller } from '@husky/runtime/caller';
import { createGrpcServer } from '@husky/runtime/grpc-server';
import { createLogger } from '@husky/runtime/logger';
import { openDatabase } from '@husky/runtime/postgres';
import { testClock } from '@husky/testkit/clock';
import { testClient, testDatabase, testIdentities } from '@husky/testkit/servers';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../src/generated/client.ts';
import { loadHouse } from '../src/house.ts';
import { createBotCheck } from '../src/programs/bot-check.ts';
import { createPackageBuilder } from '../src/programs/package-builder.ts';
import { createPackagePreparer } from '../src/programs/package-preparer.ts';
import { addSubmissionService } from '../src/server.ts';

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

/** The real service in this process over its own database; packages come from `indexUrl`. */
export async function startService(indexUrl = 'http://127.0.0.1:9/simple') {
  const database = await testDatabase('submission');
  const pool = openDatabase({ ...database, poolSize: 8 });
  const workDir = mkdtempSync(join(tmpdir(), 'husky-submission-'));
  const clock = testClock();
  const checkBot = createBotCheck('python3', environment);
  const builder = createPackageBuilder({
    python: 'python3',
    uv: join(root, '.tools/python/bin/uv'),
    indexUrl,
    runnerPython: '3.11',
    platform: 'x86_64-manylinux_2_28',
    workDir,
    timeoutMs: 30_000,
    environment,
    maxUnpackedBytes: 2 * 1024 * 1024,
  });
  const context = {
    pool,
    prisma: new PrismaClient({ adapter: new PrismaPg(pool, { schema: 'submission' }) }),
    checkBot,
    preparePackages: createPackagePreparer(pool, builder),
    house: await loadHouse(pool, join(root, 'services/runner/bots/house'), checkBot),
    fileLinkKey: 'a key for tests',
    quota: { maxSubmissions: 5, maxUploadsADay: 100 },
    sendEvents: () => undefined,
    now: clock.now,
  };
  const server = createGrpcServer({ verifier: testIdentities().verifierFor('submission'), log });
  addSubmissionService(server, context);
  const port = await server.listen('127.0.0.1:0');
  const gateway = testClient(submissionService, port);
  const simulation = testClient(submissionService, port, 'simulation');
  return {
    pool,
    clock,
    gateway,
    simulation,
    builder,
    async stop() {
      gateway.close();
      simulation.close();
      await server.close(500);
      await context.prisma.$disconnect();
      await pool.end();
      await database.drop();
      await rm(workDir, { recursive: true, force: true });
    },
  };
}

export type TestService = Awaited<ReturnType<typeof startService>>;
