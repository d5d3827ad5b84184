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

/** Returns the names of the files that a module and its static imports need, without those in `known`. */
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
 * Creates a function that returns the tags which load the code and styles of a page together with the app's first script, instead
 * of after it. The manifest of the build in `folder` is read again when it changes; without one there are no tags.
 */
export function pageFiles(folder: string | undefined): (module: string | undefined) => string {
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
    const made = [...filesOf(build.manifest, module, build.first)].map(tagOf).join('\n    ');
    tags.set(module, made);
    return made;
  };
}

const tagOf = (file: string) =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}" />`
    : `<link rel="modulepreload" crossorigin href="/${file}" />`;
