import { DomainError, messageOf } from '@husky/runtime/errors';
import type { Context } from '../context.ts';
import { failUnfinished } from '../store/endings.ts';
import { finishPreparing, type Preparing, prepareLater, takePreparing } from '../store/preparing.ts';

const retakeMs = 5 * 60_000;
const atOnce = 4;
const resolveMs = 4 * 60_000;
const firstPauseMs = 2000;
const longestPauseMs = 30_000;
// What another try can mend; every other refusal is the bot's.
const passing = new Set(['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'INTERNAL', 'CANCELLED']);

/** Has packages of waiting jobs resolved and opens the jobs to runners; answers how many it took. */
export async function prepareJobs(context: Context): Promise<number> {
  const taken = await takePreparing(context.pool, context.now(), retakeMs, atOnce);
  await Promise.all(taken.map((job) => prepareJob(context, job)));
  if (taken.length > 0) context.relay.kick();
  return taken.length;
}

async function prepareJob(context: Context, job: Preparing): Promise<void> {
  const packages = new Map<string, string>();
  for (const { seat, botHash } of job.open) {
    if (packages.has(botHash)) continue;
    try {
      packages.set(botHash, await packagesOf(context, botHash));
    } catch (error) {
      await refused(context, job, seat, error);
      return;
    }
  }
  await finishPreparing(context.pool, job.id, packages, context.now());
}

/** The archive of a bot's packages; '' for none. */
export async function packagesOf(context: Context, botHash: string): Promise<string> {
  const { packagesHash } = await context.submission.preparePackages({ botHash }, { timeoutMs: resolveMs });
  return packagesHash;
}

async function refused(context: Context, job: Preparing, seat: number, error: unknown): Promise<void> {
  const now = context.now();
  const why = messageOf(error);
  const verdict = verdictOn(error, now - job.createdAt, context.settings.prepareMs);
  if (verdict === 'again') {
    context.log.warn({ jobId: job.id }, `packages of job ${job.id} wait: ${why}`);
    await prepareLater(context.pool, job.id, now + pauseMs(job.tries));
    return;
  }
  const whose = job.kind === 'TEST_RUN' ? '' : `The bot in seat ${seat + 1} cannot be played: `;
  const tried =
    verdict === 'given-up' ? ` It was tried for ${Math.round(context.settings.prepareMs / 60_000)} minutes.` : '';
  await failUnfinished(context.pool, job.id, `${whose}${why}${tried}`, now);
}

export function verdictOn(error: unknown, sinceMs: number, patienceMs: number): 'refused' | 'again' | 'given-up' {
  if (error instanceof DomainError && !passing.has(error.code)) return 'refused';
  return sinceMs < patienceMs ? 'again' : 'given-up';
}

export function pauseMs(tries: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, tries - 1));
}
