import type { Context, SubmissionHandlers } from '../context.ts';
import { requireMember, requireOwnerOrAdmin } from '../domain/access.ts';
import { signFileLink as signLink } from '../domain/file-link.ts';
import { locateFile } from './read-file.ts';

export function signFileLink(context: Context): SubmissionHandlers['signFileLink'] {
  return async (request, call) => {
    requireMember(call.caller);
    const file = await locateFile(context, request.fileId);
    requireOwnerOrAdmin(call.caller, file.userId);
    return { token: signLink(context.fileLinkKey, request.fileId, context.now()) };
  };
}
