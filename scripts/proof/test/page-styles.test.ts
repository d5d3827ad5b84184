// Every page loads the styles of the classes that it uses: its imports, and theirs, lead to a sheet with each.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../../web/src');
const files = globSync('**/*.{ts,tsx,css}', { cwd: root }).map((path) => join(root, path));
const contents = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const found = (file: string, pattern: RegExp) =>
  [...(contents.get(file) ?? '').matchAll(pattern)].map((match) => match.slice(1).find(Boolean) ?? '');
const paths = (file: string, pattern: RegExp) =>
  found(file, pattern)
    .map((path) => resolve(dirname(file), path))
    .filter(existsSync);

const sheets = new Map<string, Set<string>>();
for (const file of files.filter((path) => path.endsWith('.css'))) {
  for (const name of found(file, /\.([a-z][a-z0-9-]*)/g)) sheets.set(name, (sheets.get(name) ?? new Set()).add(file));
}

/** Returns the file and all that it imports at once, not the ones that it loads later. */
function closure(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const path of paths(file, /^(?:import|export)\s(?:[^;'(]*from\s)?'(\.[^']+)'/gm)) closure(path, seen);
  return seen;
}
const always = closure(join(root, 'main.tsx'));
const pages = new Set(files.flatMap((file) => paths(file, /import\('(\.[^']+\.tsx)'/g)));

test('every page imports a sheet with each class that it uses', () => {
  expect(pages.size).toBeGreaterThan(30);
  const missing = [...pages].flatMap((page) => {
    const loaded = new Set([...closure(page), ...always]);
    const names = [...loaded].flatMap((file) =>
      found(file, /className=(?:"([^"]+)"|\{`([^`]+)`\}|\{[^}]*?'([^']+)'[^}]*\})/g),
    );
    return [...new Set(names.flatMap((name) => name.split(/\s+/)))]
      .filter((name) => sheets.has(name) && ![...(sheets.get(name) ?? [])].some((sheet) => loaded.has(sheet)))
      .map((name) => `${page.slice(root.length + 1)}: ${name}`);
  });
  expect(missing).toEqual([]);
});
