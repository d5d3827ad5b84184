import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { messageOf } from '@husky/runtime/errors';

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

/** Creates an S3 client. It repeats a request at most twice, after errors of the server and throttling. */
export function s3Client({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings): S3Client {
  return new S3Client({
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
}

/** Returns a key with the prefix of the settings. */
export const prefixedKey = ({ prefix }: S3Settings, key: string): string => (prefix === '' ? key : `${prefix}/${key}`);

/** Returns an error that names the request with the status and the code of the server, or the failure of the connection. */
export function s3Error(request: string, error: unknown): Error {
  if (error instanceof S3ServiceException) {
    return new Error(`${request}: ${error.$metadata.httpStatusCode ?? 'no status'} ${error.name}`, { cause: error });
  }
  // The cause of an aborted request is its timeout.
  return new Error(`${request}: ${messageOf((error as Error).cause ?? error)}`, { cause: error });
}
