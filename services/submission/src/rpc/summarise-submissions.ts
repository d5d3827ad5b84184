import { isUuid } from '@husky/runtime/uuid';
import type { Context, SubmissionHandlers } from '../context.ts';
import { listSubmissions } from '../store/submissions.ts';

export function summariseSubmissions(context: Context): SubmissionHandlers['summariseSubmissions'] {
  return async (request) => {
    const submissions = isUuid(request.userId) ? await listSubmissions(context.prisma, request.userId) : [];
    return { submissionCount: submissions.length, lastCreatedAt: submissions[0]?.createdAt.toISOString() ?? '' };
  };
}
