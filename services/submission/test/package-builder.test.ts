import { dirname, join } from 'node:path';
import { packageLimits } from '@husky/contracts/package-archive';
import { expect, test, vi } from 'vitest';
import { createPackageBuilder } from '../src/programs/package-builder.ts';
import { createProgram } from './test-program.ts';

test.each([
  ['KILL', { code: 'UNAVAILABLE', reason: 'packages-interrupted', retryAfterS: 30 }],
  ['ABRT', { code: 'UNAVAILABLE', reason: 'packages-interrupted', retryAfterS: 30 }],
  ['XCPU', { code: 'FAILED_PRECONDITION', reason: 'package-unresolvable' }],
])('a resolver that ends with SIG%s', async (signal, refusal) => {
  const uv = createProgram(`kill -${signal} $$`);
  const builder = createPackageBuilder({
    python: 'python3',
    uv,
    indexUrl: undefined,
    runnerPython: '3.11',
    platform: 'x86_64-manylinux_2_28',
    workDir: join(dirname(uv), 'work'),
    timeoutMs: 30_000,
    environment: { PATH: process.env.PATH ?? '' },
    limits: { ...packageLimits, bytes: 1024 * 1024, entries: 100 },
    onLeft: (error) => expect.unreachable(String(error)),
  });
  const store = vi.fn();
  const built = builder.build({ lines: ['alpha'], hash: 'a'.repeat(64) }, async () => undefined, store);
  await expect(built).rejects.toMatchObject(refusal);
  expect(store).not.toHaveBeenCalled();
});
