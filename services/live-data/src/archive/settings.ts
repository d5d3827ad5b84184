import { fileURLToPath } from 'node:url';
import { schemasOf } from '@husky/runtime/process/variables';
import type { z } from 'zod';
import type { S3Settings } from './s3-client.ts';

const { AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ARCHIVE_URL } = schemasOf('live-data');

/** Variables of S3, with the names that the tools of AWS use. */
export const s3Variables = { AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };

/** Where hands were archived: the path of a folder, or a bucket. */
export type ArchiveSettings = { readonly folder: string } | { readonly s3: S3Settings };

export const archiveVariables = { ARCHIVE_URL, ...s3Variables };

/** Returns where hands were archived; undefined without ARCHIVE_URL. Throws if a variable of S3 is missing. */
export function archiveSettings(read: z.infer<z.ZodObject<typeof archiveVariables>>): ArchiveSettings | undefined {
  if (read.ARCHIVE_URL === undefined) return undefined;
  const url = new URL(read.ARCHIVE_URL);
  return url.protocol === 'file:' ? { folder: fileURLToPath(url) } : { s3: s3Settings('ARCHIVE_URL', url, read) };
}

/** Returns the settings for a URL such as s3://bucket/prefix. `variable` names it in errors. Throws if a variable of S3 is missing. */
export function s3Settings(variable: string, url: URL, read: z.infer<z.ZodObject<typeof s3Variables>>): S3Settings {
  const { AWS_REGION: region, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = read;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new Error(`Configuration is not complete: ${variable} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`);
  }
  const endpoint = read.AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com`;
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  return { endpoint, region, bucket: url.hostname, prefix, accessKeyId, secretAccessKey };
}
