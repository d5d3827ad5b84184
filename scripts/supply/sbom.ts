// `make sbom`: writes software bills of materials (CycloneDX) into dist/sbom/, with npm and cyclonedx-py. Fails if the licence of a Python
// package is not allowed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAllowed } from './rules.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'dist/sbom');
const tool = join(root, '.tools/sbom');
const lock = join(root, 'scripts/python/sbom.txt');
mkdirSync(folder, { recursive: true });

const npmArguments = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'];
const npm = spawnSync('npm', npmArguments, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
if (npm.error) throw npm.error;
if (npm.status !== 0) {
  process.stderr.write(`npm sbom has failed:\n${npm.stderr}`);
  process.exit(1);
}
writeFileSync(join(folder, 'npm.cdx.json'), npm.stdout);

const marker = join(tool, '.installed');
const required = readFileSync(lock, 'utf8');
if (!existsSync(marker) || readFileSync(marker, 'utf8') !== required) {
  const uv = join(root, '.tools/python/bin/uv');
  const run = (args: readonly string[]) => execFileSync(uv, args, { stdio: 'inherit' });
  run(['venv', '--quiet', '--clear', '--python', '>=3.11', tool]);
  const options = ['--require-hashes', '--only-binary', ':all:', '--requirement', lock];
  run(['pip', 'install', '--quiet', '--python', join(tool, 'bin/python'), ...options]);
  writeFileSync(marker, required);
}
const python = execFileSync(join(tool, 'bin/cyclonedx-py'), ['environment', join(root, '.tools/python')], {
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
});
writeFileSync(join(folder, 'python.cdx.json'), python);

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly { expression?: string; license?: { id?: string; name?: string } }[];
}
const parseComponents = (text: string) => (JSON.parse(text) as { components: Component[] }).components;
const refused = parseComponents(python).filter(({ licenses }) => {
  const names = licenses?.map(({ expression, license }) => expression ?? license?.id ?? '').filter(Boolean) ?? [];
  return names.length > 0 && !names.some(isAllowed);
});
for (const { name, version } of refused) process.stderr.write(`${name} ${version}: its licence is not allowed\n`);
process.stdout.write(
  `dist/sbom/npm.cdx.json: ${parseComponents(npm.stdout).length} packages\ndist/sbom/python.cdx.json: ${parseComponents(python).length} packages\n`,
);
process.exitCode = refused.length > 0 ? 1 : 0;
