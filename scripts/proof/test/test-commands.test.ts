import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findOptional, MissingProgram } from './optional-program.ts';
import { vitest } from './test-commands.ts';

let folder: string;
let config: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'husky-suite-'));
  config = join(folder, 'vitest.config.js');
  mkdirSync(join(folder, 'marks'));
  writeFileSync(config, 'export default { test: { globals: true, include: ["*.test.js"], maxWorkers: 1 } };');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a test file. `mark(name)` in its code creates a file and returns whether it existed before. */
function write(name: string, code: string): void {
  const head = `import { existsSync, writeFileSync } from 'node:fs';
    const mark = (name) => { const path = ${JSON.stringify(folder)} + '/marks/' + name; const existed = existsSync(path); writeFileSync(path, ''); return existed; };`;
  writeFileSync(join(folder, name), `${head}\n${code}`);
}
const run = (repeat: boolean) => vitest(() => undefined, config, repeat, '--root', folder);

test('reports failed tests with the first line of their errors, and repeats none without `repeat`', async () => {
  write('a.test.js', `test('adds', () => expect(1).toBe(1)); test.skip('later', () => undefined);`);
  write('b.test.js', `test('fails once', () => { if (!mark('b')) throw new Error('broken\\nin detail'); });`);
  expect(await run(false)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 1,
    remarks: ['failed: b.test.js > fails once: broken'],
  });
});

test('repeats the file of a failed test, and reports tests that then pass as flaky', async () => {
  // The second test passes once per load of the file, so repeating only this test would fail.
  write(
    'c.test.js',
    `const before = mark('c'); let uses = 0;
     test('passes twice', () => undefined);
     test('uses a counter once', () => { uses += 1; expect(uses).toBe(1); if (!before) throw new Error('late'); });`,
  );
  write('d.test.js', `test('never passes', () => { throw new Error('no'); });`);
  expect(await run(true)).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
    remarks: ['flaky: c.test.js > uses a counter once: late', 'failed: d.test.js > never passes: no'],
  });
});

test('repeats a file that could not be loaded and a file whose hook failed', async () => {
  write('e.test.js', `if (!mark('e')) throw new Error('not ready'); test('works', () => undefined);`);
  write(
    'f.test.js',
    `beforeAll(() => { if (!mark('f')) throw new Error('unavailable'); }); test('works', () => undefined);`,
  );
  expect(await run(true)).toEqual({
    passed: 2,
    failed: 0,
    skipped: 0,
    remarks: expect.arrayContaining(['flaky: e.test.js: not ready', 'flaky: f.test.js: unavailable']),
  });
});

test('counts an error outside of all tests as a failure', async () => {
  write(
    'g.test.js',
    `test('passes', async () => { setTimeout(() => { throw new Error('afterwards'); }, 0); await new Promise((done) => setTimeout(done, 50)); });`,
  );
  expect(await run(true)).toMatchObject({ passed: 1, failed: 1, remarks: ['failed: outside of a test: afterwards'] });
});

const missing = (): string => {
  throw new MissingProgram('promtool is missing: install it first');
};

test('without a program the tests that need it are skipped, but not where it is required', () => {
  expect(findOptional(() => '/usr/bin/promtool', 'REQUIRE_PROMTOOL', {})).toBe('/usr/bin/promtool');
  expect(findOptional(missing, 'REQUIRE_PROMTOOL', {})).toBeUndefined();
  expect(() => findOptional(missing, 'REQUIRE_PROMTOOL', { REQUIRE_PROMTOOL: '1' })).toThrow('install it first');
});

test('another error is never taken for a missing program', () => {
  const broken = () => {
    throw new Error('the disk is full');
  };
  expect(() => findOptional(broken, 'REQUIRE_PROMTOOL', {})).toThrow('the disk is full');
});
