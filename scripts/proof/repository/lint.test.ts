import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import cruiser from '../../../dependency-cruiser.config.ts';

const root = join(import.meta.dirname, '../../..');
const bin = join(root, 'node_modules/.bin');

function createTree(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'husky-lint-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Files that each break one rule: rule -> path -> content. */
const violations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no-cycles': { 'services/pool/src/one.ts': './two.ts' },
  resolvable: { 'services/pool/src/missing.ts': './nowhere.ts' },
  'services-are-separate': { 'services/pool/src/steal.ts': '../../auth/src/tokens.ts' },
  'kit-plays-as-the-runner': { 'services/kit/src/steal.ts': '../../auth/src/tokens.ts' },
  'gateway-and-web-import-no-service': { 'gateway/src/steal.ts': '../../services/auth/src/tokens.ts' },
  'web-imports-only-the-engine': { 'web/src/steal.ts': '@husky/runtime/rpc/errors' },
  'verification-runs-in-browsers': { 'services/lib/match/src/deck.ts': 'node:crypto' },
  'features-are-separate': { 'web/src/features/home/steal.ts': '../games/job-lists.ts' },
  'session-has-few-entries': { 'web/src/app/steal.ts': '../session/tokens.ts' },
  'library-imports-no-service': { 'services/lib/runtime/src/steal.ts': '../../../auth/src/tokens.ts' },
  'nothing-imports-the-scripts': { 'services/pool/src/script.ts': '../../../scripts/tool.ts' },
  'nothing-imports-the-proof': { 'scripts/up/proof.ts': '../proof/tool.ts' },
  'scripts-and-k8s-are-apart': { 'k8s/restore/script.ts': '../../scripts/tool.ts' },
  'services-import-no-edge': { 'services/pool/src/edge.ts': '../../../gateway/src/route.ts' },
  'packages-by-name': { 'services/pool/src/relative.ts': '../../lib/runtime/src/rpc/errors.ts' },
  'engine-is-pure': { 'services/lib/holdem/src/impure.ts': 'node:fs' },
  'testkit-only-in-tests': { 'services/pool/src/kit.ts': '@husky/testkit/servers' },
  'domain-is-pure': {
    'services/auth/src/domain/impure.ts': '../tokens.ts',
    'services/live-data/src/standings/domain/impure.ts': '../store/sums.ts',
  },
  'domain-reaches-no-infrastructure': {
    'services/auth/src/domain/calls.ts': '@husky/runtime/rpc/grpc-client',
    'services/auth/src/notices/domain/calls.ts': '@husky/runtime/rpc/grpc-client',
  },
  'store-is-below': {
    'services/auth/src/store/upward.ts': '../rpc/login.ts',
    'services/auth/src/audit/store/upward.ts': '../rpc/list.ts',
  },
  'rpc-without-work': {
    'services/auth/src/rpc/works.ts': '../work/sweeper.ts',
    'services/live-data/src/standings/rpc/works.ts': '../work/standings-work.ts',
  },
  'work-without-rpc': {
    'services/auth/src/work/calls.ts': '../rpc/login.ts',
    'services/live-data/src/exports/work/calls.ts': '../rpc/exports.ts',
  },
  'auth-modules-are-movable': { 'services/auth/src/audit/reaches.ts': '../tokens.ts' },
  'auth-modules-have-few-entries': { 'services/auth/src/rpc/reads.ts': '../notices/store/queue.ts' },
  'event-settings-are-a-module': {
    'services/simulation/src/event/store/upward.ts': '../../store/jobs.ts',
  },
  'event-settings-have-an-interface': {
    'services/simulation/src/rpc/reaches.ts': '../event/rpc/settings.ts',
  },
  'challenges-have-few-entries': { 'services/simulation/src/store/asks.ts': '../challenges/store/challenges.ts' },
  'tournaments-have-an-interface': {
    'services/simulation/src/rpc/looks.ts': '../tournament/store/stages.ts',
  },
  'live-data-modules-are-apart': {
    'services/live-data/src/standings/reaches.ts': '../exports/rpc/exports.ts',
    'services/live-data/src/exports/reaches.ts': '../rpc/matches.ts',
  },
  'live-data-modules-have-few-entries': { 'services/live-data/src/store/reads.ts': '../standings/store/sums.ts' },
  'access-rules-in-one-table': { 'services/auth/src/rpc/decides.ts': '@husky/runtime/rpc/access' },
};

/** Files that break no rule: path -> content. */
const allowed: Readonly<Record<string, string>> = {
  'services/pool/src/two.ts': "import './one.ts';",
  'services/auth/src/tokens.ts': 'export const token = 1;',
  'services/auth/src/rpc/login.ts':
    "import '@husky/runtime/rpc/errors';\nimport '../tokens.ts';\nexport const login = 1;",
  'services/auth/src/work/sweeper.ts': 'export const sweep = 1;',
  'services/auth/src/access.ts': "import '@husky/runtime/rpc/access';",
  'services/auth/src/audit/rpc/list.ts': 'export const list = 1;',
  'services/auth/src/notices/store/queue.ts': 'export const queue = 1;',
  'services/simulation/src/store/jobs.ts': "import '@husky/runtime/rpc/errors';",
  'services/simulation/src/challenges/store/challenges.ts': 'export const challenges = 1;',
  'services/simulation/src/event/rpc/settings.ts': "import '@husky/runtime/rpc/errors';",
  'services/live-data/src/rpc/matches.ts': "import '../store/matches.ts';",
  'services/live-data/src/store/matches.ts': "import '../exports/store/exports.ts';",
  'services/live-data/src/exports/store/exports.ts': 'export const exports = 1;',
  'services/live-data/src/exports/rpc/exports.ts': "import '../../store/matches.ts';",
  'services/live-data/src/standings/store/sums.ts': 'export const sums = 1;',
  'services/live-data/src/standings/work/standings-work.ts': "import '../store/sums.ts';",
  'services/live-data/src/start.ts': "import './standings/work/standings-work.ts';",
  'services/auth/src/notices/host.ts': "import './store/queue.ts';",
  'services/auth/src/start.ts': "import './notices/host.ts';",
  'services/auth/test/login.test.ts': "import '@husky/testkit/servers';",
  'services/simulation/src/tournament/store/stages.ts': 'export const stages = 1;',
  'gateway/src/route.ts': 'export const route = 1;',
  'web/src/features/games/job-lists.ts': 'export const lists = 1;',
  'web/src/session/tokens.ts': 'export const token = 1;',
  'web/src/session/session.ts': "import './tokens.ts';",
  'scripts/tool.ts': "import '@husky/runtime/rpc/errors';",
  'scripts/proof/tool.ts': "import '../tool.ts';",
  'services/lib/runtime/src/rpc/errors.ts': 'export const code = 1;',
  'services/lib/runtime/src/rpc/access.ts': 'export const rule = 1;',
  'services/lib/runtime/src/rpc/grpc-client.ts': "import '@grpc/grpc-js';",
  'services/lib/testkit/src/servers.ts': 'export const server = 1;',
  'node_modules/@grpc/grpc-js/package.json': '{ "name": "@grpc/grpc-js", "main": "index.js" }',
  'node_modules/@grpc/grpc-js/index.js': 'module.exports = {};',
};

let tree = '';
let reported: { readonly from: string; readonly rule: { readonly name: string } }[] = [];

beforeAll(() => {
  const seeded = Object.values(violations)
    .flatMap((files) => Object.entries(files))
    .map(([path, target]) => [path, `import '${target}';`]);
  const names = ['runtime', 'testkit'];
  const manifests = names.map((name) => [
    `services/lib/${name}/package.json`,
    JSON.stringify({ name: `@husky/${name}`, type: 'module', exports: { './*': './src/*.ts' } }),
  ]);
  const dependencies = Object.fromEntries(names.map((name) => [`@husky/${name}`, '*']));
  tree = createTree({
    ...allowed,
    ...Object.fromEntries([...seeded, ...manifests]),
    'package.json': JSON.stringify({ type: 'module', workspaces: ['services/lib/*'], dependencies }),
  });
  symlinkSync(join(root, 'node_modules/typescript'), join(tree, 'node_modules/typescript'));
  mkdirSync(join(tree, 'node_modules/@husky'));
  for (const name of names) symlinkSync(`../../services/lib/${name}`, join(tree, 'node_modules/@husky', name));
  const args = ['--config', join(root, 'dependency-cruiser.config.ts'), '--output-type', 'json'];
  const run = spawnSync(join(bin, 'depcruise'), [...args, 'services', 'gateway', 'web', 'scripts', 'k8s'], {
    cwd: tree,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  reported = (JSON.parse(run.stdout) as { summary: { violations: typeof reported } }).summary.violations;
}, 300_000);

afterAll(() => rmSync(tree, { recursive: true, force: true }));

test.each(cruiser.forbidden.map(({ name }) => name))('refuses a violation of the import rule %s', (name) => {
  const seeded = Object.keys(violations[name] ?? {});
  expect(seeded.length).toBeGreaterThan(0);
  const refused = reported.filter(({ rule }) => rule.name === name).map(({ from }) => from);
  expect(refused).toEqual(expect.arrayContaining(seeded));
});

test('accepts every permitted import', () => {
  expect(reported.filter(({ from }) => from in allowed)).toEqual([]);
});

const config = {
  'tsconfig.json': JSON.stringify({ extends: join(root, 'tsconfig.base.json'), include: ['*.ts'] }),
  'package.json': '{ "type": "module" }',
  'biome.json': JSON.stringify({
    plugins: [join(root, 'scripts/proof/test/syntax.grit')],
    linter: { rules: { preset: 'none' } },
  }),
};

/** Runs a linter of the project over these files. Returns `file:line rule` of each problem. */
function lint(tool: string, args: readonly string[], files: Readonly<Record<string, string>>): string[] {
  const folder = createTree({ ...config, ...files });
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const { stdout } = spawnSync(join(bin, tool), [...args, ...Object.keys(files)], { cwd: folder, encoding: 'utf8' });
    const problems = stdout.matchAll(/^::error (?=.*title=([^,:]+)).*?(\w+\.ts),line=(\d+)/gm);
    return [...problems].map(([, rule, file, line]) => `${file}:${line} ${rule}`).sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const oxlint = ['--config', join(root, '.oxlintrc.json'), '--format', 'github'];
const biome = ['lint', '--reporter=github'];

test('refuses a wrong type, and a promise that is not awaited, including one of a generated gRPC client', {
  timeout: 300_000,
}, () => {
  const problems = lint('oxlint', oxlint, {
    'floating.ts': [
      "import type { submissionService } from '@husky/contracts/services';",
      "import type { RpcClient } from '@husky/runtime/rpc/grpc-client';",
      "type Submission = RpcClient<NonNullable<(typeof submissionService)['definition']>>;",
      'export function release(submission: Submission, jobId: string): void {',
      '  submission.releasePins({ holderId: jobId });',
      '}',
      'export async function keep(submission: Submission, jobId: string): Promise<void> {',
      '  await submission.releasePins({ holderId: jobId });',
      '}',
    ].join('\n'),
    'misused.ts': "['a'].forEach(async (name) => { await Promise.resolve(name); });",
    'typed.ts': "export const count: number = 'one';",
  });
  expect(problems).toEqual([
    'floating.ts:5 typescript(no-floating-promises)',
    'misused.ts:1 typescript(no-misused-promises)',
    'typed.ts:1 typescript(TS2322)',
  ]);
});

test('refuses SQL with positional parameters and other templates than sql', { timeout: 300_000 }, () => {
  const first = '$1';
  const problems = lint('biome', biome, {
    'statements.ts': `
      import { sql } from '@husky/runtime/database/sql';
      import type pg from 'pg';
      declare const pool: pg.Pool;
      declare const prisma: { $queryRaw(query: unknown, ...values: unknown[]): Promise<unknown> };
      declare const Prisma: { readonly sql: typeof sql };
      export const byString = (id: string) => pool.query('DELETE FROM jobs WHERE id = ${first}', [id]);
      export const byTemplate = (table: string, id: string) => pool.query(\`DELETE FROM \${table} WHERE id = ${first}\`, [id]);
      export const apart = \`SELECT id FROM jobs
        WHERE id = ${first}\`;
      export const nested = (id: string) => prisma.$queryRaw\`SELECT \${id}\`;
      export const other = (id: string) => pool.query(Prisma.sql\`SELECT \${id}\`);
      export const right = (id: string) => pool.query(sql\`DELETE FROM jobs WHERE id = \${id}\`);
      export const alike = (id: string) => prisma.$queryRaw(sql\`SELECT \${id}\`);
      export const called = (id: string) => pool.query('CALL stop(${first})', [id]);`,
  });
  expect(problems).toEqual(['11', '12', '15', '7', '8', '9'].map((line) => `statements.ts:${line} plugin`));
});

test('refuses literals that are spread only to pack lines', { timeout: 300_000 }, () => {
  const problems = lint('biome', biome, {
    'packed.ts': [
      'export const rest = [3];',
      'export const inArray = [...[1, 2], 3];',
      'export const inCall = Math.max(...[1, 2]);',
      'export const inNew = new Set([...[1, 2]]);',
      'export const inObject = { ...{ a: 1 }, b: 2 };',
      'export const right = [1, 2, ...rest, ...(rest.length > 0 ? [4] : [])];',
    ].join('\n'),
  });
  expect(problems).toEqual(['2', '3', '4', '5'].map((line) => `packed.ts:${line} plugin`));
});
