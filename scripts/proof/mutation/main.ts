// `make mutation`: creates many small changes of a module's code (mutants) with Stryker and runs the module's tests against each. Fails if they
// kill fewer than 90 %. Takes tens of minutes, so it is not part of `make test` or CI. Separated by commas: MODULES (holdem, match, play, domain;
// default all), FILES such as `table.ts,hand.ts` (default all). CONCURRENCY (1): mutants that are tested at the same time.
// Stryker (stryker.json) works in a copy below `.mutation/`, where it keeps earlier results: a mutant is tested again only if it or a test
// that covers it has changed. Static mutants, of constants computed when a module is loaded, are skipped: each needs all tests.
// For a surviving mutant, add a test of a rule of poker, records or jobs, or delete the code that no test needs. Mutants that do not change
// the behaviour are accepted. Scores: docs/performance.md.
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
