import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { servePackages } from '../kube/package-index.ts';
import { type AttackCase, fileOf, runPython } from './case-files.ts';

export interface WheelIndex {
  readonly url: string;
  stop(): void;
}

/** Builds the wheels of the cases that have a wheel.py. */
export function buildWheels(cases: readonly AttackCase[], folder: string): void {
  for (const attack of cases) {
    const program = fileOf(attack, 'wheel.py');
    if (program !== undefined) runPython(program, folder);
  }
}

/** Builds the wheels of all cases and serves them as a package index on this machine. */
export async function serveWheels(cases: readonly AttackCase[], host = '127.0.0.1'): Promise<WheelIndex> {
  const folder = mkdtempSync(join(tmpdir(), 'husky-wheels-'));
  buildWheels(cases, folder);
  const port = await freePort();
  const server = await servePackages([folder], host, port);
  return {
    url: `http://${host}:${port}/simple/`,
    stop() {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
