import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
const rendered = readFileSync(join(import.meta.dirname, 'base/husky-holdem.yaml'), 'utf8');

/** Returns the chart's script that starts PostgreSQL, with the data in this folder. */
function readStartScript(folder: string): string {
  const block = /^ {2}start\.sh: \|\n((?: {4}.*\n|\n)+)/m.exec(rendered)?.[1];
  if (block === undefined) throw new Error('k8s/base has no script that starts PostgreSQL');
  return block.replaceAll(/^ {4}/gm, '').replaceAll('/var/lib/husky-postgres', folder);
}

test('a second PostgreSQL on the same volume waits until all processes of the first have ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'husky-start-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  const writeProgram = (name: string, text: string) => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  writeProgram('initdb', 'mkdir -p "$2" && touch "$2/PG_VERSION"');
  // A session process that runs longer than the server that started it.
  writeProgram('postgres', `echo began >>${folder}/log; (sleep 0.5; echo ended >>${folder}/log) & exit 0`);
  const script = join(folder, 'start.sh');
  writeFileSync(script, readStartScript(folder));
  const env = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
  await Promise.all([run('sh', [script], { env }), run('sh', [script], { env })]);
  expect(readFileSync(join(folder, 'log'), 'utf8').trim().split('\n')).toEqual(['began', 'ended', 'began', 'ended']);
});
