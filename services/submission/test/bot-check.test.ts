import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createBotCheck } from '../src/programs/bot-check.ts';

/** Returns a program that is run instead of Python. */
function createProgram(command: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'husky-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'python');
  writeFileSync(path, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  return path;
}

test('a check that is not finished in time is a fault of the server; one killed by its own limits is a fault of the file', async () => {
  const player = Buffer.from('pass');
  const tooSlow = createBotCheck(createProgram('sleep 60'), {}, 200);
  await expect(tooSlow(player)).rejects.toMatchObject({ code: 'UNAVAILABLE', reason: 'check-timed-out' });
  const tooComplex = createBotCheck(createProgram('kill -XCPU $$'), {});
  await expect(tooComplex(player)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'bot-invalid' });
});
