// Builds the web app, and the source archive and the local kit for its downloads. Builds each only if a source is newer than the last build.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { publishKit } from '../services/kit/build.ts';
import { writeSourceArchive } from './source-archive/archive.ts';

const root = join(import.meta.dirname, '..');
const built = join(root, 'web/dist/index.html');
const sources = [
  'web/src/**/*',
  'web/public/**/*',
  'web/*.{ts,json,html}',
  'docs/{bots,fairness,methodology}.md',
  'docs/verify_{match,batch}.py',
  'services/lib/holdem/src/*.ts',
]
  .concat('services/runner/bots/*/player.py', 'package-lock.json')
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .map((file) => statSync(join(root, file)).mtimeMs);

if (!existsSync(built) || statSync(built).mtimeMs < Math.max(...sources)) {
  process.stdout.write('building the web app ...\n');
  const bin = join(root, 'node_modules/.bin');
  execFileSync('npm', ['run', '--silent', 'build', '-w', 'web'], {
    cwd: root,
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

writeSourceArchive(root, join(root, 'web/dist/source'));
await publishKit(join(root, 'web/dist/kit'));
