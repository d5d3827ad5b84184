import type { Context, SubmissionHandlers } from '../context.ts';
import { deleteSubmission as removeSubmission } from '../store/submissions.ts';
import { findSubmission } from './find-submission.ts';

/** Its files stay while a job or a batch still plays them. */
export function deleteSubmission(context: Context): SubmissionHandlers['deleteSubmission'] {
  return async (request, call) => {
    const submission = await findSubmission(context, call, request.submissionId);
    await removeSubmission(context.pool, submission.id, call.caller);
    context.sendEvents();
    return {};
  };
}
