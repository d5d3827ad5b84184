import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createBotCheck } from '../src/programs/bot-check.ts';
import { createProgram } from './test-program.ts';

test('a check that is not finished in time or killed by the system is a fault of the server; one killed by its own limits is a fault of the file', async () => {
  const player = Buffer.from('pass');
  const tooSlow = createBotCheck(createProgram('sleep 60'), {}, 200);
  await expect(tooSlow(player)).rejects.toMatchObject({ code: 'UNAVAILABLE', reason: 'check-timed-out' });
  const killed = createBotCheck(createProgram('kill -KILL $$'), {});
  await expect(killed(player)).rejects.toMatchObject({ code: 'UNAVAILABLE', reason: 'check-timed-out' });
  const tooComplex = createBotCheck(createProgram('kill -XCPU $$'), {});
  await expect(tooComplex(player)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'bot-invalid' });
});

test('a check that this machine has no resources to start is a fault of the server', async () => {
  // The limit is that of a shell, whose child cannot open the pipes of another program.
  const script = `
    import { createBotCheck } from ${JSON.stringify(join(import.meta.dirname, '../src/programs/bot-check.ts'))};
    import { asDomainError } from ${JSON.stringify(join(import.meta.dirname, '../../lib/runtime/src/grpc-status.ts'))};
    import { openSync } from 'node:fs';
    const check = createBotCheck('/bin/true', {});
    try { for (;;) openSync('/dev/null', 'r'); } catch {}
    const error = await check(Buffer.from('pass')).catch((failure) => failure);
    console.log(error.code, asDomainError(error, 'submission/Upload', false).code);`;
  const limited = `ulimit -n 64; exec "$0" --input-type=module -e "$1"`;
  const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, script]);
  expect(stdout.trim()).toBe('EMFILE UNAVAILABLE');
});
