import type { Context, SubmissionHandlers } from '../context.ts';
import { signFileLink as signLink } from '../domain/file-link.ts';
import { locateFile } from './read-file.ts';

export function signFileLink(context: Context): SubmissionHandlers['signFileLink'] {
  return async (request, call) => {
    const file = await locateFile(context, request.fileId);
    call.check(file.userId);
    return { token: signLink(context.fileLinkKey, request.fileId, context.now()) };
  };
}
