import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
