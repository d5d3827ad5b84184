import { isUuid } from '@husky/runtime/uuid';
import type { Context } from '../context.ts';
import { fileNotFound } from '../domain/not-found.ts';
import { getBlob } from '../store/bots.ts';
import { findFile, type StoredFile } from '../store/submissions.ts';

export async function locateFile(context: Context, fileId: string): Promise<StoredFile> {
  const file = isUuid(fileId) ? await findFile(context.prisma, fileId) : null;
  if (!file) throw fileNotFound();
  return file;
}

export async function readFile(context: Context, fileId: string, file: StoredFile) {
  const data = await getBlob(context.prisma, file.blobHash);
  if (!data) throw fileNotFound();
  return { fileId, fileName: file.fileName, data };
}
