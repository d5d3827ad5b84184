// Checks versions, hashes and licences of the packages that the project installs (part of `make test`).
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findInexactVersions, findLockProblems, findPythonLockProblems } from './rules.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readJson = (path: string) => JSON.parse(read(path));

const manifests = ['package.json', ...globSync('{gateway,web,services/*,services/lib/*}/package.json', { cwd: root })];
const sections = read('scripts/python/packages.ini').split('\n[').slice(1);
const problems = [
  ...manifests.flatMap((path) => findInexactVersions(readJson(path)).map((problem) => `${path}: ${problem}`)),
  ...findLockProblems(readJson('package-lock.json').packages, readJson('package.json').overrides).map(
    (problem) => `package-lock.json: ${problem}`,
  ),
  ...sections.flatMap((section) => {
    const [name = '', requirements = ''] = section.split(/\][^\n]*\n(.*)/s);
    const lock = `scripts/python/${name}.txt`;
    return findPythonLockProblems(requirements, read(lock)).map((problem) => `${lock}: ${problem}`);
  }),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
