import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { servePackages } from '../../k8s/e2e/package-index.ts';
import { findPython } from '../../services/runner/bench/local-host.ts';
import type { AttackCase } from './case-files.ts';

export interface WheelIndex {
  readonly url: string;
  stop(): void;
}

/** Builds the wheels of all cases that have a wheel.py and serves them as a package index on this machine. */
export async function serveWheels(cases: readonly AttackCase[], host = '127.0.0.1'): Promise<WheelIndex> {
  const folder = mkdtempSync(join(tmpdir(), 'husky-wheels-'));
  for (const attack of cases) {
    const script = join(attack.folder, 'wheel.py');
    if (existsSync(script)) execFileSync(findPython(), ['-B', script, folder], { stdio: 'inherit' });
  }
  const port = await freePort();
  const server = await servePackages(folder, host, port);
  return {
    url: `http://${host}:${port}/simple/`,
    stop() {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
