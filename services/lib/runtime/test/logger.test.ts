import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createCauseLog } from '../src/process/cause-log.ts';
import { createLogger } from '../src/process/logger.ts';

/** Runs a script that has a logger `log`. Resolves with its exit code and its output. */
function runLogging(script: string): Promise<{ code: unknown; stdout: string }> {
  const module = join(import.meta.dirname, '../src/process/logger.ts');
  const code = `import fs from 'node:fs';
    import { createLogger } from ${JSON.stringify(module)};
    const log = createLogger('test');
    ${script}`;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', code], { maxBuffer: 2 ** 25 }, (error, stdout) =>
      resolve({ code: error?.code ?? 0, stdout }),
    );
  });
}

test('logs a JSON object per line, without secrets', async () => {
  const { code, stdout } = await runLogging("log.info({ password: 'abc', user: 'ann' }, 'signed in');");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    level: 'info',
    service: 'test',
    msg: 'signed in',
    user: 'ann',
    password: '[cut]',
  });
});

test('a line that cannot be written is written with the next one', async () => {
  const { code, stdout } = await runLogging(`
    const write = fs.write;
    fs.write = (...args) => {
      fs.write = write;
      setImmediate(args.at(-1), Object.assign(new Error('ENOBUFS: no buffer space available, write'), { code: 'ENOBUFS' }));
    };
    log.info('one');
    setTimeout(() => log.info('two'), 50);`);
  expect(code).toBe(0);
  const messages = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  expect(messages).toEqual(['one', 'two']);
});

test('drops lines beyond 4 MiB while nobody reads stdout, and writes the others later', async () => {
  const { code, stdout } = await runLogging(`
    const { write } = fs;
    const held = [];
    fs.write = (...args) => held.push(args);
    for (let line = 0; line < 10_000; line++) log.info('x'.repeat(1000));
    setTimeout(() => {
      fs.write = write;
      for (const args of held) fs.write(...args);
    }, 50);`);
  expect(code).toBe(0);
  expect(stdout.length).toBeGreaterThan(3.9 * 2 ** 20);
  expect(stdout.length).toBeLessThan(4.1 * 2 ** 20);
});

test('logs the first problem of a cause, and how many more there were, once a minute', () => {
  vi.useFakeTimers();
  const log = createLogger('test', 'silent');
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => undefined);
  const logCause = createCauseLog(log);
  for (let number = 0; number < 500; number++) logCause('warn', 'auth is away', {}, `GET /${number}: auth is away`);
  logCause('warn', 'no space', {}, 'PUT /1: no space');
  vi.advanceTimersByTime(60_000);
  logCause('warn', 'auth is away', {}, 'GET /next: auth is away');
  vi.advanceTimersByTime(600_000);
  logCause('warn', 'auth is away', {}, 'GET /later: auth is away');
  for (let number = 0; number < 300; number++) logCause('warn', `cause ${number}`, {}, `cause ${number}`);
  const lines = warn.mock.calls.map((call) => call.at(-1) as unknown as string);
  expect(lines.slice(0, 5)).toEqual([
    'GET /0: auth is away',
    'PUT /1: no space',
    '499 more within 60 s: auth is away',
    '1 more within 60 s: auth is away',
    'GET /later: auth is away',
  ]);
  expect(lines.length).toBeLessThanOrEqual(5 + 100);
  vi.useRealTimers();
});
