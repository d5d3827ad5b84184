import { readFileSync } from 'node:fs';
import type { RunnerPrograms } from '../src/fleet/local-runner.ts';

const script = (label: string, rest = '') => `
  process.stdin.resume().on('end', () => { console.log('${label}: the lifeline ended'); process.exit(0); });
  process.on('SIGTERM', () => { console.log('${label}: SIGTERM'); setTimeout(() => process.exit(0), 50); });
  // Printed after the handlers above are installed.
  console.log('${label} is up');
  ${rest}`;

/** Returns the command lines of small processes that stand in for dealer and seat host. */
export function testPrograms(scripts: { dealer?: string; seats?: string } = {}): RunnerPrograms {
  const program = (label: string, rest: string | undefined, folder: string) => ({
    command: process.execPath,
    args: ['-e', script(label, rest)],
    cwd: folder,
    env: { WHO: label },
  });
  return {
    dealer: (parameters) => program('dealer', scripts.dealer, parameters.folder),
    seats: (parameters) => program('seats', scripts.seats, parameters.folder),
  };
}

/** Returns whether a process runs. A zombie does not. */
export function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
