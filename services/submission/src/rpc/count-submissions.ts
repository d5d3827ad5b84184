import type { Context, SubmissionHandlers } from '../context.ts';
import { countSubmissions as readCount } from '../store/submissions.ts';

export function countSubmissions(context: Context): SubmissionHandlers['countSubmissions'] {
  return async () => {
    return { submissionCount: await readCount(context.prisma) };
  };
}
