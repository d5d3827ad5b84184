import { expect, test } from 'vitest';
import { parseRequirements, refuseStandardModules } from './requirements.ts';

test('accepts names with version specifiers, comments and blank lines', () => {
  const { lines } = parseRequirements(
    '# tools\n\nNumPy >=1.26, <3  # arrays\neval7==0.1.*\r\nsome_Package\nsome-package\n',
  );
  expect(lines).toEqual(['eval7==0.1.*', 'numpy<3,>=1.26', 'some-package']);
});

test('computes equal hashes for equal requirements', () => {
  expect(parseRequirements('b\na>=1,<2\n').hash).toBe(parseRequirements('# c\nA <2, >=1\n\nB').hash);
  expect(parseRequirements('a').hash).not.toBe(parseRequirements('a<2').hash);
});

test('returns no requirements for an empty file', () => {
  expect(parseRequirements('').lines).toEqual([]);
  expect(parseRequirements('\n# nothing\n').hash).toBe(parseRequirements('').hash);
});

test.each([
  ['numpy\n--index-url https://example.org/simple', 'Line 2 of requirements.txt is an option'],
  ['-e .', 'Line 1 of requirements.txt is an option'],
  ['-r other.txt', 'is an option'],
  ['numpy --hash=sha256:00', 'is not a package name'],
  ['https://example.org/a.whl', 'is a link'],
  ['git+https://example.org/a', 'is a link'],
  ['a @ https://example.org/a.whl', 'is a link'],
  ['a @ file:///tmp/a.whl', 'is a link'],
  ['./a.whl', 'is a path'],
  ['../a', 'is a path'],
  ['a.whl', 'is a path'],
  ['a; python_version < "3.9"', 'has an environment marker'],
  ['a[extra]', 'asks for extras'],
  ['a = 1', 'is not a package name'],
  ['a==', 'is not a package name'],
  ['a 1', 'is not a package name'],
  ['a \\', 'is a path'],
  ['==1', 'is not a package name'],
  ['$(id)', 'is not a package name'],
])('refuses %j with the number of the line', (text, problem) => {
  expect(() => parseRequirements(text)).toThrow(problem);
});

test('refuses more than 50 packages', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`).join('\n');
  expect(parseRequirements(names(50)).lines).toHaveLength(50);
  expect(() => parseRequirements(names(51))).toThrow('requirements.txt names more than 50 packages.');
});

test.each([
  ['random', 1, 'random'],
  ['numpy\n# tools\nitertools>=1.0', 3, 'itertools'],
  ['Collections', 1, 'Collections'],
  ['os.path', 1, 'os.path'],
  ['concurrent.futures', 1, 'concurrent.futures'],
  ['typing', 1, 'typing'],
])('refuses %j, which names a standard module', (text, line, name) => {
  expect(() => refuseStandardModules(text)).toThrow(
    `Line ${line} of requirements.txt names ${name}, which is part of Python's standard library: it is there without being named. Remove the line.`,
  );
});

test('accepts packages whose names only start like a standard module, and bots stored earlier', () => {
  refuseStandardModules('typing-extensions\nemail-validator\ndataclasses_json\nrandom2\nnumpy\n');
  expect(parseRequirements('dataclasses\n').lines).toEqual(['dataclasses']);
});
