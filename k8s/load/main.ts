// `make load`: k6 scenarios against ORIGIN; without it starts a platform.
import { execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type OwnPlatform, startOwnPlatform, withoutLimits } from '../../scripts/up/own-platform.ts';
import { makeAccounts } from './accounts.ts';

const root = join(import.meta.dirname, '../..');
const { ORIGIN, ADMIN_USERNAME = 'admin', ADMIN_PASSWORD, PATH = '' } = process.env;
const number = (name: string, usual: number) => Number(process.env[name] ?? usual);
const wanted = { users: number('USERS', 20), matches: number('MATCHES', 3), hands: number('HANDS', 1000) };

function findK6(): string {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'husky-holdem/bin');
  for (const folder of [...PATH.split(delimiter), cache]) {
    const path = join(folder, 'k6');
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Continue with the next folder.
    }
  }
  throw new Error(
    `k6 is not on PATH nor in ${cache}: run k8s/cluster/build.sh (it needs Go), or install k6 from grafana.com/docs/k6`,
  );
}

function adminOf(own: OwnPlatform | undefined): { username: string; password: string } {
  if (own) return own.admin;
  if (ADMIN_PASSWORD === undefined) throw new Error('ORIGIN needs ADMIN_PASSWORD (and ADMIN_USERNAME, if not admin)');
  return { username: ADMIN_USERNAME, password: ADMIN_PASSWORD };
}

async function load(): Promise<number> {
  const k6 = findK6();
  if (ORIGIN === undefined) {
    execFileSync(process.execPath, ['scripts/build-web.ts'], { cwd: root, stdio: 'inherit' });
  }
  // All virtual users share one address: disable rate limits.
  const own = ORIGIN === undefined ? await startOwnPlatform(withoutLimits) : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'husky-load-'));
  try {
    const origin = (own?.origin ?? ORIGIN ?? '').replace(/\/+$/, '');
    const accounts = await makeAccounts(origin, adminOf(own), wanted);
    const file = join(folder, 'accounts.json');
    writeFileSync(file, JSON.stringify(accounts), { mode: 0o600 });
    const child = spawn(k6, ['run', '--no-usage-report', join(import.meta.dirname, 'load.js')], {
      env: { ...process.env, ORIGIN: origin, ACCOUNTS: file },
      stdio: 'inherit',
    });
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
  } finally {
    rmSync(folder, { recursive: true });
    await own?.stop();
  }
}

process.exitCode = await load().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  return 1;
});
