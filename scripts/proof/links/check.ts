// Checks links and file names in documents and comments (part of `make test`).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFiles } from '../../source-archive/archive.ts';
import { findLinkProblems } from './links.ts';

const root = join(import.meta.dirname, '../../..');
const isText = /\.(md|ts|tsx|js|css|proto|prisma|py|sh|yaml|toml|sql)$/;
// Files rendered from other files, bots of tests, the test with broken links, and migrations, which never change.
const isExcluded =
  /^(k8s\/base\/|charts\/.*\/ci\/golden-|services\/runner\/(fixtures|attacks)\/.*\.py$|scripts\/proof\/links\/links\.test\.ts$|services\/[a-z-]+\/prisma\/migrations\/)/;

const paths = sourceFiles(root) ?? [];
const files = new Map(
  paths.map((path) => [
    path,
    isText.test(path) && !isExcluded.test(path) ? readFileSync(join(root, path), 'utf8') : '',
  ]),
);
const problems = findLinkProblems(files);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (paths.length === 0) process.stderr.write('There is neither a git repository nor a list of its files.\n');
process.exitCode = problems.length > 0 || paths.length === 0 ? 1 : 0;
