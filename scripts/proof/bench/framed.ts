// Runs a program that prints figures as a bench: framed.ts PROGRAM ARGUMENT…
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startBench } from './bench-run.ts';

const [program, ...args] = process.argv.slice(2);
if (program === undefined) throw new Error('usage: framed.ts PROGRAM ARGUMENT…');
const finish = await startBench();
const [code] = (await once(spawn(program, args, { stdio: 'inherit' }), 'close')) as [number | null];
process.exitCode = code ?? 1;
if (code === 0) await finish();
