// `make mutation`: mutates the modules of vitest.config.ts with Stryker and runs their tests. Fails if less than 90 % of the mutants are
// killed. README.md has the variables.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { modules } from './vitest.config.ts';

const root = join(import.meta.dirname, '../../..');
const names = process.env.MODULES?.split(',') ?? Object.keys(modules);
const files = process.env.FILES?.split(',') ?? ['**/*.ts'];
const failed: string[] = [];
for (const name of names) {
  const module = modules[name];
  if (module === undefined) throw new Error(`no module ${name}: ${Object.keys(modules).join(', ')}`);
  const mutate = [...files.map((file) => `${module.sources}/${file}`), `!${module.sources}/**/*.test.ts`].join(',');
  const { status } = spawnSync(
    join(root, 'node_modules/.bin/stryker'),
    [
      'run',
      'scripts/proof/mutation/stryker.json',
      '--mutate',
      mutate,
      '--concurrency',
      process.env.CONCURRENCY ?? '1',
      '--incrementalFile',
      `.mutation/${name}.json`,
      '--tempDirName',
      `.mutation/sandbox-${name}`,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, MUTATION_MODULE: name } },
  );
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) console.log(`below the threshold, or did not run: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
