import type { Context, SubmissionHandlers } from '../context.ts';
import { listSubmissions as readSubmissions } from '../store/submissions.ts';
import { presentSubmission } from './present.ts';

export function listSubmissions(context: Context): SubmissionHandlers['listSubmissions'] {
  return async (_request, { caller: user }) => {
    const submissions = await readSubmissions(context.prisma, user.id);
    return { submissions: submissions.map(presentSubmission) };
  };
}
