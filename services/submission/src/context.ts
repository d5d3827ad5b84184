import type { SubmissionServiceDefinition } from '@husky/contracts/types/submission/v1/SubmissionService';
import type { Handlers } from '@husky/runtime/grpc-server';
import type pg from 'pg';
import type { access } from './access.ts';
import type { BotFiles } from './domain/bot-files.ts';
import type { Quota } from './domain/quota.ts';
import type { PrismaClient } from './generated/client.ts';
import type { BotCheck } from './programs/bot-check.ts';
import type { PackagePreparer } from './programs/package-preparer.ts';

/** What the RPCs work with. */
export interface Context {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly checkBot: BotCheck;
  readonly packages: PackagePreparer;
  /** How long an upload waits for its packages. */
  readonly uploadAnswerMs: number;
  readonly house: BotFiles;
  readonly fileLinkKey: string;
  /** Until simulation has told of the event's settings. */
  readonly quota: Quota;
  /** Sends events that a transaction has written. */
  readonly sendEvents: () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export type SubmissionHandlers = Handlers<SubmissionServiceDefinition, typeof access>;
