import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readBotFiles } from '../src/domain/bot-files.ts';
import { createBotCheck } from '../src/programs/bot-check.ts';
import { createProgram } from './test-program.ts';

const files = (player: string, requirements = '') => readBotFiles(Buffer.from(player), Buffer.from(requirements));
const runners = { environment: {}, runnerPython: '3.11', platform: 'x86_64-manylinux_2_28' };
const checkWith = (script: string, timeoutMs?: number) =>
  createBotCheck({ ...runners, python: createProgram(script), ...(timeoutMs === undefined ? {} : { timeoutMs }) });

test('a check that is not finished in time or killed by the system is a fault of the server; one killed by its own limits is a fault of the file', async () => {
  const late = { code: 'UNAVAILABLE', reason: 'check-timed-out' };
  await expect(checkWith('sleep 60', 200).check(files('pass'))).rejects.toMatchObject(late);
  await expect(checkWith('kill -KILL $$').check(files('pass'))).rejects.toMatchObject(late);
  await expect(checkWith('kill -XCPU $$').check(files('pass'))).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    reason: 'bot-invalid',
    message: 'player.py is nested too deeply or is too complex to be checked.',
  });
  await expect(
    checkWith('kill -XCPU $$').readStored({ requirementsFile: Buffer.from('numpy'), requirementsHash: '' }),
  ).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    reason: 'requirements-invalid',
    message: 'requirements.txt is nested too deeply or is too complex to be checked.',
  });
});

test('a check that this machine has no resources to start is a fault of the server', async () => {
  // The limit is that of a shell, whose child cannot open the pipes of another program.
  const script = `
    import { createBotCheck } from ${JSON.stringify(join(import.meta.dirname, '../src/programs/bot-check.ts'))};
    import { asDomainError } from ${JSON.stringify(join(import.meta.dirname, '../../lib/runtime/src/rpc/grpc-status.ts'))};
    import { openSync } from 'node:fs';
    const { check } = createBotCheck({ ...${JSON.stringify(runners)}, python: '/bin/true' });
    try { for (;;) openSync('/dev/null', 'r'); } catch {}
    const error = await check({ player: Buffer.from('pass'), requirementsFile: Buffer.alloc(0) }).catch((failure) => failure);
    console.log(error.code, asDomainError(error, 'submission/Upload', false).code);`;
  const limited = `ulimit -n 64; exec "$0" --input-type=module -e "$1"`;
  const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, script]);
  expect(stdout.trim()).toBe('EMFILE UNAVAILABLE');
});
