import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findProgram } from './processors.ts';
import { runnerPrograms } from './runner-programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'runner-programs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { PATH = '' } = process.env;

test('gives services precedence over dealers and seats', () => {
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, 'seat/husky_seat'), { recursive: true });
  writeFileSync(join(folder, 'src/main.ts'), "import { getPriority } from 'node:os'; console.log(getPriority());\n");
  writeFileSync(join(folder, 'seat/husky_seat/__main__.py'), 'import os\nprint(os.nice(0))\n');
  const programs = runnerPrograms({
    runnerFolder: folder,
    node: process.execPath,
    python: 'python3',
    taskset: findProgram('taskset', PATH),
    path: PATH,
    addresses: { simulation: '', submission: '', liveData: '' },
    runnerKeyFile: '',
    logLevel: 'info',
    passedOn: {},
    dealerVariables: {},
    allowStrangers: false,
  });
  const place = { name: 'runner-1', number: 1, folder, runDir: folder, cpu: 0 };
  for (const { command, args, cwd, env } of [programs.dealer(place), programs.seats(place)]) {
    const { stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
    expect(stdout, stderr).toBe(`${Math.min(19, getPriority() + 5)}\n`);
  }
});
