// `make load`: k6 scenarios against ORIGIN; without it starts a platform.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type OwnPlatform, startOwnPlatform, withoutLimits } from '../../scripts/up/own-platform.ts';
import { makeAccounts } from './accounts.ts';
import { findK6 } from './k6.ts';
import { type Sample, startSampling } from './processor-time.ts';
import { printSteps } from './report.ts';
import { type LoadSettings, readSettings } from './settings.ts';

const root = join(import.meta.dirname, '../..');

/** Returns a file of accounts: the given one, which is made when it does not exist, or a temporary one. */
async function accountsFile(settings: LoadSettings, origin: string, own: OwnPlatform | undefined, folder: string) {
  const { accounts } = settings;
  if (accounts !== undefined && existsSync(accounts)) return resolve(accounts);
  const file = accounts === undefined ? join(folder, 'accounts.json') : resolve(accounts);
  const made = await makeAccounts(origin, own?.admin ?? settings.admin, settings.users);
  writeFileSync(file, JSON.stringify(made), { mode: 0o600 });
  return file;
}

/** Returns the process id of each part of an own platform, and of k6. */
function partsOf(own: OwnPlatform, k6: number | undefined): ReadonlyMap<string, number> {
  const register = JSON.parse(readFileSync(join(own.dataDir, 'processes.json'), 'utf8')) as Record<
    string,
    { pid: number }
  >;
  const parts = new Map(Object.entries(register).map(([name, { pid }]) => [name, pid]));
  const postmaster = readFileSync(join(own.dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0];
  parts.set('postgresql', Number(postmaster));
  if (k6 !== undefined) parts.set('k6', k6);
  return parts;
}

async function runK6(
  program: string,
  env: NodeJS.ProcessEnv,
  own: OwnPlatform | undefined,
): Promise<{ code: number; samples: readonly Sample[] }> {
  const child = spawn(
    program,
    ['run', '--no-usage-report', ...(process.stdout.isTTY ? [] : ['--quiet']), join(import.meta.dirname, 'load.js')],
    {
      env,
      stdio: 'inherit',
    },
  );
  const sampling = own && startSampling(() => partsOf(own, child.pid));
  const code = await new Promise<number>((done, failed) => {
    child.once('error', failed);
    child.once('close', (status) => done(status ?? 1));
  });
  sampling?.stop();
  return { code, samples: sampling?.samples ?? [] };
}

async function load(): Promise<number> {
  const settings = readSettings(process.env);
  const k6 = findK6();
  const results = resolve(settings.results);
  mkdirSync(results, { recursive: true });
  if (settings.origin === undefined) {
    execFileSync(process.execPath, ['scripts/build-web.ts'], { cwd: root, stdio: 'inherit' });
  }
  // All virtual users share one address: disable rate limits.
  const own = settings.origin === undefined ? await startOwnPlatform(withoutLimits) : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'husky-load-'));
  try {
    const origin = own?.origin ?? settings.origin ?? '';
    const accounts = await accountsFile(settings, origin, own, folder);
    const report = join(results, 'report.html');
    const env = {
      ...process.env,
      PROFILE: settings.profile,
      ORIGIN: origin,
      ACCOUNTS: accounts,
      RESULTS: results,
      K6_WEB_DASHBOARD: 'true',
      K6_WEB_DASHBOARD_EXPORT: report,
      // Exports the report without serving it.
      K6_WEB_DASHBOARD_PORT: '-1',
    };
    const before = loadavg()[0]?.toFixed(1);
    const { code, samples } = await runK6(k6, env, own);
    printSteps(join(results, 'summary.json'), samples, settings.profile);
    process.stdout.write(
      `load of the machine ${before} before, ${loadavg()[0]?.toFixed(1)} after; results: ${results}\n`,
    );
    return code;
  } finally {
    rmSync(folder, { recursive: true });
    await own?.stop();
  }
}

process.exitCode = await load().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  return 1;
});
