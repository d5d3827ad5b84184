import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { vitest } from './test-commands.ts';

let folder: string;
let config: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'husky-suite-'));
  config = join(folder, 'vitest.config.js');
  mkdirSync(join(folder, 'made'));
  writeFileSync(config, 'export default { test: { globals: true, include: ["*.test.js"], maxWorkers: 1 } };');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a test file. `MADE(name)` in its code creates a file and returns whether it was there before. */
function write(name: string, code: string): void {
  const head = `import { existsSync, writeFileSync } from 'node:fs';
    const MADE = (name) => { const path = ${JSON.stringify(folder)} + '/made/' + name; const there = existsSync(path); writeFileSync(path, ''); return there; };`;
  writeFileSync(join(folder, name), `${head}\n${code}`);
}
const run = (repeat: boolean) => vitest(() => undefined, config, repeat, '--root', folder);

test('names what fails, with the first line of its error, and repeats nothing unless asked', async () => {
  write('a.test.js', `test('adds', () => expect(1).toBe(1)); test.skip('later', () => undefined);`);
  write('b.test.js', `test('fails once', () => { if (!MADE('b')) throw new Error('broken\\nin detail'); });`);
  expect(await run(false)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 1,
    remarks: ['failed: b.test.js > fails once: broken'],
  });
});

test('repeats the whole file of a failed test, and names what passes then as flaky', async () => {
  // The second test needs what the file's set-up makes; a repeat in place would find the first run's.
  write(
    'c.test.js',
    `const before = MADE('c'); let uses = 0;
     test('passes twice', () => undefined);
     test('uses its set-up up', () => { uses += 1; expect(uses).toBe(1); if (!before) throw new Error('late'); });`,
  );
  write('d.test.js', `test('never passes', () => { throw new Error('no'); });`);
  expect(await run(true)).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
    remarks: ['flaky: c.test.js > uses its set-up up: late', 'failed: d.test.js > never passes: no'],
  });
});

test('repeats a file that could not be loaded and one whose hook failed', async () => {
  write('e.test.js', `if (!MADE('e')) throw new Error('not ready'); test('works', () => undefined);`);
  write('f.test.js', `beforeAll(() => { if (!MADE('f')) throw new Error('away'); }); test('works', () => undefined);`);
  expect(await run(true)).toEqual({
    passed: 2,
    failed: 0,
    skipped: 0,
    remarks: expect.arrayContaining(['flaky: e.test.js: not ready', 'flaky: f.test.js: away']),
  });
});

test('counts an error that belongs to no test', async () => {
  write(
    'g.test.js',
    `test('passes', async () => { setTimeout(() => { throw new Error('afterwards'); }, 0); await new Promise((done) => setTimeout(done, 50)); });`,
  );
  expect(await run(true)).toMatchObject({ passed: 1, failed: 1, remarks: ['failed: outside of a test: afterwards'] });
});
