import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

test('the build context of the images contains every document that the site shows', () => {
  const features = join(root, 'web/src/features');
  const pages = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));
  const shown = pages.flatMap((name) => [
    ...readFileSync(join(features, name), 'utf8').matchAll(/'(?:\.\.\/)+(docs\/[\w.-]+\.md)\?raw'/g),
  ]);
  const documents = shown.map(([, path]) => `!${path}`);
  expect(documents).toContain('!docs/bots.md');
  const contextRules = readFileSync(join(root, 'k8s/images/Dockerfile.dockerignore'), 'utf8').split('\n');
  expect(documents.filter((line) => !contextRules.includes(line))).toEqual([]);
});

/** Returns a program and the files that it imports by relative paths, directly or indirectly. */
function collectImports(file: string, files = new Set<string>()): Set<string> {
  if (files.has(file)) return files;
  files.add(file);
  if (!existsSync(file)) return files;
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
    collectImports(join(dirname(file), path), files);
  }
  return files;
}

test("the services' image contains every program of the chart's Jobs and its imports", () => {
  const out = mkdtempSync(join(tmpdir(), 'husky-image-'));
  try {
    const code = readFileSync(join(root, 'k8s/images/code.sh'), 'utf8').split('\n');
    const copies = code.filter((line) => /^mkdir|^for part in|^cp (-r )?(scripts|k8s)\//.test(line));
    execFileSync('sh', ['-euc', copies.join('\n')], { cwd: root, env: { ...process.env, out } });
    const templates = join(root, 'charts/husky-holdem/templates');
    const names = readdirSync(templates).filter((name) => name.endsWith('.yaml'));
    const programs = names.flatMap((name) => [
      ...readFileSync(join(templates, name), 'utf8').matchAll(/command: \[node, ((?:scripts|k8s)\/[\w./-]+)/g),
    ]);
    expect(programs.length).toBeGreaterThanOrEqual(3);
    const app = join(out, 'app');
    const required = programs.flatMap(([, program = '']) => [...collectImports(join(app, program))]);
    expect(required.filter((file) => !existsSync(file)).map((file) => file.slice(app.length + 1))).toEqual([]);
  } finally {
    rmSync(out, { recursive: true });
  }
});

test('every module that an image compiles in advance exists', () => {
  const commands = readFileSync(join(root, 'k8s/images/Dockerfile'), 'utf8').matchAll(
    /^RUN \$COMPILE "(?:.*\\\n)*.*/gm,
  );
  const names = [...commands].flatMap(([text]) =>
    [...text.matchAll(/'((?!\/app\/')[^']+)'/g)].map(([, name = '']) => name),
  );
  expect(names.length).toBeGreaterThan(10);
  const fileOf = (name: string) =>
    name.replace(/^\/app\//, '').replace(/^@husky\/(\w+)\/(.+)$/, 'services/lib/$1/src/$2.ts');
  expect(names.map(fileOf).filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
