import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const parse = (file: string) => JSON.parse(read(file)) as Package;
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, version = '']) => version);

interface Package {
  readonly version: string;
  readonly workspaces: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly packages: Readonly<Record<string, Package>>;
}

const { version, workspaces } = parse('package.json');
// https://semver.org, without build metadata, which the tag of an image cannot have.
const semantic = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[\da-z-]+(\.[\da-z-]+)*)?$/;

/** Returns the folders that a workspace of package.json names. */
function foldersOf(workspace: string): string[] {
  if (!workspace.endsWith('/*')) return [workspace];
  const parent = workspace.slice(0, -2);
  return readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${parent}/${name}`)
    .filter((folder) => readdirSync(join(root, folder)).includes('package.json'));
}

/** Versions of the project's own packages that a package has or names. */
const ownVersions = (one: Package) => [
  one.version,
  ...Object.entries({ ...one.dependencies, ...one.devDependencies }).flatMap(([name, wanted]) =>
    name.startsWith('@husky/') && wanted !== '*' ? [wanted] : [],
  ),
];

test('the version is a semantic one', () => {
  expect(version).toMatch(semantic);
});

test('all packages, the lock file, the chart, the images and the manual have the same version', () => {
  const folders = workspaces.flatMap(foldersOf);
  expect(folders).toContain('services/lib/runtime');
  const lock = parse('package-lock.json');
  const found: Record<string, readonly string[]> = {
    'package-lock.json': [lock.version, lock.packages['']?.version ?? ''],
    'charts/husky-holdem/Chart.yaml': all(read('charts/husky-holdem/Chart.yaml'), /^(?:version|appVersion): (.*)$/gm),
    'k8s/images/Dockerfile': all(read('k8s/images/Dockerfile'), /(?:^ARG VERSION=|husky-holdem\/app:)(\S+)/gm),
    'k8s/base/husky-holdem.yaml': all(read('k8s/base/husky-holdem.yaml'), /image: "?husky-holdem\/\w+:([^"\s]+)/g),
    'docs/operations.md': all(read('docs/operations.md'), /husky-holdem\/\$target:(\S+)/g),
  };
  for (const folder of folders) {
    found[`${folder}/package.json`] = ownVersions(parse(`${folder}/package.json`));
    found[`package-lock.json ${folder}`] = ownVersions(lock.packages[folder] ?? { ...lock, version: 'missing' });
  }
  for (const [file, versions] of Object.entries(found)) {
    expect(versions, file).not.toEqual([]);
    expect([...new Set(versions)], file).toEqual([version]);
  }
});

test('the newest release in the changelog is this version, and releases are in descending order', () => {
  const headings = all(read('CHANGELOG.md'), /^## (.*)$/gm).filter((heading) => heading !== 'Unreleased');
  const releases = headings.map((heading) => {
    const [, number = '', date = ''] = /^(\S+) - (\d{4}-\d{2}-\d{2})$/.exec(heading) ?? [];
    expect(number, heading).toMatch(semantic);
    return { number, date };
  });
  expect(releases[0]?.number).toBe(version);
  for (const [index, { number, date }] of releases.slice(1).entries()) {
    expect(compare(releases[index]?.number ?? '', number), number).toBeGreaterThan(0);
    expect(date <= (releases[index]?.date ?? ''), date).toBe(true);
  }
});

/** Compares major, minor and patch. */
function compare(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  return left?.map((part, at) => part - (right?.[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
