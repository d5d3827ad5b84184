// Checks the types of everything with TypeScript 7 (the TypeScript 5 beside it serves openapi-typescript's API only).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
let failed = false;
for (const project of ['tsconfig.json', 'web/tsconfig.json', 'web/e2e/tsconfig.json']) {
  if (!existsSync(join(root, project))) continue;
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { cwd: root, stdio: 'inherit' });
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;
