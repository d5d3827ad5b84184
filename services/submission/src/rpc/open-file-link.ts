import type { Context, SubmissionHandlers } from '../context.ts';
import { openFileLink as openLink } from '../domain/file-link.ts';
import { locateFile, readFile } from './read-file.ts';

/** For anybody: the token is the right to read. */
export function openFileLink(context: Context): SubmissionHandlers['openFileLink'] {
  return async (request) => {
    const fileId = openLink(context.fileLinkKey, request.token, context.now());
    return readFile(context, fileId, await locateFile(context, fileId));
  };
}
