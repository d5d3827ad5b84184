// Builds the kit into .kit/: the wheel and index.json, only if a source has changed. `make kit`, `make up` and the images use it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { RULES_VERSION } from '@husky/match/rules-version';

const root = join(import.meta.dirname, '../..');
const kitFolder = join(root, '.kit');
/** Folders of other parts of the repository that the wheel contains, by their path in the package. */
const shared: Readonly<Record<string, string>> = {
  'data/seat/husky_seat': 'services/runner/seat/husky_seat',
  'data/seat/api': 'services/runner/seat/api',
  // Beside the seat host, because it imports modules of it.
  'data/seat/open_seat': 'services/kit/python/open_seat',
  'data/checker': 'services/submission/checker',
};
/** Reference hands for bot frameworks: a file in the wheel, and one beside it on the site. */
const conformanceFile = 'services/runner/fixtures/conformance.json';
/** The rules of bots, parts of which are in the prompts of `husky author`. */
const botRules = 'docs/bots.md';
const sourcePatterns = [
  'services/kit/{src,python}/**/*',
  'services/kit/build.ts',
  'services/lib/{holdem,match,estimate}/src/*.ts',
  'services/runner/src/{play,host}/*.ts',
  'services/submission/src/domain/*.ts',
  'services/runner/bots/*/{player.py,requirements.txt}',
  ...Object.values(shared).map((folder) => `${folder}/**/*`),
  conformanceFile,
  botRules,
  'package.json',
  'package-lock.json',
];
const excluded = /(^|\/)(__pycache__|tests?|\.[a-z_]+_cache)(\/|$)|\.pyc$|\.test\.ts$/;
// The packer refuses times before 1980; a fixed one makes equal sources result in equal bytes.
const packedAt = '315532800';

/** The description of the wheel that a site offers; the gateway adds addresses. */
export interface KitIndex {
  readonly version: string;
  readonly rules_version: number;
  readonly protocol_version: number;
  readonly file: string;
  readonly sha256: string;
  readonly size: number;
  readonly requires_python: string;
  /** Hash of the sources from which the wheel was built. */
  readonly sources: string;
}

/** Builds the wheel unless it is up to date. Returns its description. Throws when a tool fails, and then leaves the previous wheel. */
export async function buildKit(): Promise<KitIndex> {
  const sources = hashOfSources();
  const known = readIndex();
  if (known?.sources === sources && known.sha256 === hashOfWheel(known.file)) return known;
  process.stdout.write('building the local kit ...\n');
  const stage = join(kitFolder, `stage-${process.pid}`);
  try {
    rmSync(stage, { recursive: true, force: true });
    await fillStage(stage);
    const wheel = packWheel(stage);
    const bytes = readFileSync(wheel);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const index: KitIndex = {
      version,
      rules_version: RULES_VERSION,
      protocol_version: protocolVersion(),
      file: basename(wheel),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size: bytes.length,
      requires_python: '>=3.10',
      sources,
    };
    for (const old of globSync('*.whl', { cwd: kitFolder })) if (old !== index.file) rmSync(join(kitFolder, old));
    renameSync(wheel, join(kitFolder, index.file));
    copyFileSync(join(root, conformanceFile), join(stage, 'conformance.json'));
    renameSync(join(stage, 'conformance.json'), join(kitFolder, 'conformance.json'));
    writeFileSync(join(stage, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
    renameSync(join(stage, 'index.json'), join(kitFolder, 'index.json'));
    return index;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Builds the kit and copies it to the folder from which the gateway serves it. */
export async function publishKit(target: string): Promise<void> {
  const { file } = await buildKit();
  mkdirSync(target, { recursive: true });
  for (const old of globSync('*.whl', { cwd: target })) if (old !== file) rmSync(join(target, old));
  for (const name of [file, 'conformance.json', 'index.json']) {
    // Suites that start at the same time publish at the same time.
    const part = join(target, `.${name}.${process.pid}.part`);
    copyFileSync(join(kitFolder, name), part);
    renameSync(part, join(target, name));
  }
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  const files = globSync(sourcePatterns, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !excluded.test(file))
    .sort();
  for (const file of files)
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

// Two builds of different sources at the same time may leave the wheel of one with the index of the other.
function hashOfWheel(file: string): string | null {
  const wheel = join(kitFolder, file);
  return existsSync(wheel) ? createHash('sha256').update(readFileSync(wheel)).digest('hex') : null;
}

function readIndex(): KitIndex | null {
  try {
    return JSON.parse(readFileSync(join(kitFolder, 'index.json'), 'utf8')) as KitIndex;
  } catch {
    return null; // Not built yet.
  }
}

async function fillStage(stage: string): Promise<void> {
  const python = join(import.meta.dirname, 'python');
  const keep = (path: string) => !excluded.test(path.slice(root.length));
  const packageFolder = join(stage, 'husky_holdem');
  mkdirSync(packageFolder, { recursive: true });
  cpSync(join(python, 'husky_holdem'), packageFolder, { recursive: true, filter: keep });
  for (const [target, source] of Object.entries(shared))
    cpSync(join(root, source), join(packageFolder, target), { recursive: true, filter: keep });
  stageBotApi(stage);
  copyFileSync(join(root, conformanceFile), join(packageFolder, 'data/conformance.json'));
  copyFileSync(join(root, botRules), join(packageFolder, 'data/bots.md'));
  const bots = join(root, 'services/runner/bots');
  for (const bot of readdirSync(bots)) {
    if (!existsSync(join(bots, bot, 'player.py'))) continue;
    const folder = join(packageFolder, 'data/bots', bot);
    mkdirSync(folder, { recursive: true });
    for (const name of ['player.py', 'requirements.txt']) copyFileSync(join(bots, bot, name), join(folder, name));
  }
  copyFileSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
  copyFileSync(join(python, 'README.md'), join(stage, 'README.md'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const project = readFileSync(join(python, 'pyproject.toml'), 'utf8').replace('"0.0.0"', `"${version}"`);
  writeFileSync(join(stage, 'pyproject.toml'), project);
  await bundleDealer(join(packageFolder, 'data/dealer.mjs'));
}

/**
 * Installs `bot` and `type` as typed packages, so that an editor completes player.py and its tests run without the platform. Seats
 * import them from data/seat/api.
 */
function stageBotApi(stage: string): void {
  const api = join(root, 'services/runner/seat/api');
  for (const name of ['bot', 'type']) {
    mkdirSync(join(stage, name));
    // A marker for type checkers needs a package.
    writeFileSync(join(stage, name, 'py.typed'), '');
  }
  copyFileSync(join(api, 'bot.py'), join(stage, 'bot/__init__.py'));
  writeFileSync(join(stage, 'type/__init__.py'), '');
  for (const file of globSync('type/*.py', { cwd: api })) copyFileSync(join(api, file), join(stage, file));
}

async function bundleDealer(file: string): Promise<void> {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'src/main.ts'),
    platform: 'node',
    external: /^node:/,
    logLevel: 'warn',
  });
  try {
    await bundle.write({ file, format: 'esm', codeSplitting: false, comments: { legal: true } });
  } finally {
    await bundle.close();
  }
}

function packWheel(stage: string): string {
  const uv = join(root, '.tools/python/bin/uv');
  const out = join(stage, 'dist');
  // uv brings the build backend with it: no package index is read.
  const options = ['build', '--wheel', '--quiet', '--offline', '--no-config', '--out-dir', out];
  execFileSync(uv, [...options, stage], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, SOURCE_DATE_EPOCH: packedAt },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [wheel] = globSync('*.whl', { cwd: out });
  if (wheel === undefined) throw new Error(`uv built no wheel in ${dirname(out)}`);
  return join(out, wheel);
}

function protocolVersion(): number {
  const text = readFileSync(join(import.meta.dirname, 'python/husky_holdem/__init__.py'), 'utf8');
  const found = /^PROTOCOL_VERSION = ([0-9]+)$/m.exec(text)?.[1];
  if (found === undefined) throw new Error('husky_holdem/__init__.py has no PROTOCOL_VERSION');
  return Number(found);
}

if (import.meta.main) {
  const { file, sha256, size } = await buildKit();
  process.stdout.write(`.kit/${file}: ${size} bytes, sha256 ${sha256}\n`);
}
