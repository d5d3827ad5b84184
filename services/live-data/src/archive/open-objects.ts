import { folderObjects } from './folder-objects.ts';
import type { Objects } from './objects.ts';
import type { S3Settings } from './s3-client.ts';

/** Where objects are stored: the path of a folder, or a bucket. */
export type ObjectsSettings = { readonly folder: string } | { readonly s3: S3Settings };

export async function openObjects(settings: ObjectsSettings): Promise<Objects> {
  if ('folder' in settings) return folderObjects(settings.folder);
  // The client takes 0.1 s of processor time and 34 MiB, which most platforms do not need.
  const { s3Objects } = await import('./s3-objects.ts');
  return s3Objects(settings.s3);
}
