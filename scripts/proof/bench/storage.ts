// Measures the stored size of matches: plays the demo on a real platform and reads the sizes of its tables.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '@husky/platform/free-port';
import pg from 'pg';
import { runningDatabaseUrl } from '../../up/database.ts';

export interface Stored {
  readonly hands: number;
  /** Growth of all tables and indexes of live-data and simulation per hand, without the first match, which allocates the first pages. */
  readonly bytesPerHand: number;
  readonly demoSeconds: number;
}

const root = join(import.meta.dirname, '../../..');
const demos = 5;

export async function measureStorage(): Promise<Stored> {
  const dataDir = mkdtempSync(join(tmpdir(), 'husky-bench-'));
  const port = String(await freePort());
  const env = { ...process.env, PORT: port, DATA_DIR: dataDir, LOG_LEVEL: 'warn', LADDER: 'false' };
  const platform = spawn(process.execPath, ['scripts/up/main.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await new Promise<void>((resolve, reject) => {
      platform.once('close', () => reject(new Error('the platform did not start')));
      createInterface({ input: platform.stdout }).on('line', (line) => {
        if (line.startsWith('ready: ')) resolve();
      });
    });
    const playDemo = () => {
      const { status, stderr } = spawnSync(process.execPath, ['scripts/demo/main.ts'], {
        cwd: root,
        env,
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`the demo failed: ${stderr}`);
    };
    playDemo();
    const before = await measureSize(dataDir);
    const startedMs = performance.now();
    for (let count = 0; count < demos; count++) playDemo();
    const demoSeconds = (performance.now() - startedMs) / 1000 / demos;
    const after = await measureSize(dataDir);
    const hands = after.hands - before.hands;
    return { hands, bytesPerHand: (after.bytes - before.bytes) / hands, demoSeconds };
  } finally {
    const closed = new Promise((resolve) => platform.once('close', resolve));
    platform.kill('SIGTERM');
    await closed;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measureSize(dataDir: string): Promise<{ bytes: number; hands: number }> {
  const client = new pg.Client(runningDatabaseUrl(dataDir));
  await client.connect();
  try {
    return await readStored(client);
  } finally {
    await client.end();
  }
}

/** Returns the size of all tables and indexes of live-data and simulation, and the number of stored hands. */
export async function readStored(client: Pick<pg.Client, 'query'>): Promise<{ bytes: number; hands: number }> {
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(c.oid))::bigint AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('live_data', 'simulation') AND c.relkind = 'r'`,
  );
  const { rows: counted } = await client.query<{ hands: string }>(
    'SELECT coalesce(sum(hands), 0)::bigint AS hands FROM live_data.matches',
  );
  return { bytes: Number(rows[0]?.bytes), hands: Number(counted[0]?.hands) };
}
