import { requireVerified } from '@husky/runtime/caller';
import type { Context, SubmissionHandlers } from '../context.ts';
import { submissionNotFound } from '../domain/access.ts';
import { readBotFiles } from '../domain/bot-files.ts';
import { refuseWhenFrozen } from '../store/freeze.ts';
import { addSubmission, countSubmissions, getSubmission, tooMany } from '../store/submissions.ts';
import { presentSubmission } from './present.ts';

export function upload(context: Context): SubmissionHandlers['upload'] {
  return async (request, call) => {
    const user = requireVerified(call.caller);
    await refuseWhenFrozen(context.pool);
    const files = readBotFiles(request.playerFile, request.requirementsFile);
    // Asked again when it is stored; here it saves the work of a resolution.
    if ((await countSubmissions(context.prisma, user.id)) >= context.maxSubmissions)
      throw tooMany(context.maxSubmissions);
    await context.checkBot(files.player);
    await context.preparePackages(files.requirements);
    const { id } = await addSubmission(context.pool, user.id, files, context.maxSubmissions, user);
    context.sendEvents();
    const stored = await getSubmission(context.prisma, id);
    if (!stored) throw submissionNotFound();
    return presentSubmission(stored);
  };
}
