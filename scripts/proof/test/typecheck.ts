// Checks the types of all projects with TypeScript 7. TypeScript 5 is installed too, but only openapi-typescript uses its API.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
let failed = false;
for (const project of ['tsconfig.json', 'web/tsconfig.json', 'web/e2e/tsconfig.json']) {
  if (!existsSync(join(root, project))) continue;
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { cwd: root, stdio: 'inherit' });
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;
