import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { saveBlob } from './download.ts';
import { queryKeys } from './query-keys.ts';
import type { FileContent } from './types.ts';

/** Fetches a stored file's text by its file id. */
export async function fetchFile(fileId: string, signal?: AbortSignal): Promise<FileContent> {
  const file = await api.get('/submission/files/{id}', { params: { id: fileId }, signal });
  // The same path returns the two file ids of a submission when it is given a submission's id.
  if (!('file_data' in file)) throw new Error(`${fileId} is not the id of a file`);
  return file;
}

export function useSubmissionFile(fileId: string | undefined) {
  return useQuery({
    queryKey: queryKeys.file(fileId ?? ''),
    queryFn: ({ signal }) => fetchFile(fileId ?? '', signal),
    enabled: fileId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Downloads a stored file under its name, with the bearer token, which a plain link cannot carry. */
export async function saveSubmissionFile(fileId: string, fileName: string): Promise<void> {
  saveBlob(await api.blob('/submission/file/{id}', { params: { id: fileId } }), fileName);
}
