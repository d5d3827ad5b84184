import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { s3Store } from '@husky/testkit/s3-store';
import { expect, onTestFinished, test } from 'vitest';
import { fileBucket } from './base-bucket.ts';

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

test('a file that needs several parts is stored and read back whole; a key without an object is an error with its name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'husky-parts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = await s3Store({ acceptsAnySignature: true });
  onTestFinished(() => store.stop());
  const bucket = fileBucket(store.settings);
  const [file, copy] = [join(folder, 'file'), join(folder, 'copy')];
  writeFileSync(file, 'start');
  const bytes = (130 << 20) + 5;
  truncateSync(file, bytes);
  await bucket.upload('1/base/one/base.tar.zst', file);
  expect(await bucket.list('1/')).toEqual(new Map([['1/base/one/base.tar.zst', bytes]]));
  await bucket.download('1/base/one/base.tar.zst', copy);
  expect(await sha256Of(copy)).toBe(await sha256Of(file));
  await bucket.delete('1/base/one/base.tar.zst');
  expect(await bucket.list('')).toEqual(new Map());
  await expect(bucket.read('1/base/one/backup_manifest')).rejects.toThrow(
    'GET 1/base/one/backup_manifest: 404 NoSuchKey',
  );
}, 60_000);
