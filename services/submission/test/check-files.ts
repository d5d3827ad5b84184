import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');
const program = `
import base64, json, sys
sys.path[:0] = sys.argv[1:3]
from check import result_of
kind = sys.argv[3]
arguments = ["3.11", *sys.argv[4:]] if kind == "player" else ["3.11", "x86_64-manylinux_2_28", sys.argv[2]]
json.dump([result_of(kind, base64.b64decode(file), arguments) for file in json.load(sys.stdin)], sys.stdout)
`;

/** Checks files with the code of checker/check.py in one process, without its limits of time and memory. `packages`: names, for player.py. */
export function checkFiles(
  kind: 'player' | 'requirements',
  files: readonly (string | Buffer)[],
  packages: readonly string[] = [],
) {
  const folders = [join(root, 'services/submission/checker'), join(root, '.tools/checker')];
  const results = execFileSync('python3', ['-I', '-S', '-W', 'ignore', '-c', program, ...folders, kind, ...packages], {
    input: JSON.stringify(files.map((file) => Buffer.from(file).toString('base64'))),
    encoding: 'utf8',
  });
  return JSON.parse(results) as { problem?: string; line?: number | null; lines?: string[]; warnings?: string[] }[];
}
