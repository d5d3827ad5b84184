import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';

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

// Of a connection.
const connectMs = 5000;
const silenceMs = 30_000;

/** Returns a client of a server with the API of S3. A request that fails for a cause of the server is repeated twice. */
export function s3Client({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings): S3Client {
  return new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // By path instead of by host: every server supports that.
    forcePathStyle: true,
    // Signatures contain the SHA-256 of the content. Servers other than AWS's do not know further checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
  });
}

/** Returns a key with the prefix of the settings. */
export const prefixedKey = ({ prefix }: S3Settings, key: string): string => (prefix === '' ? key : `${prefix}/${key}`);

/** Returns an error that names the request with the status and the code of the server, or the failure of the connection. */
export function s3Error(request: string, error: unknown): Error {
  if (!(error instanceof S3ServiceException)) {
    return new Error(`${request}: ${(error as Error).message || (error as Error).name}`, { cause: error });
  }
  return new Error(`${request}: ${error.$metadata.httpStatusCode ?? 'no status'} ${error.name}`, { cause: error });
}
