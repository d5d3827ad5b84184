import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand } from '@aws-sdk/client-s3';
import type { Objects } from './objects.ts';
import { prefixedKey, type S3Settings, s3Client, s3Error } from './s3-client.ts';

// With all repetitions: below the deadline of a reader's call.
const timeoutMs = 5000;

/** Stores objects in a bucket. */
export function s3Objects(settings: S3Settings): Objects {
  const client = s3Client(settings);
  const locationOf = (key: string) => ({ Bucket: settings.bucket, Key: prefixedKey(settings, key) });
  const request = async <Result>(
    method: string,
    key: string,
    send: (options: { readonly abortSignal: AbortSignal }) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await send({ abortSignal: AbortSignal.timeout(timeoutMs) });
    } catch (error) {
      throw s3Error(`${method} ${key}`, error);
    }
  };
  return {
    async put(key, object) {
      await request('PUT', key, (options) =>
        client.send(new PutObjectCommand({ ...locationOf(key), Body: object }), options),
      );
    },
    get: (key) =>
      request('GET', key, async (options) => {
        try {
          const { Body: body } = await client.send(new GetObjectCommand(locationOf(key)), options);
          if (body === undefined) throw new Error('the response has no content');
          return Buffer.from(await body.transformToByteArray());
        } catch (error) {
          // The bucket itself may be missing, too.
          if (error instanceof NoSuchKey) return null;
          throw error;
        }
      }),
    async delete(key) {
      await request('DELETE', key, (options) => client.send(new DeleteObjectCommand(locationOf(key)), options));
    },
  };
}
