// Runs a program that prints figures as a BenchRun: framed.ts 'Section of the recorded figures' PROGRAM ARGUMENT…
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { BenchRun } from './bench-run.ts';

const [heading, program, ...args] = process.argv.slice(2);
if (heading === undefined || program === undefined) throw new Error('usage: framed.ts SECTION PROGRAM ARGUMENT…');
const run = await BenchRun.start(heading);
const child = spawn(program, args, { stdio: ['inherit', 'pipe', 'inherit'] });
let output = '';
child.stdout.setEncoding('utf8').on('data', (part: string) => {
  process.stdout.write(part);
  output += part;
});
const [code] = (await once(child, 'close')) as [number | null];
process.exitCode = code ?? 1;
if (code === 0) await run.finish(`\`\`\`\n${output.trim()}\n\`\`\``, { printed: true });
