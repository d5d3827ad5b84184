// The bucket for copies of backups, of any server with the API of S3.
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { readVariables } from '@husky/runtime/process/config';
import { bucketUrl, endpointUrl } from '@husky/runtime/process/url-variables';
import { messageOf } from '@husky/runtime/rpc/errors';
import { z } from 'zod';

export interface S3Settings {
  /** Origin of the server, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Begins every key; '' or a path without slashes at its ends. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

// With the names that the tools of AWS use.
const variables = {
  COPY_URL: bucketUrl,
  AWS_ENDPOINT_URL: endpointUrl.optional(),
  AWS_REGION: z.string().default('us-east-1'),
  AWS_ACCESS_KEY_ID: z.string(),
  AWS_SECRET_ACCESS_KEY: z.string(),
};

/** Reads where copies go; throws one message that names every missing or invalid variable. */
export function readS3Settings(env: NodeJS.ProcessEnv): S3Settings {
  const { COPY_URL, AWS_ENDPOINT_URL, AWS_REGION: region, ...account } = readVariables(variables, env);
  const { hostname: bucket, pathname } = new URL(COPY_URL);
  return {
    endpoint: AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com`,
    region,
    bucket,
    prefix: pathname.replace(/^\/+|\/+$/g, ''),
    accessKeyId: account.AWS_ACCESS_KEY_ID,
    secretAccessKey: account.AWS_SECRET_ACCESS_KEY,
  };
}

const connectTimeoutMs = 5000;
const idleTimeoutMs = 30_000;
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

export function fileBucket({ bucket, prefix, accessKeyId, secretAccessKey, ...server }: S3Settings): FileBucket {
  // Repeats a request at most twice, after errors of the server and throttling.
  const client = new S3Client({
    ...server,
    credentials: { accessKeyId, secretAccessKey },
    // By path instead of by host: every server supports that.
    forcePathStyle: true,
    // Signatures contain the SHA-256 of the content. Not every server supports the additional checksums of this client.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectTimeoutMs, socketTimeout: idleTimeoutMs },
  });
  const locationOf = (key: string) => ({ Bucket: bucket, Key: prefix === '' ? key : `${prefix}/${key}` });
  const open = async (key: string) => {
    const { Body: body } = await client.send(new GetObjectCommand(locationOf(key)));
    if (body === undefined) throw new Error('the response has no content');
    return body;
  };
  /** Sends a request. Its errors begin with `text`, and have the status and the code of the server or the failure of the connection. */
  const request = async <Result>(text: string, send: () => Promise<Result>): Promise<Result> => {
    try {
      return await send();
    } catch (error) {
      throw s3Error(text, error);
    }
  };
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

function s3Error(request: string, error: unknown): Error {
  if (error instanceof S3ServiceException) {
    return new Error(`${request}: ${error.$metadata.httpStatusCode ?? 'no status'} ${error.name}`, { cause: error });
  }
  // The cause of an aborted request is its timeout.
  return new Error(`${request}: ${messageOf((error as Error).cause ?? error)}`, { cause: error });
}
