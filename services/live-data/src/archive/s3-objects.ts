import { DeleteObjectCommand, NoSuchKey, PutObjectCommand } from '@aws-sdk/client-s3';
import { ofOwnMemory } from '@husky/runtime/process/own-memory';
import type { Objects } from './objects.ts';
import { type S3Settings, s3Bucket } from './s3-client.ts';

// With all repetitions: below the deadline of a reader's call.
const timeoutMs = 5000;
// Background work waits for objects of any size over a slow connection: 100 KB/s.
const bytesPerMs = 100;
const inTime = (bytes = 0) => ({ abortSignal: AbortSignal.timeout(timeoutMs + Math.ceil(bytes / bytesPerMs)) });

/** Stores objects in a bucket. */
export function s3Objects(settings: S3Settings): Objects {
  const { client, locationOf, open, request } = s3Bucket(settings);
  return {
    async put(key, object) {
      const command = new PutObjectCommand({ ...locationOf(key), Body: object });
      await request(`PUT ${key}`, () => client.send(command, inTime(object.length)));
    },
    get: (key, expectedBytes) =>
      request(`GET ${key}`, async () => {
        try {
          return ofOwnMemory(await (await open(key, inTime(expectedBytes))).transformToByteArray());
        } catch (error) {
          // The bucket itself may be missing, too.
          if (error instanceof NoSuchKey) return null;
          throw error;
        }
      }),
    async delete(key) {
      await request(`DELETE ${key}`, () => client.send(new DeleteObjectCommand(locationOf(key)), inTime()));
    },
  };
}
