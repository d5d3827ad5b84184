// `make load`: runs k6 scenarios against ORIGIN, or against a platform that it starts.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { changeNiceness } from '@husky/runtime/process/supervised-process';
import { type OwnPlatform, startOwnPlatform, withoutLimits } from '../../up/own-platform.ts';
import { startBench } from '../bench/bench-run.ts';
import { judgeGrowth, startResourceSampling } from './growth.ts';
import { findK6, loadScript } from './k6.ts';
import { listMissed, measureObjectives, reportObjectives } from './measured-objectives.ts';
import { startScraping } from './metrics-text.ts';
import { partsOf, type Sample, startSampling } from './processor-time.ts';
import { reportSteps } from './report.ts';
import { type LoadSettings, readSettings } from './settings.ts';

const root = join(import.meta.dirname, '../../..');
const k6Niceness = -10;

const bots = ['calling-station', 'random-legal', 'tight-aggressive', 'position-aware', 'pressure'];

/**
 * Returns the variables of k6's setup, which signs in or makes the accounts. A file of accounts that does not exist is created with new names and
 * passwords, so that the next run can use them.
 */
function accountVariables({ accounts, users, admin }: LoadSettings): Record<string, string> {
  const { username, password } = admin;
  const variables = { USERS: String(users), ADMIN_USERNAME: username, ADMIN_PASSWORD: password };
  if (accounts === undefined) return variables;
  const file = resolve(accounts);
  if (!existsSync(file)) {
    const run = randomBytes(4).toString('hex');
    const list = Array.from({ length: users }, (_, at) => ({
      username: `load-${run}-${at}`,
      password: randomBytes(12).toString('base64url'),
    }));
    writeFileSync(file, JSON.stringify(list), { mode: 0o600 });
  }
  return { ...variables, ACCOUNTS: file };
}

/** Returns the URLs of the metrics of all services of a platform. */
function listMetricsUrls({ dataDir }: OwnPlatform): string[] {
  const text = readFileSync(join(dataDir, 'monitoring/targets.json'), 'utf8');
  const groups = JSON.parse(text) as { targets: string[] }[];
  return groups.flatMap(({ targets }) => targets.map((address) => `http://${address}/metrics`));
}

async function runK6(
  program: string,
  env: NodeJS.ProcessEnv,
  own: OwnPlatform | undefined,
): Promise<{ code: number; samples: readonly Sample[] }> {
  const quiet = process.stdout.isTTY ? [] : ['--quiet'];
  const child = spawn(program, ['run', '--no-usage-report', ...quiet, loadScript], { env, stdio: 'inherit' });
  // Raises the priority of k6 above the platform's, so that k6's own waits for a processor are not measured.
  if (own && child.pid !== undefined) changeNiceness(child.pid, k6Niceness);
  // Ctrl-C reaches k6 from the terminal; SIGTERM reaches only this process.
  const stop = () => child.kill();
  process.once('SIGTERM', stop);
  const sampling = own && startSampling(() => partsOf(own).set('k6', child.pid ?? 0));
  const code = await new Promise<number>((done, failed) => {
    child.once('error', failed);
    child.once('close', (status) => done(status ?? 1));
  }).finally(() => process.off('SIGTERM', stop));
  sampling?.stop();
  return { code, samples: sampling?.samples ?? [] };
}

async function load(): Promise<number> {
  const settings = readSettings(process.env);
  const k6 = findK6();
  const finish = await startBench();
  const results = resolve(settings.results);
  mkdirSync(results, { recursive: true });
  if (settings.origin === undefined) {
    execFileSync(process.execPath, ['scripts/build-web.ts'], { cwd: root, stdio: 'inherit' });
  }
  // Without rate limits, because all virtual users share one address.
  const own = settings.origin === undefined ? await startOwnPlatform(withoutLimits) : undefined;
  try {
    const origin = own?.origin ?? settings.origin ?? '';
    const report = join(results, 'report.html');
    rmSync(report, { force: true });
    const env = {
      ...process.env,
      PROFILE: settings.profile,
      ORIGIN: origin,
      BOTS: bots.map((bot) => join(root, 'services/runner/bots', bot, 'player.py')).join(','),
      ...accountVariables(own ? { ...settings, admin: own.admin } : settings),
      RESULTS: results,
      K6_WEB_DASHBOARD: 'true',
      K6_WEB_DASHBOARD_EXPORT: report,
      // Exports the report without serving the dashboard.
      K6_WEB_DASHBOARD_PORT: '-1',
      // k6 writes no report with less than three periods, 10 s each by default.
      ...(settings.profile === 'soak' ? {} : { K6_WEB_DASHBOARD_PERIOD: '1s' }),
    };
    const resources = own && settings.profile === 'soak' ? startResourceSampling(own) : undefined;
    const scraping = own && (await startScraping(listMetricsUrls(own)));
    const { code, samples } = await runK6(k6, env, own);
    const measured = scraping ? measureObjectives(await scraping.stop()) : [];
    await resources?.stop();
    const growth = resources ? judgeGrowth(resources.samples) : { table: '', growing: [] };
    const steps = reportSteps(join(results, 'summary.json'), samples, settings.profile);
    await own?.stop();
    const objectives = measured.length > 0 ? reportObjectives(measured) : '';
    const parts = [`Profile ${settings.profile}; results: ${results}`, objectives, steps, growth.table];
    await finish(parts.filter((part) => part !== '').join('\n\n'));
    for (const name of growth.growing) process.stdout.write(`GROWS: ${name}\n`);
    // The other profiles are too short for a share of one in a thousand, or refuse requests on purpose.
    const missed = ['load', 'soak'].includes(settings.profile) ? listMissed(measured) : [];
    for (const slo of missed) process.stdout.write(`MISSED: ${slo} of docs/slo.md, measured by the platform\n`);
    if (!existsSync(report)) throw new Error(`k6 has not written ${report}`);
    return growth.growing.length + missed.length > 0 ? 1 : code;
  } finally {
    await own?.stop();
  }
}

process.exitCode = await load().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  return 1;
});
