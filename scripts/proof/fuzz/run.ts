// Fuzzes the REST API by its OpenAPI description: without an account, as a verified user and as an admin. The last line of the output
// is `N passed, N failed`. FUZZ_SECONDS: total time (default 120). ORIGIN, ADMIN_USERNAME, ADMIN_PASSWORD: a running platform to use,
// whose data changes.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startOwnPlatform, withoutLimits } from '../../up/own-platform.ts';

const root = resolve(import.meta.dirname, '../../..');
const seconds = Number(process.env.FUZZ_SECONDS ?? 120);
const reports = mkdtempSync(join(tmpdir(), 'husky-fuzz-'));

interface Visitor {
  readonly name: string;
  readonly token: string | undefined;
  /** Part of the total time. */
  readonly share: number;
}

// These calls end the session or the account of the run; an event stream stays open as long as its match runs.
const excludedPaths = [
  '--exclude-path',
  '/auth/logout',
  '--exclude-path',
  '/auth/delete-account',
  '--exclude-path',
  '/auth/sessions/{id}',
  '--exclude-path',
  '/live/job/{id}/events',
];
// ignored_auth calls without a token; gateway/e2e/access-matrix.test.ts tests that for every call.
const excludedChecks = 'ignored_auth';

/** Calls a path that returns an access token. */
async function requestToken(origin: string, path: string, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const { access_token } = (await response.json()) as { access_token?: string };
  if (access_token === undefined) throw new Error(`${path} returned ${response.status}`);
  return access_token;
}

async function createVisitors(origin: string, username: string, password: string): Promise<Visitor[]> {
  const admin = await requestToken(origin, '/auth/login', { username, password });
  const name = `fuzz_${Date.now().toString(36)}`;
  const user = await requestToken(origin, '/auth/register', {
    username: name,
    email: `${name}@test.invalid`,
    password: 'a long enough passphrase',
  });
  const headers = { authorization: `Bearer ${admin}` };
  const verification = await fetch(`${origin}/admin/verify-user/${name}`, { method: 'POST', headers });
  if (!verification.ok) throw new Error(`the fuzzing user could not be verified: ${verification.status}`);
  return [
    { name: 'anonymous', token: undefined, share: 0.2 },
    { name: 'verified', token: user, share: 0.35 },
    { name: 'admin', token: admin, share: 0.45 },
  ];
}

/** Runs schemathesis as one visitor and counts passed and failed operations. */
async function fuzz(origin: string, visitor: Visitor): Promise<{ passed: number; failed: number }> {
  const report = join(reports, `${visitor.name}.xml`);
  const budget = Math.max(10, Math.round(seconds * visitor.share));
  console.log(`\nas ${visitor.name}, ${budget} s`);
  const code = await run([
    '--config-file',
    'scripts/proof/fuzz/schemathesis.toml',
    'run',
    `${origin}/openapi.json`,
    '--phases',
    'examples,coverage,fuzzing',
    '--max-time',
    String(budget),
    '--continue-on-failure',
    '--exclude-checks',
    excludedChecks,
    '--suppress-health-check',
    'all',
    '--warnings',
    'off',
    // One worker: Python 3.11 limits the depth of syntax trees for all threads together, so more workers fail at random.
    '--request-timeout',
    '30',
    '--workers',
    '1',
    '--no-color',
    ...excludedPaths,
    ...(process.env.FUZZ_SEED ? ['--seed', process.env.FUZZ_SEED] : []),
    '--report-junit-path',
    report,
    ...(visitor.token === undefined ? [] : ['--header', `Authorization: Bearer ${visitor.token}`]),
  ]);
  const xml = readFileSync(report, 'utf8');
  const [, tests = '0'] = /<testsuites?[^>]* tests="(\d+)"/.exec(xml) ?? [];
  const failures = [
    ...xml.matchAll(/<testcase(?=[^>]* name="([^"]*)")(?:(?!<\/?testcase)[\s\S])*?<(?:failure|error)/g),
  ];
  const failed = failures.length;
  if (code !== 0 && failed === 0) throw new Error(`schemathesis ended with ${code}`);
  for (const [, name] of failures) console.log(`failed: ${name} as ${visitor.name}`);
  return { passed: Number(tests) - failed, failed };
}

function run(args: readonly string[]): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(join(root, '.tools/fuzz/bin/schemathesis'), args, { cwd: root, stdio: 'inherit' });
    child.once('error', fail).once('close', (code) => done(code ?? 1));
  });
}

async function main(): Promise<number> {
  const { ORIGIN: origin, ADMIN_USERNAME = 'admin', ADMIN_PASSWORD = '' } = process.env;
  // A fuzzer exceeds every rate limit.
  Object.assign(process.env, { ...withoutLimits, ...process.env });
  const started = origin === undefined ? await startOwnPlatform() : undefined;
  try {
    const target = started?.origin ?? origin ?? '';
    const password = started?.admin.password ?? ADMIN_PASSWORD;
    const sum = { passed: 0, failed: 0 };
    for (const visitor of await createVisitors(target, ADMIN_USERNAME, password)) {
      const { passed, failed } = await fuzz(target, visitor);
      sum.passed += passed;
      sum.failed += failed;
    }
    console.log(`${sum.passed} passed, ${sum.failed} failed`);
    return sum.failed === 0 ? 0 : 1;
  } finally {
    await started?.stop();
    rmSync(reports, { recursive: true, force: true });
  }
}

process.exitCode = await main();
