// The k6 scripts against a real platform, with nothing but k6.
import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { expect, inject, test } from 'vitest';
import { findExistingK6, loadScript } from '../../scripts/proof/load/k6.ts';

const { origin, adminPassword } = inject('platform');
const k6 = findExistingK6();
if (k6 === undefined) process.stdout.write('skipped: k6 is missing: scripts/proof/cluster/build.sh k6 builds it\n');

/** Runs a script and returns the failures of its table; latency objectives do not count beside other tests. */
function run(script: string, env: Record<string, string>): string[] {
  const variables = { HOME: '/nowhere', ORIGIN: origin, DURATION: '4', RATE: '5', ...env };
  let output: string;
  try {
    output = execFileSync(k6 ?? '', ['run', '--no-usage-report', '--quiet', script], {
      cwd: dirname(loadScript),
      env: variables,
      encoding: 'utf8',
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    output = `${stdout}${stderr}`;
  }
  expect(output).toMatch(/^ok {6}checks rate==1/m);
  return output.split('\n').filter((line) => /^(FAILED|MISSED)/.test(line) && !/ p\(\d+\)</.test(line));
}

test.runIf(k6).each(['admin', 'sign-in', 'test-run', 'match', 'event-day'])(
  '%s.js makes the accounts that it needs with the password of an administrator',
  (name) => {
    // The platform of these tests has no pages.
    const env = { ADMIN_PASSWORD: adminPassword, USERS: '6', HANDS: '60', WEIGHTS: 'browse=0' };
    expect(run(`${name}.js`, env)).toEqual([]);
  },
  300_000,
);
