import type { Caller } from '@husky/runtime/caller';
import type { Context } from '../context.ts';
import { isId, requireMember, requireOwnerOrAdmin, submissionNotFound } from '../domain/access.ts';
import type { Submission } from '../generated/client.ts';
import { getSubmission } from '../store/submissions.ts';

/** A submission that the caller may see and change: its owner or an admin. */
export async function findSubmission(context: Context, caller: Caller, id: string): Promise<Submission> {
  requireMember(caller);
  const submission = isId(id) ? await getSubmission(context.prisma, id) : null;
  if (!submission) throw submissionNotFound();
  requireOwnerOrAdmin(caller, submission.userId);
  return submission;
}
