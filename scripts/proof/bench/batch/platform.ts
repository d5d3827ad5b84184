import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { registerVerified, uploadFinal } from '../../../demo/accounts.ts';
import { Api } from '../../../demo/api.ts';
import { startOwnPlatform, withoutLimits } from '../../../up/own-platform.ts';
import { partsWithRunners, sample } from '../../load/processor-time.ts';

const root = join(import.meta.dirname, '../../../..');
const bots = join(import.meta.dirname, 'bots');
const pollMs = 500;
/** The models' bots with their requirements. */
const kinds = [
  ['thresholds', ''],
  ['rollouts', 'eval7==0.1.11'],
  ['tracker', ''],
  ['weights', 'numpy>=1.26'],
] as const;

/** Resources that a platform has used and stored since its start. */
export interface Usage {
  readonly atMs: number;
  /** Processor seconds by part; dealers and seats are counted separately from the pool, which starts them. */
  readonly seconds: ReadonlyMap<string, number>;
  readonly matches: number;
  readonly hands: number;
  /** Size of all tables and indexes of live-data and simulation. */
  readonly bytes: number;
  readonly walBytes: number;
  readonly transactions: number;
}

/** A platform of one version, with the bots of the bench. */
export interface BenchPlatform {
  readonly version: string;
  /**
   * Starts a batch with every table of six of the models. When `matches` of them have finished, pauses the batch and waits for the matches
   * in play. Throws if a match has failed. `progress` receives the number of finished matches.
   */
  play(models: number, matches: number, progress: (finished: number) => void): Promise<void>;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** Starts the version in `folder` and uploads the bots of `models` models. */
export async function startBenchPlatform(version: string, folder: string, models: number): Promise<BenchPlatform> {
  const platform = await startOwnPlatform(withoutLimits, undefined, { tree: folder });
  const database = new pg.Pool({ connectionString: platform.databaseUrl(), max: 1 });
  const read = async (sql: string) => Number((await database.query<{ value: string }>(sql)).rows[0]?.value);
  const countMatches = (status: string) =>
    read(`SELECT count(*) AS value FROM live_data.matches WHERE status = '${status}'`);
  try {
    const admin = await new Api(platform.origin).signIn(platform.admin);
    const names = Array.from({ length: models }, (_, index) => `model-${String(index + 1).padStart(2, '0')}`);
    for (const [index, name] of names.entries()) await addModel(admin, name, index);
    return {
      version,
      async play(count, matches, progress) {
        const before = await countMatches('Finished');
        const { batch_id, total_jobs } = await admin.post<{ batch_id: string; total_jobs: number }>('/llm/batch-run', {
          users_list: names.slice(0, count),
        });
        let paused = false;
        for (let finished = 0; finished < matches || (await countMatches('Running')) > 0; ) {
          await pause(pollMs);
          const now = (await countMatches('Finished')) - before;
          if (now !== finished) progress(now);
          finished = now;
          if (!paused && matches <= finished && finished < total_jobs) {
            await admin.post(`/llm/batch/${batch_id}/pause`);
            paused = true;
          }
          const failed = await countMatches('Failed');
          if (failed > 0) throw new Error(`${failed} matches of ${version} have failed`);
        }
      },
      async usage() {
        const { atMs, seconds } = sample(partsWithRunners(platform));
        return {
          atMs,
          seconds,
          matches: await countMatches('Finished'),
          hands: await read('SELECT coalesce(sum(hands), 0) AS value FROM live_data.matches'),
          bytes: await read(
            `SELECT sum(pg_total_relation_size(c.oid)) AS value FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname IN ('live_data', 'simulation') AND c.relkind = 'r'`,
          ),
          walBytes: await read("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS value"),
          transactions: await read(
            'SELECT xact_commit AS value FROM pg_stat_database WHERE datname = current_database()',
          ),
        };
      },
      async stop() {
        await database.end();
        await platform.stop();
      },
    };
  } catch (error) {
    await database.end();
    await platform.stop();
    throw error;
  }
}

async function addModel(admin: Api, username: string, index: number): Promise<void> {
  const [kind, requirements] = kinds[index % kinds.length] ?? kinds[0];
  const source = readFileSync(join(bots, `${kind}.py`), 'utf8');
  await uploadFinal(await registerVerified(admin, username), source, requirements);
}

/** Checks out another version below .data, with links to the installed packages. `remove` deletes it. */
export function checkOut(ref: string): { readonly folder: string; remove(): void } {
  mkdirSync(join(root, '.data'), { recursive: true });
  const folder = mkdtempSync(join(root, '.data/before-'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  git('worktree', 'add', '--detach', folder, ref);
  // Hard links of files, not links to folders, so that workspace packages resolve to the other version.
  for (const path of [
    'node_modules',
    '.tools',
    'web/dist',
    ...globSync('{services/*,web}/node_modules', { cwd: root }),
  ]) {
    execFileSync('cp', ['-al', join(root, path), join(folder, dirname(path))]);
  }
  execFileSync(process.execPath, ['scripts/generate.ts'], { cwd: folder, stdio: 'pipe' });
  return { folder, remove: () => void git('worktree', 'remove', '--force', folder) };
}
