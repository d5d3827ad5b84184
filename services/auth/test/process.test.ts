import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@husky/testkit/free-port';
import { type TestDatabase, testDatabase, testIdentities, testNats } from '@husky/testkit/servers';
import { afterEach, expect, test, vi } from 'vitest';

const main = join(import.meta.dirname, '../src/main.ts');
let child: ChildProcess | undefined;
let database: TestDatabase | undefined;
afterEach(async () => {
  child?.kill('SIGKILL');
  await database?.drop();
});

test('starts by its variables alone, becomes ready and stops cleanly when told', async () => {
  database = await testDatabase('auth');
  const nats = testNats('auth');
  const opsAddress = `127.0.0.1:${await freePort()}`;
  child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      GRPC_ADDRESS: '127.0.0.1:0',
      OPS_ADDRESS: opsAddress,
      IDENTITY_KEY_FILE: testIdentities().keyFile('auth'),
      IDENTITY_TRUST_FILE: testIdentities().trustFile,
      DATABASE_URL: database.url,
      DATABASE_PASSWORD_FILE: database.passwordFile,
      NATS_URL: nats.url,
      NATS_USER: nats.user,
      NATS_PASSWORD_FILE: nats.passwordFile,
      PUBLIC_URL: 'http://husky.test',
      MAIL_OUTBOX_DIR: mkdtempSync(join(tmpdir(), 'husky-mail-')),
    },
  });
  const ended = once(child, 'exit');
  const ready = async () => (await fetch(`http://${opsAddress}/readyz`)).status;
  await vi.waitFor(async () => expect(await ready()).toBe(200), { timeout: 20_000, interval: 100 });
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
