import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

test('the build of the images has every document that the site shows', () => {
  const features = join(root, 'web/src/features');
  const pages = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));
  const shown = pages.flatMap((name) => [
    ...readFileSync(join(features, name), 'utf8').matchAll(/'(?:\.\.\/)+(docs\/[\w.-]+\.md)\?raw'/g),
  ]);
  const documents = shown.map(([, path]) => `!${path}`);
  expect(documents).toContain('!docs/bots.md');
  const context = readFileSync(join(root, 'k8s/images/Dockerfile.dockerignore'), 'utf8').split('\n');
  expect(documents.filter((line) => !context.includes(line))).toEqual([]);
});

/** Returns a program and the files that it imports by a relative path, those of its imports included. */
function importsOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  if (!existsSync(file)) return found;
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
    importsOf(join(dirname(file), path), found);
  }
  return found;
}

test("the image of the services has every file of the chart's Jobs", () => {
  const out = mkdtempSync(join(tmpdir(), 'husky-image-'));
  try {
    const code = readFileSync(join(root, 'k8s/images/code.sh'), 'utf8').split('\n');
    const copies = code.filter((line) => /^mkdir|^cp (-r )?(scripts|k8s)\//.test(line));
    execFileSync('sh', ['-euc', copies.join('\n')], { cwd: root, env: { ...process.env, out } });
    const templates = join(root, 'charts/husky-holdem/templates');
    const charts = readdirSync(templates).filter((name) => name.endsWith('.yaml'));
    const programs = charts.flatMap((name) => [
      ...readFileSync(join(templates, name), 'utf8').matchAll(/command: \[node, ((?:scripts|k8s)\/[\w./-]+)/g),
    ]);
    expect(programs.length).toBeGreaterThanOrEqual(4);
    const app = join(out, 'app');
    const needed = programs.flatMap(([, program = '']) => [...importsOf(join(app, program))]);
    expect(needed.filter((file) => !existsSync(file)).map((file) => file.slice(app.length + 1))).toEqual([]);
  } finally {
    rmSync(out, { recursive: true });
  }
});
