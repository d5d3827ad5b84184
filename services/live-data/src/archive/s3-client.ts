import { GetObjectCommand, type GetObjectCommandOutput, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { messageOf } from '@husky/runtime/rpc/errors';

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

const connectTimeoutMs = 5000;
const idleTimeoutMs = 30_000;

/** A bucket with its client. */
export interface S3Bucket {
  readonly client: S3Client;
  /** Returns the parameters that name the object with a key, to which the prefix of the settings is added. */
  locationOf(key: string): { readonly Bucket: string; readonly Key: string };
  /** Returns the content of an object. */
  open(key: string, options?: { readonly abortSignal: AbortSignal }): Promise<Content>;
  /** Sends a request. Its errors begin with `text`, and have the status and the code of the server or the failure of the connection. */
  request<Result>(text: string, send: () => Promise<Result>): Promise<Result>;
}

type Content = NonNullable<GetObjectCommandOutput['Body']>;

/** Creates an S3 client. It repeats a request at most twice, after errors of the server and throttling. */
export function s3Bucket({ endpoint, region, bucket, prefix, accessKeyId, secretAccessKey }: S3Settings): S3Bucket {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // By path instead of by host: every server supports that.
    forcePathStyle: true,
    // Signatures contain the SHA-256 of the content. Not every server supports the additional checksums of this client.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectTimeoutMs, socketTimeout: idleTimeoutMs },
  });
  const locationOf = (key: string) => ({ Bucket: bucket, Key: prefix === '' ? key : `${prefix}/${key}` });
  return {
    client,
    locationOf,
    async open(key, options) {
      const { Body: body } = await client.send(new GetObjectCommand(locationOf(key)), options);
      if (body === undefined) throw new Error('the response has no content');
      return body;
    },
    async request(text, send) {
      try {
        return await send();
      } catch (error) {
        throw s3Error(text, error);
      }
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
