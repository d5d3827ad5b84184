import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { SupervisedProcess } from '@husky/runtime/process/supervised-process';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { findProgram, parseCpuList } from './create-fleet.ts';
import { runnerPrograms } from './runner-programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'runner-programs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { PATH = '' } = process.env;

test('gives services precedence over dealers and seats', async () => {
  mkdirSync(join(folder, 'seat/husky_seat'), { recursive: true });
  writeFileSync(join(folder, 'dealer.ts'), "import { getPriority } from 'node:os'; console.log(getPriority());\n");
  writeFileSync(join(folder, 'seat/husky_seat/__main__.py'), 'import os\nprint(os.nice(0))\n');
  const programs = runnerPrograms({
    dealer: join(folder, 'dealer.ts'),
    seatFolder: join(folder, 'seat'),
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
  const parameters = { name: 'runner-1', number: 1, folder, runDir: folder, cpu: 0 };
  for (const program of [programs.dealer(parameters), programs.seats(parameters)]) {
    const printed = await new Promise<string>((resolve) => {
      const supervised = new SupervisedProcess({ label: 'runner', program, onLine: resolve, onLoss: resolve });
      supervised.start();
      onTestFinished(() => supervised.stop(1000));
    });
    expect(printed).toBe(String(Math.min(19, getPriority() + 5)));
  }
});

test('parses ranges and single cores', () => {
  expect(parseCpuList('0-2,5,7-8\n')).toEqual([0, 1, 2, 5, 7, 8]);
  expect(parseCpuList('')).toEqual([]);
});

test('finds a program in PATH, or returns undefined', () => {
  expect(findProgram('sh', '/nonexistent:/bin')).toBe('/bin/sh');
  expect(findProgram('no-such-program', '/bin')).toBeUndefined();
});
