import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes a program that runs a shell command, and returns its path. */
export function createProgram(command: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'husky-program-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'program');
  writeFileSync(path, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  return path;
}
