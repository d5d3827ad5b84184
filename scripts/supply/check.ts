// Checks what the project installs: exact versions, hashes and licences (part of `make test`).
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inexactVersions, lockProblems, pythonLockProblems } from './rules.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const json = (path: string) => JSON.parse(read(path));

const manifests = ['package.json', ...globSync('{gateway,web,services/*,services/lib/*}/package.json', { cwd: root })];
const problems = [
  ...manifests.flatMap((path) => inexactVersions(json(path)).map((problem) => `${path}: ${problem}`)),
  ...lockProblems(json('package-lock.json').packages).map((problem) => `package-lock.json: ${problem}`),
  ...readdirSync(join(root, 'scripts/python'))
    .filter((name) => name.endsWith('.in'))
    .flatMap((name) => {
      const lock = `scripts/python/${name.replace('.in', '.txt')}`;
      return pythonLockProblems(read(`scripts/python/${name}`), read(lock)).map((problem) => `${lock}: ${problem}`);
    }),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
