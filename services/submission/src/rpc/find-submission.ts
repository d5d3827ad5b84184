import { isUuid } from '@husky/runtime/uuid';
import type { AuthorCall } from '../access.ts';
import type { Context } from '../context.ts';
import { submissionNotFound } from '../domain/not-found.ts';
import type { Submission } from '../generated/client.ts';
import { getSubmission } from '../store/submissions.ts';

/** A submission that is for the caller by the call's own rule. */
export async function findSubmission(context: Context, call: AuthorCall, id: string): Promise<Submission> {
  const submission = isUuid(id) ? await getSubmission(context.prisma, id) : null;
  if (!submission) throw submissionNotFound();
  call.check(submission.userId);
  return submission;
}
