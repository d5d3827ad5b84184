import type { Context, SubmissionHandlers } from '../context.ts';
import { findSubmission } from './find-submission.ts';
import { presentSubmission } from './present.ts';

export function getSubmission(context: Context): SubmissionHandlers['getSubmission'] {
  return async (request, call) => presentSubmission(await findSubmission(context, call, request.submissionId));
}
