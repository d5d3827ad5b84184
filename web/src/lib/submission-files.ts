import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { saveBlob } from './download.ts';
import { queryKeys } from './query-keys.ts';
import type { FileContent } from './types.ts';

/** A stored file's text by its file id. */
export const fetchFile = (fileId: string, signal?: AbortSignal) =>
  api.get<FileContent>(`/submission/files/${encodeURIComponent(fileId)}`, { signal });

export function useSubmissionFile(fileId: string | undefined) {
  return useQuery({
    queryKey: queryKeys.file(fileId ?? ''),
    queryFn: ({ signal }) => fetchFile(fileId ?? '', signal),
    enabled: fileId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Saves a stored file under its own name; the bearer token goes along, which a plain link could not carry. */
export async function saveSubmissionFile(fileId: string, fileName: string): Promise<void> {
  saveBlob(await api.blob(`/submission/file/${encodeURIComponent(fileId)}`), fileName);
}
