import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../services/lib/testkit/src/free-port.ts';

const root = join(import.meta.dirname, '../..');

/** A `make up` on a fresh folder and a free port, for a bench or a drill. */
export interface OwnPlatform {
  readonly origin: string;
  readonly dataDir: string;
  readonly admin: { readonly username: string; readonly password: string };
  /** The superuser's URL of its database. */
  databaseUrl(): string;
  /** The process of a service now; undefined while it is started again. */
  pidOf(service: string): number | undefined;
  stop(): Promise<void>;
}

export async function startOwnPlatform(variables: Record<string, string> = {}): Promise<OwnPlatform> {
  const dataDir = mkdtempSync(join(tmpdir(), 'husky-own-'));
  const port = await freePort();
  const admin = { username: 'own-admin', password: 'an admin of its own' };
  const child = spawn(process.execPath, ['scripts/up/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      ...{ PORT: String(port), DATA_DIR: dataDir, ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
      ...{ RATE_LIMIT_READS: '0', RATE_LIMIT_WRITES: '0', RATE_LIMIT_ACCOUNT: '0' },
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await readyLine(child);
  return {
    origin: `http://localhost:${port}`,
    dataDir,
    admin,
    databaseUrl() {
      const postgresPort = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[3];
      const password = readFileSync(join(dataDir, 'secrets/database-owner'), 'utf8').trim();
      return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${postgresPort}/husky`;
    },
    pidOf(service) {
      const register = JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as Record<
        string,
        { pid: number } | undefined
      >;
      return register[service]?.pid;
    },
    async stop() {
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await closed;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function readyLine(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('close', (code) => reject(new Error(`make up ended with ${code}`)));
    if (!child.stdout) throw new Error('make up has no output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('ready: ')) return;
      child.removeAllListeners('close');
      resolve();
    });
  });
}
