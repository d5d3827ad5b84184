import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { installPackages } from '../../python/packages.ts';
import { findPython } from '../../up/preflight.ts';

/** The Python of the scripts in docs, which need numpy and pyarrow. */
export const python = findPython(process.env.PYTHON);

/** Runs a script of docs. Returns its status and what it printed. */
export async function runDocsScript(name: string, source: string): Promise<{ status: number; text: string }> {
  const env = { ...process.env, PYTHONPATH: await installPackages('exports', python) };
  const script = join(import.meta.dirname, '../../../docs', name);
  return await new Promise((resolve) => {
    execFile(python.path, ['-B', script, source], { env }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), text: stdout + stderr }),
    );
  });
}
