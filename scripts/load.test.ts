import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('explains in one sentence how to install k6 if it is missing', () => {
  const env = { PATH: '/nowhere', XDG_CACHE_HOME: '/nowhere' };
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '../k8s/load/main.ts')], { env });
  expect([status, stderr.toString()]).toEqual([
    1,
    'k6 is not on PATH nor in /nowhere/husky-holdem/bin: run k8s/cluster/build.sh (it needs Go), or install k6 from grafana.com/docs/k6\n',
  ]);
});
