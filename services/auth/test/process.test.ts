import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceProcess, startService } from '@husky/testkit/service-process';
import { afterEach, expect, test } from 'vitest';

let service: ServiceProcess | undefined;
afterEach(() => service?.stop());

test('starts with its variables only, becomes ready and shuts down gracefully', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'husky-mail-'));
  service = await startService('auth', { PUBLIC_URL: 'http://husky.test', MAIL_OUTBOX_DIR: folder });
  expect(await service.end()).toEqual([0, null]);
}, 60_000);
