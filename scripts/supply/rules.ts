/** Licences that may be part of the product or of its tools. MPL-2.0, EPL-2.0, CC-BY-4.0 (data): used unmodified. */
const allowedLicences = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Unlicense'],
  ...['Zlib', 'OFL-1.1', 'PSF-2.0', 'Python-2.0', 'MPL-2.0', 'EPL-2.0', 'CC0-1.0', 'CC-BY-4.0'],
]);

/** Licences of packages whose manifest names none, taken from their licence files. */
const readByHand: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  streamsearch: 'MIT',
  'stack-trace': 'MIT',
  jstat: 'MIT',
  'glsl-resolve/node_modules/xtend': 'MIT',
  'glsl-inject-defines': 'MIT',
};

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
}

/** Returns whether an SPDX expression can be satisfied by allowed licences. */
export function isAllowed(licence: string): boolean {
  const plain = licence.replace(/[()]/g, ' ').trim();
  return plain
    .split(/\s+or\s+/i)
    .some((choice) => choice.split(/\s+and\s+/i).every((one) => allowedLicences.has(one.trim())));
}

/** Returns the dependencies of a package.json without an exact version, except our own workspaces (`*`). */
export function inexactVersions(manifest: Manifest): string[] {
  const all = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies];
  return all
    .flatMap((list) => Object.entries(list ?? {}))
    .filter(([name, version]) => !name.startsWith('@husky/') && !/^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name} is ${version}, not an exact version`);
}

/**
 * Returns the problems of package-lock.json: packages without a hash, or with a licence that is not allowed. Optional programs for
 * platforms that the registry does not have need no hash, because they are never installed.
 */
export function lockProblems(packages: Readonly<Record<string, LockedPackage>>): string[] {
  const problems: string[] = [];
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || entry.link) continue;
    const name = path.replace(/^.*?node_modules\//, '');
    const foreignProgram = entry.optional === true && name.startsWith('@biomejs/cli-');
    if (entry.integrity === undefined && !foreignProgram) problems.push(`${name} has no integrity`);
    const licence = entry.license ?? readByHand[name];
    if (licence === undefined) problems.push(`${name} names no licence`);
    else if (!isAllowed(licence)) problems.push(`${name} has the licence ${licence}`);
  }
  return problems;
}

/** Returns the problems of a Python lock: requirements without exact version or hash, and requirements that it lacks. */
export function pythonLockProblems(required: string, locked: string): string[] {
  const blocks = locked
    .split(/\n(?=\S)/)
    .filter((block) => !block.startsWith('#'))
    .map((block) => block.trim());
  const problems = blocks
    .filter((block) => !/^[\w.-]+==\S+/.test(block) || !block.includes('--hash=sha256:'))
    .map((block) => `${block.split(/[ \n]/)[0]} has no exact version with a hash`);
  for (const line of required.split('\n').filter((text) => text.trim() !== '')) {
    const named = blocks.some((block) => block.startsWith(line.includes('==') ? line : `${line}==`));
    if (!named) problems.push(`${line} is not locked: run make lock-python`);
  }
  return problems;
}
