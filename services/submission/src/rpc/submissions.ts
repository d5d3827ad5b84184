import type { BotFindings } from '@husky/contracts/types/submission/v1/BotFindings';
import type { CountSubmissionsResponse } from '@husky/contracts/types/submission/v1/CountSubmissionsResponse';
import type { DeleteSubmissionResponse } from '@husky/contracts/types/submission/v1/DeleteSubmissionResponse';
import type { ListSubmissionsResponse } from '@husky/contracts/types/submission/v1/ListSubmissionsResponse';
import type { ListUsersWithFinalResponse } from '@husky/contracts/types/submission/v1/ListUsersWithFinalResponse';
import type { Submission as SubmissionMessage } from '@husky/contracts/types/submission/v1/Submission';
import type { SubmissionSummary } from '@husky/contracts/types/submission/v1/SubmissionSummary';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { AuthorCall } from '../access.ts';
import type { Context, SubmissionHandlers } from '../context.ts';
import { type Requirements, readBotFiles, refuseAboveQuota, submissionNotFound } from '../domain/bot-files.ts';
import type { Submission } from '../generated/client.ts';
import { countPreparing } from '../store/preparing.ts';
import { effectiveQuota, quotaUse, refuseWhenFrozen } from '../store/quota.ts';
import {
  addSubmission,
  findEarlier,
  findFinal,
  findFinals,
  findSubmission,
  countSubmissions as readCount,
  listSubmissions as readSubmissions,
  deleteSubmission as storeDeletion,
  markFinal as storeMark,
} from '../store/submissions.ts';

export function getSubmission(context: Context): SubmissionHandlers['getSubmission'] {
  return async (request, call): Promise<SubmissionMessage> =>
    presentSubmission(await authorizedSubmission(context, call, request.submissionId));
}

export function listSubmissions(context: Context): SubmissionHandlers['listSubmissions'] {
  return async (_request, { caller: user }): Promise<ListSubmissionsResponse> => {
    const submissions = await readSubmissions(context.prisma, user.id);
    return { submissions: submissions.map(presentSubmission) };
  };
}

/** Deletes a submission. Its files remain stored while a job or a batch plays them. */
export function deleteSubmission(context: Context): SubmissionHandlers['deleteSubmission'] {
  return async (request, call): Promise<DeleteSubmissionResponse> => {
    const submission = await authorizedSubmission(context, call, request.submissionId);
    await storeDeletion(context.pool, submission.id, call.caller);
    context.relay.kick();
    return {};
  };
}

export function markFinal(context: Context): SubmissionHandlers['markFinal'] {
  return (request, call): Promise<SubmissionMessage> => setFinal(context, call, request.submissionId, true);
}

export function unmarkFinal(context: Context): SubmissionHandlers['unmarkFinal'] {
  return (request, call): Promise<SubmissionMessage> => setFinal(context, call, request.submissionId, false);
}

async function setFinal(context: Context, call: AuthorCall, id: string, final: boolean) {
  const submission = await authorizedSubmission(context, call, id);
  await refuseWhenFrozen(context.pool);
  if (!(await storeMark(context.pool, submission.userId, submission.id, final, call.caller))) {
    throw submissionNotFound();
  }
  context.relay.kick();
  return presentSubmission({ ...submission, final });
}

export function getFinalSubmission(context: Context): SubmissionHandlers['getFinalSubmission'] {
  return async (request): Promise<SubmissionMessage> => {
    const submission = isUuid(request.userId) ? await findFinal(context.prisma, request.userId) : null;
    if (!submission) throw new DomainError('NOT_FOUND', 'no-final-submission', 'This user has no final submission.');
    return presentSubmission(submission);
  };
}

export function listUsersWithFinal(context: Context): SubmissionHandlers['listUsersWithFinal'] {
  return async (): Promise<ListUsersWithFinalResponse> => {
    return { userIds: (await findFinals(context.pool)).map(({ userId }) => userId) };
  };
}

export function countSubmissions(context: Context): SubmissionHandlers['countSubmissions'] {
  return async (): Promise<CountSubmissionsResponse> => {
    return { submissionCount: await readCount(context.prisma) };
  };
}

export function summariseSubmissions(context: Context): SubmissionHandlers['summariseSubmissions'] {
  return async (request): Promise<SubmissionSummary> => {
    const submissions = isUuid(request.userId) ? await readSubmissions(context.prisma, request.userId) : [];
    return { submissionCount: submissions.length, lastCreatedAt: submissions[0]?.createdAt.toISOString() ?? '' };
  };
}

/** Returns a submission that the caller may access by the rule of the call. Throws NOT_FOUND or PERMISSION_DENIED otherwise. */
export async function authorizedSubmission(context: Context, call: AuthorCall, id: string): Promise<Submission> {
  const submission = isUuid(id) ? await findSubmission(context.prisma, id) : null;
  if (!submission) throw submissionNotFound();
  call.check(submission.userId);
  return submission;
}

function presentSubmission(submission: Submission): SubmissionMessage {
  const { createdAt, state, step, nonce, ...fields } = submission;
  const shownStep = state === 'preparing' ? step || 'waiting' : '';
  return { ...fields, createdAt: createdAt.toISOString(), state, step: shownStep, nonce: nonce ?? '' };
}

/** Checks files as an upload does. Resolves no packages, stores nothing. */
export function checkBot(context: Context): SubmissionHandlers['checkBot'] {
  return async (request): Promise<BotFindings> => {
    try {
      const files = readBotFiles(request.playerFile, request.requirementsFile);
      const { warnings } = await context.botCheck.check(files);
      return { problem: '', warnings: [...warnings] };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'INVALID_ARGUMENT') throw error;
      return { problem: error.message, warnings: [] };
    }
  };
}

const maxPreparing = 2;
const noncePattern = /^[0-9a-f]{64}$/;

export function upload(context: Context): SubmissionHandlers['upload'] {
  return async (request, { caller: user }) => {
    const files = readBotFiles(request.playerFile, request.requirementsFile);
    const nonce = request.nonce || null;
    if (request.nonce !== '' && !noncePattern.test(request.nonce)) {
      throw new DomainError('INVALID_ARGUMENT', 'nonce-invalid', 'A nonce has 64 digits of 0 to 9 and a to f.');
    }
    if ((await findEarlier(context.pool, { ...files, nonce }, user.id)) === undefined) {
      await refuseWhenFrozen(context.pool);
      // Avoids resolving packages of an upload that will be refused. addSubmission checks the quota again under the user's lock.
      const quota = await effectiveQuota(context.pool, user.id, context.quota);
      refuseAboveQuota(quota, await quotaUse(context.pool, user.id, quota, context.now()), context.now());
    }
    const checked = await context.botCheck.check(files);
    const prepared = await preparesSoon(context, user.id, checked.requirements);
    const limits = { configured: context.quota, now: context.now() };
    const upload = { ...checked, nonce };
    const { id } = await addSubmission(context.pool, upload, limits, user, prepared ? 'ready' : 'preparing');
    context.relay.kick();
    if (!prepared) context.preparation.kick();
    const stored = await findSubmission(context.prisma, id);
    if (!stored) throw submissionNotFound();
    return { ...presentSubmission(stored), warnings: [...checked.warnings] };
  };
}

/** Returns whether the packages are there, or are prepared before the answer is due. */
async function preparesSoon(context: Context, userId: string, requirements: Requirements): Promise<boolean> {
  if (requirements.lines.length === 0) return true;
  // Who has several submissions in preparation does not hold a place for another one.
  const mayWait = (await countPreparing(context.pool, userId)) < maxPreparing;
  return context.packages.prepareWithin(requirements, mayWait ? context.uploadAnswerMs : 0);
}
