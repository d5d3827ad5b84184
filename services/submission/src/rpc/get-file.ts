import type { Context, SubmissionHandlers } from '../context.ts';
import { locateFile, readFile } from './read-file.ts';

export function getFile(context: Context): SubmissionHandlers['getFile'] {
  return async (request, call) => {
    const file = await locateFile(context, request.fileId);
    call.check(file.userId);
    return readFile(context, request.fileId, file);
  };
}
