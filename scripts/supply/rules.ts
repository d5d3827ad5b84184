/** Licences of packages that the product or its tools may use. Packages with MPL-2.0, EPL-2.0 or CC-BY-4.0 (data) are used unmodified. */
const allowedLicences = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
  'Zlib',
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'MPL-2.0',
  'EPL-2.0',
  'CC0-1.0',
  'CC-BY-4.0',
]);

/** Licences of packages whose manifest has none, taken from their licence files or their README. */
const licencesFromFiles: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  streamsearch: 'MIT',
  'stack-trace': 'MIT',
  jstat: 'MIT',
  'humanize-number': 'MIT',
  'glsl-resolve/node_modules/xtend': 'MIT',
  'glsl-inject-defines': 'MIT',
};

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
}

/** Returns whether an SPDX licence expression is allowed: one of its alternatives consists of allowed licences. */
export function isAllowed(licence: string): boolean {
  const expression = licence.replace(/[()]/g, ' ').trim();
  return expression
    .split(/\s+or\s+/i)
    .some((choice) => choice.split(/\s+and\s+/i).every((one) => allowedLicences.has(one.trim())));
}

/** Returns a sentence for each dependency of a package.json without an exact version, except our own workspaces (`*`). */
export function findInexactVersions(manifest: Manifest): string[] {
  const all = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies];
  return all
    .flatMap((list) => Object.entries(list ?? {}))
    .filter(([name, version]) => !name.startsWith('@husky/') && !/^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name} is ${version}, not an exact version`);
}

/**
 * Returns a sentence for each problem of package-lock.json: a package without a hash, one whose licence is missing or not allowed, or that
 * needs a tag of another one (`latest`), which the lock does not fix, unless `overrides` of package.json do. Biome's
 * optional programs for other platforms need no hash: the registry does not have them, and they are never installed.
 */
export function findLockProblems(
  packages: Readonly<Record<string, LockedPackage>>,
  overrides: Readonly<Record<string, unknown>> = {},
): string[] {
  const problems: string[] = [];
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || entry.link) continue;
    const name = path.replace(/^.*?node_modules\//, '');
    for (const [other, range] of Object.entries(entry.dependencies ?? {})) {
      if (!/^[a-z][\w-]*$/i.test(range) || other in overrides) continue;
      problems.push(
        `${name} needs ${other}@${range}: npm sbom cannot check a tag, so add ${other} to overrides in package.json`,
      );
    }
    const isOtherPlatform = entry.optional === true && name.startsWith('@biomejs/cli-');
    if (entry.integrity === undefined && !isOtherPlatform) problems.push(`${name} has no integrity`);
    const licence = entry.license ?? licencesFromFiles[name];
    if (licence === undefined) problems.push(`${name} has no licence`);
    else if (!isAllowed(licence)) problems.push(`${name} has the licence ${licence}, which is not allowed`);
  }
  return problems;
}

/** Returns a sentence for each problem of a Python lock: a package without an exact version or hash, or a requirement that it lacks. */
export function findPythonLockProblems(required: string, locked: string): string[] {
  const blocks = locked
    .split(/\n(?=\S)/)
    .filter((block) => !block.startsWith('#'))
    .map((block) => block.trim());
  const problems = blocks
    .filter((block) => !/^[\w.-]+==\S+/.test(block) || !block.includes('--hash=sha256:'))
    .map((block) => `${block.split(/[ \n]/)[0]} has no exact version with a hash`);
  for (const line of required.split('\n').filter((text) => text.trim() !== '')) {
    const isLocked = blocks.some((block) => block.startsWith(line.includes('==') ? line : `${line}==`));
    if (!isLocked) problems.push(`${line} is not locked: run make lock-python`);
  }
  return problems;
}
