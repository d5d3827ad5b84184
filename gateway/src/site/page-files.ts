import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of Vite's manifest (build.manifest): a module of web/ with the files that a browser loads for it. */
interface ManifestEntry {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}
type Manifest = Readonly<Record<string, ManifestEntry>>;

/** Returns the files of a module and its static imports, without those in `known`. */
function filesOf(manifest: Manifest, name: string, known: ReadonlySet<string> = new Set()): Set<string> {
  const files = new Set<string>();
  const visited = new Set<string>();
  const visit = (key: string) => {
    const entry = manifest[key];
    if (entry === undefined || visited.has(key)) return;
    visited.add(key);
    for (const file of [entry.file, ...(entry.css ?? [])]) if (!known.has(file)) files.add(file);
    for (const imported of entry.imports ?? []) visit(imported);
  };
  visit(name);
  return files;
}

/**
 * Returns a function that creates the preload tags of a page's module, so that the browser loads the page's code and styles beside the
 * app's first script instead of after it. Reads the manifest of the build in `folder` again when it changes. Without a manifest there
 * are no tags.
 */
export function createPreloadTags(folder: string | undefined): (module: string | undefined) => string {
  const path = folder === undefined ? undefined : join(folder, '.vite/manifest.json');
  let build: { readonly mtimeMs: number; readonly manifest: Manifest; readonly first: ReadonlySet<string> } | undefined;
  const tags = new Map<string, string>();
  return (module) => {
    const mtimeMs = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (path === undefined || mtimeMs === undefined || module === undefined) return '';
    if (build?.mtimeMs !== mtimeMs) {
      const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
      const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? '';
      build = { mtimeMs, manifest, first: filesOf(manifest, entry) };
      tags.clear();
    }
    const known = tags.get(module);
    if (known !== undefined) return known;
    const created = [...filesOf(build.manifest, module, build.first)].map(tagOf).join('\n    ');
    tags.set(module, created);
    return created;
  };
}

const tagOf = (file: string) =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}" />`
    : `<link rel="modulepreload" crossorigin href="/${file}" />`;
