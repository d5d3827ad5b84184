import { folderObjects } from './folder-objects.ts';
import type { Objects } from './objects.ts';
import { type S3Settings, s3Objects } from './s3-objects.ts';

/** Where objects are stored: the path of a folder, or a bucket. */
export type ObjectsSettings = { readonly folder: string } | { readonly s3: S3Settings };

export function openObjects(settings: ObjectsSettings): Objects {
  return 'folder' in settings ? folderObjects(settings.folder) : s3Objects(settings.s3);
}
