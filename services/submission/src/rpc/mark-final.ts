import type { Caller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Context, SubmissionHandlers } from '../context.ts';
import { submissionNotFound } from '../domain/access.ts';
import { refuseWhenFrozen } from '../store/freeze.ts';
import { markFinal as storeMark } from '../store/submissions.ts';
import { findSubmission } from './find-submission.ts';
import { presentSubmission } from './present.ts';

export function markFinal(context: Context): SubmissionHandlers['markFinal'] {
  return (request, call) => setFinal(context, call.caller, request.submissionId, true);
}

export function unmarkFinal(context: Context): SubmissionHandlers['unmarkFinal'] {
  return (request, call) => setFinal(context, call.caller, request.submissionId, false);
}

async function setFinal(context: Context, caller: Caller, id: string, final: boolean) {
  const submission = await findSubmission(context, caller, id);
  if (caller.kind !== 'user' || caller.id !== submission.userId) {
    throw new DomainError('PERMISSION_DENIED', 'not-the-owner', 'This submission belongs to another user.');
  }
  await refuseWhenFrozen(context.pool);
  if (!(await storeMark(context.pool, submission.userId, submission.id, final, caller))) {
    throw submissionNotFound();
  }
  context.sendEvents();
  return presentSubmission({ ...submission, final });
}
