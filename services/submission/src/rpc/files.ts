import type { File } from '@husky/contracts/types/submission/v1/File';
import type { FileLink } from '@husky/contracts/types/submission/v1/FileLink';
import { isUuid } from '@husky/runtime/process/uuid';
import type { Context, SubmissionHandlers } from '../context.ts';
import { fileNotFound } from '../domain/bot-files.ts';
import { openFileLink as openLink, signFileLink as signLink } from '../domain/file-link.ts';
import { findBlob } from '../store/bots.ts';
import { findFile, type StoredFile } from '../store/submissions.ts';

export function getFile(context: Context): SubmissionHandlers['getFile'] {
  return async (request, call): Promise<File> => {
    const file = await locateFile(context, request.fileId);
    call.check(file.userId);
    return readFile(context, request.fileId, file);
  };
}

export function signFileLink(context: Context): SubmissionHandlers['signFileLink'] {
  return async (request, call): Promise<FileLink> => {
    const file = await locateFile(context, request.fileId);
    call.check(file.userId);
    return { token: signLink(context.fileLinkKey, request.fileId, context.now()) };
  };
}

/** Returns the file of a signed link. Does not check the caller: the token authorises the call. */
export function openFileLink(context: Context): SubmissionHandlers['openFileLink'] {
  return async (request): Promise<File> => {
    const fileId = openLink(context.fileLinkKey, request.token, context.now());
    return readFile(context, fileId, await locateFile(context, fileId));
  };
}

async function locateFile(context: Context, fileId: string): Promise<StoredFile> {
  const file = isUuid(fileId) ? await findFile(context.prisma, fileId) : null;
  if (!file) throw fileNotFound();
  return file;
}

async function readFile(context: Context, fileId: string, file: StoredFile) {
  const data = await findBlob(context.prisma, file.blobHash);
  if (!data) throw fileNotFound();
  return { fileId, fileName: file.fileName, data };
}
