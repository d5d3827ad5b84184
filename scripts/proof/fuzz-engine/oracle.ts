// Sends hands to the oracles in Python and collects their reports.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A Python interpreter with the packages of scripts/python/peers.txt. */
export interface OraclePython {
  readonly path: string;
  readonly packages: string;
}

/**
 * Runs an oracle with an input and passes each parsed line of its output to `onLine`. Sends no more input once `isStopped` returns
 * true. Throws the oracle's error output if it fails.
 */
export async function runOracle(
  python: OraclePython,
  script: string,
  input: Iterable<string | Buffer>,
  onLine: (line: Record<string, unknown>) => void,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const child = spawn(python.path, [join(import.meta.dirname, script)], {
    env: { ...process.env, PYTHONPATH: python.packages, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4000);
  });
  const exit = once(child, 'close') as Promise<[number | null]>;
  createInterface({ input: child.stdout }).on('line', (line) => onLine(JSON.parse(line) as Record<string, unknown>));
  function* untilStopped(): Generator<string | Buffer> {
    for (const part of input) {
      if (isStopped()) return;
      yield part;
    }
  }
  try {
    await pipeline(Readable.from(untilStopped()), child.stdin);
  } catch (error) {
    // A process that has ended closes its input. Its exit code and error output, reported below, have the reason.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') {
      child.kill();
      throw error;
    }
  }
  const [code] = await exit;
  if (code !== 0) throw new Error(`${script} ended with code ${code}: ${errors.trim()}`);
}
