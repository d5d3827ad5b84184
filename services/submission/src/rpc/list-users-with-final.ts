import { requireAdmin } from '@husky/runtime/caller';
import type { Context, SubmissionHandlers } from '../context.ts';
import { listUsersWithFinal as readUsers } from '../store/submissions.ts';

export function listUsersWithFinal(context: Context): SubmissionHandlers['listUsersWithFinal'] {
  return async (_request, call) => {
    requireAdmin(call.caller);
    return { userIds: await readUsers(context.prisma) };
  };
}
