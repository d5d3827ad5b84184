import type { Context, SubmissionHandlers } from '../context.ts';
import { listUsersWithFinal as readUsers } from '../store/submissions.ts';

export function listUsersWithFinal(context: Context): SubmissionHandlers['listUsersWithFinal'] {
  return async () => {
    return { userIds: await readUsers(context.prisma) };
  };
}
