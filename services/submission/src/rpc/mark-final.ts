import type { AuthorCall } from '../access.ts';
import type { Context, SubmissionHandlers } from '../context.ts';
import { submissionNotFound } from '../domain/not-found.ts';
import { refuseWhenFrozen } from '../store/freeze.ts';
import { markFinal as storeMark } from '../store/submissions.ts';
import { findSubmission } from './find-submission.ts';
import { presentSubmission } from './present.ts';

export function markFinal(context: Context): SubmissionHandlers['markFinal'] {
  return (request, call) => setFinal(context, call, request.submissionId, true);
}

export function unmarkFinal(context: Context): SubmissionHandlers['unmarkFinal'] {
  return (request, call) => setFinal(context, call, request.submissionId, false);
}

async function setFinal(context: Context, call: AuthorCall, id: string, final: boolean) {
  const submission = await findSubmission(context, call, id);
  await refuseWhenFrozen(context.pool);
  if (!(await storeMark(context.pool, submission.userId, submission.id, final, call.caller))) {
    throw submissionNotFound();
  }
  context.sendEvents();
  return presentSubmission({ ...submission, final });
}
