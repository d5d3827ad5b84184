import { AwsClient } from 'aws4fetch';
import { sha256Of } from '../domain/archive-object.ts';
import type { Objects } from './objects.ts';

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

// Below the deadline of a reader's call.
const timeoutMs = 5000;
// After 5xx and 429.
const retries = 2;

/** Stores objects in a bucket of a server with the API of S3, which is addressed by path: every server supports that. */
export function s3Objects({ endpoint, bucket, prefix, ...account }: S3Settings): Objects {
  const client = new AwsClient({ ...account, service: 's3', retries });
  const urlOf = (key: string) => [endpoint, bucket, prefix, key].filter((part) => part !== '').join('/');
  const send = (method: string, key: string, object?: Uint8Array<ArrayBuffer>) =>
    client.fetch(urlOf(key), {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      ...(object && { body: object, headers: { 'X-Amz-Content-Sha256': sha256Of(object).toString('hex') } }),
    });
  return {
    async put(key, object) {
      await expectSuccess('PUT', key, await send('PUT', key, new Uint8Array(object)));
    },
    async get(key) {
      const response = await send('GET', key);
      // The bucket itself may be missing, too.
      if (response.status === 404 && (await response.clone().text()).includes('<Code>NoSuchKey</Code>')) return null;
      return expectSuccess('GET', key, response);
    },
    async delete(key) {
      await expectSuccess('DELETE', key, await send('DELETE', key));
    },
  };
}

/** Reads the response to its end, so that its connection can be used again. Throws for an error, with the code in its body. */
async function expectSuccess(method: string, key: string, response: Response): Promise<Buffer> {
  const body = Buffer.from(await response.arrayBuffer());
  if (response.ok) return body;
  const code = /<Code>(\w+)<\/Code>/.exec(body.toString())?.[1] ?? '';
  throw new Error(`${method} ${key}: ${response.status} ${code}`);
}
