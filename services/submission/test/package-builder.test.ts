import { dirname, join } from 'node:path';
import { packageLimits } from '@husky/contracts/package-archive';
import { expect, test, vi } from 'vitest';
import { createPackageBuilder } from '../src/programs/package-builder.ts';
import { createProgram } from './test-program.ts';

const programs: [string, string, object][] = [
  ['with SIGKILL', 'kill -KILL $$', { code: 'UNAVAILABLE', reason: 'packages-interrupted', retryAfterS: 30 }],
  ['with SIGABRT', 'kill -ABRT $$', { code: 'UNAVAILABLE', reason: 'packages-interrupted', retryAfterS: 30 }],
  ['with SIGXCPU', 'kill -XCPU $$', { code: 'FAILED_PRECONDITION', reason: 'package-unresolvable' }],
  ['after its time limit', 'sleep 60', { code: 'UNAVAILABLE', reason: 'packages-timed-out', retryAfterS: 30 }],
];

test.each(programs)('a resolver that ends %s', async (_, command, refusal) => {
  const uv = createProgram(command);
  const builder = createPackageBuilder({
    python: 'python3',
    uv,
    indexUrl: undefined,
    runnerPython: '3.11',
    platform: 'x86_64-manylinux_2_28',
    workDir: join(dirname(uv), 'work'),
    timeoutMs: command.startsWith('sleep') ? 300 : 30_000,
    environment: { PATH: process.env.PATH ?? '' },
    limits: { ...packageLimits, bytes: 1024 * 1024, entries: 100 },
    onLeft: (error) => expect.unreachable(String(error)),
  });
  const store = vi.fn();
  const built = builder.build({ lines: ['alpha'], hash: 'a'.repeat(64) }, async () => undefined, store);
  await expect(built).rejects.toMatchObject(refusal);
  expect(store).not.toHaveBeenCalled();
});
