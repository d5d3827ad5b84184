import type { Context, SubmissionHandlers } from '../context.ts';
import { requireMember, requireOwnerOrAdmin } from '../domain/access.ts';
import { locateFile, readFile } from './read-file.ts';

export function getFile(context: Context): SubmissionHandlers['getFile'] {
  return async (request, call) => {
    requireMember(call.caller);
    const file = await locateFile(context, request.fileId);
    requireOwnerOrAdmin(call.caller, file.userId);
    return readFile(context, request.fileId, file);
  };
}
