import type { Context, SubmissionHandlers } from '../context.ts';
import { readBotFiles } from '../domain/bot-files.ts';
import { submissionNotFound } from '../domain/not-found.ts';
import { refuseAboveQuota } from '../domain/quota.ts';
import { refuseWhenFrozen } from '../store/freeze.ts';
import { quotaOf, quotaUse } from '../store/quotas.ts';
import { addSubmission, getSubmission } from '../store/submissions.ts';
import { presentSubmission } from './present.ts';

export function upload(context: Context): SubmissionHandlers['upload'] {
  return async (request, { caller: user }) => {
    await refuseWhenFrozen(context.pool);
    const files = readBotFiles(request.playerFile, request.requirementsFile);
    // Asked again when it is stored; here it saves the work of a resolution.
    const quota = await quotaOf(context.pool, user.id, context.quota);
    refuseAboveQuota(quota, await quotaUse(context.pool, user.id, quota, context.now()), context.now());
    await context.checkBot(files.player);
    await context.packages.prepareWithin(files.requirements, context.uploadAnswerMs);
    const { id } = await addSubmission(
      context.pool,
      user.id,
      files,
      { configured: context.quota, now: context.now() },
      user,
    );
    context.sendEvents();
    const stored = await getSubmission(context.prisma, id);
    if (!stored) throw submissionNotFound();
    return presentSubmission(stored);
  };
}
