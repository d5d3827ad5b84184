import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { DeleteObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { type S3Settings, s3Bucket } from '../../services/live-data/src/archive/s3-client.ts';

// Two parts are sent at a time, from memory.
const minPartBytes = 32 << 20;
const maxParts = 10_000;
const partsAtATime = 2;

/** Files in a bucket of a server with the API of S3. Each method throws an error that names the request. */
export interface FileBucket {
  /** Returns the sizes in bytes of the objects whose keys begin with `start`, by key, in order. */
  list(start: string): Promise<Map<string, number>>;
  /** Stores a file of any size, in parts; the object appears when it is complete. */
  upload(key: string, path: string): Promise<void>;
  /** Writes an object into a file, durably. */
  download(key: string, path: string): Promise<void>;
  read(key: string): Promise<string>;
  delete(key: string): Promise<void>;
}

export function fileBucket(settings: S3Settings): FileBucket {
  const { client, locationOf, open, request } = s3Bucket(settings);
  return {
    list: (start) =>
      request(`LIST ${start}`, async () => {
        const sizes = new Map<string, number>();
        const prefixLength = locationOf('').Key.length;
        const { Bucket, Key: Prefix } = locationOf(start);
        for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
          for (const { Key: key = '', Size: bytes = 0 } of page.Contents ?? [])
            sizes.set(key.slice(prefixLength), bytes);
        }
        return sizes;
      }),
    async upload(key, path) {
      const params = { ...locationOf(key), Body: createReadStream(path) };
      const partSize = Math.max(minPartBytes, Math.ceil(statSync(path).size / maxParts));
      await request(`PUT ${key}`, () => new Upload({ client, params, partSize, queueSize: partsAtATime }).done());
    },
    download: (key, path) =>
      request(`GET ${key}`, async () => {
        const file = createWriteStream(path, { mode: 0o600, flush: true });
        await pipeline((await open(key)) as NodeJS.ReadableStream, file);
      }),
    read: (key) => request(`GET ${key}`, async () => (await open(key)).transformToString()),
    async delete(key) {
      await request(`DELETE ${key}`, () => client.send(new DeleteObjectCommand(locationOf(key))));
    },
  };
}
