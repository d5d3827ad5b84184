import { DomainError } from '@husky/runtime/errors';
import { isUuid } from '@husky/runtime/uuid';
import type { Context, SubmissionHandlers } from '../context.ts';
import { getFinal } from '../store/submissions.ts';
import { presentSubmission } from './present.ts';

export function getFinalSubmission(context: Context): SubmissionHandlers['getFinalSubmission'] {
  return async (request) => {
    const submission = isUuid(request.userId) ? await getFinal(context.prisma, request.userId) : null;
    if (!submission) throw new DomainError('NOT_FOUND', 'no-final-submission', 'This user has no final submission.');
    return presentSubmission(submission);
  };
}
