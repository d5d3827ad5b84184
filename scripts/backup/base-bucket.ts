import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { DeleteObjectCommand, GetObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { prefixedKey, type S3Settings, s3Client, s3Error } from '../../services/live-data/src/archive/s3-client.ts';

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
  const client = s3Client(settings);
  const { bucket: Bucket } = settings;
  const locationOf = (key: string) => ({ Bucket, Key: prefixedKey(settings, key) });
  const request = async <Result>(text: string, send: () => Promise<Result>): Promise<Result> => {
    try {
      return await send();
    } catch (error) {
      throw s3Error(text, error);
    }
  };
  const get = async (key: string) => {
    const { Body: body } = await client.send(new GetObjectCommand(locationOf(key)));
    if (body === undefined) throw new Error('the response has no content');
    return body;
  };
  return {
    list: (start) =>
      request(`LIST ${start}`, async () => {
        const sizes = new Map<string, number>();
        const prefixLength = prefixedKey(settings, '').length;
        for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefixedKey(settings, start) })) {
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
        await pipeline((await get(key)) as NodeJS.ReadableStream, file);
      }),
    read: (key) => request(`GET ${key}`, async () => (await get(key)).transformToString()),
    async delete(key) {
      await request(`DELETE ${key}`, () => client.send(new DeleteObjectCommand(locationOf(key))));
    },
  };
}
