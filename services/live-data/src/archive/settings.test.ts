import { readVariables } from '@husky/runtime/process/config';
import { expect, test } from 'vitest';
import { archiveSettings, archiveVariables } from './settings.ts';

const settingsOf = (env: Record<string, string>) => archiveSettings(readVariables(archiveVariables, env));
const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
const account = { accessKeyId: 'id', secretAccessKey: 'secret' };

test('reads a folder, a bucket of AWS, and a bucket of another server', () => {
  expect(settingsOf({})).toBe(undefined);
  expect(settingsOf({ ARCHIVE_URL: 'file:///srv/old%20hands' })).toEqual({ folder: '/srv/old hands' });
  expect(settingsOf({ ARCHIVE_URL: 's3://Old.hands', AWS_REGION: 'eu-central-1', ...keys })).toEqual({
    s3: {
      endpoint: 'https://s3.eu-central-1.amazonaws.com',
      region: 'eu-central-1',
      bucket: 'Old.hands',
      prefix: '',
      ...account,
    },
  });
  const other = { ARCHIVE_URL: 's3://hands/a/b/', AWS_ENDPOINT_URL: 'http://minio:9000/', ...keys };
  expect(settingsOf(other)).toEqual({
    s3: { endpoint: 'http://minio:9000', region: 'us-east-1', bucket: 'hands', prefix: 'a/b', ...account },
  });
});

test.each([
  [{ ARCHIVE_URL: '/srv/hands' }, 'ARCHIVE_URL must begin with file:// or s3://'],
  [{ ARCHIVE_URL: 's3://hands' }, 'ARCHIVE_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
  [{ ARCHIVE_URL: 's3://hands', AWS_ENDPOINT_URL: 'minio:9000', ...keys }, 'AWS_ENDPOINT_URL'],
])('refuses %o', (env, problem) => {
  expect(() => settingsOf(env)).toThrow(problem);
});
