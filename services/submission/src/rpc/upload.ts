import type { Submission } from '@husky/contracts/types/submission/v1/Submission';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, SubmissionHandlers } from '../context.ts';
import { readBotFiles } from '../domain/bot-files.ts';
import { submissionNotFound } from '../domain/not-found.ts';
import { refuseAboveQuota } from '../domain/quota.ts';
import { refuseWhenFrozen } from '../store/event-settings.ts';
import { countPreparing } from '../store/preparing.ts';
import { effectiveQuota, quotaUse } from '../store/quota.ts';
import { addSubmission, findSubmission } from '../store/submissions.ts';
import { presentSubmission } from './submissions.ts';

const maxPreparing = 2;
const noncePattern = /^[0-9a-f]{64}$/;

export function upload(context: Context): SubmissionHandlers['upload'] {
  return async (request, { caller: user }): Promise<Submission> => {
    await refuseWhenFrozen(context.pool);
    const files = readBotFiles(request.playerFile, request.requirementsFile);
    if (request.nonce !== '' && !noncePattern.test(request.nonce)) {
      throw new DomainError('INVALID_ARGUMENT', 'nonce-invalid', 'A nonce has 64 digits of 0 to 9 and a to f.');
    }
    // Avoids resolving packages of an upload that will be refused. addSubmission checks the quota again under the user's lock.
    const quota = await effectiveQuota(context.pool, user.id, context.quota);
    refuseAboveQuota(quota, await quotaUse(context.pool, user.id, quota, context.now()), context.now());
    const checked = await context.botCheck.check(files);
    // Who has several submissions in preparation does not hold a place for another one.
    const mayWait = (await countPreparing(context.pool, user.id)) < maxPreparing;
    const prepared = await context.packages.prepareWithin(checked.requirements, mayWait ? context.uploadAnswerMs : 0);
    const limits = { configured: context.quota, now: context.now() };
    const upload = { ...checked, nonce: request.nonce || null };
    const { id } = await addSubmission(context.pool, upload, limits, user, prepared ? 'ready' : 'preparing');
    context.relay.kick();
    if (!prepared) context.preparation.kick();
    const stored = await findSubmission(context.prisma, id);
    if (!stored) throw submissionNotFound();
    return { ...presentSubmission(stored), warnings: [...checked.warnings] };
  };
}
