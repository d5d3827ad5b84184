import { expect, test } from 'vitest';
import { findInexactVersions, findLockProblems, findPythonLockProblems, isAllowed } from './rules.ts';

test('accepts exact versions and reports ranges', () => {
  expect(
    findInexactVersions({ dependencies: { koa: '3.3.0', '@husky/match': '*', 'ts-7': 'npm:typescript@7.0.2' } }),
  ).toEqual([]);
  expect(findInexactVersions({ dependencies: { koa: '^3.3.0' }, devDependencies: { vite: 'latest' } })).toEqual([
    'koa is ^3.3.0, not an exact version',
    'vite is latest, not an exact version',
  ]);
});

test('reports locked packages without a hash, without a licence or with a licence that is not allowed', () => {
  const problems = findLockProblems({
    'node_modules/good': { integrity: 'sha512-x', license: 'MIT' },
    'node_modules/unhashed': { license: 'MIT' },
    'node_modules/unlicensed': { integrity: 'sha512-x' },
    'node_modules/a/node_modules/refused': { integrity: 'sha512-x', license: 'AGPL-3.0' },
    'node_modules/@husky/match': { link: true },
    'services/auth': {},
  });
  expect(problems).toEqual([
    'unhashed has no integrity',
    'unlicensed has no licence',
    'a/node_modules/refused has the licence AGPL-3.0, which is not allowed',
  ]);
});

test('reports a package that needs a tag of another one, which overrides fix', () => {
  const dependencies = {
    tagged: 'latest',
    fixed: 'next',
    ranged: '^1.0.0',
    any: '*',
    alias: 'npm:other@1.0.0',
    x: '1.x || >=2',
  };
  const lock = { 'node_modules/a': { integrity: 'sha512-x', license: 'MIT', dependencies } };
  expect(findLockProblems(lock, { fixed: '1.0.0' })).toEqual([
    'a needs tagged@latest: npm sbom cannot check a tag, so add tagged to overrides in package.json',
  ]);
});

test('allows a licence expression if one of its alternatives is allowed', () => {
  expect(isAllowed('(MIT OR GPL-3.0)')).toBe(true);
  expect(isAllowed('MIT and ISC')).toBe(true);
  expect(isAllowed('MIT AND GPL-3.0')).toBe(false);
});

test('reports Python requirements without a hash and requirements that are not locked', () => {
  const locked = '# made by a tool\nuv==0.1.0 \\\n    --hash=sha256:00\nsix==1.0.0\n';
  expect(findPythonLockProblems('uv==0.1.0\nnumpy\n', locked)).toEqual([
    'six==1.0.0 has no exact version with a hash',
    'numpy is not locked: run make lock-python',
  ]);
});
