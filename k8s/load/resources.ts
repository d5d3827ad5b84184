import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import type { OwnPlatform } from '../../scripts/up/own-platform.ts';
import { partsOf } from './processor-time.ts';

/** Resources in use at one time, by name, as in `gateway: MiB`. */
export interface ResourceSample {
  readonly atMs: number;
  readonly values: ReadonlyMap<string, number>;
}

/** Returns memory, descriptors and threads of a process; empty when it has ended. */
function ofProcess(name: string, pid: number): [string, number][] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
    return [
      [`${name}: MiB`, field('VmRSS') / 1024],
      [`${name}: descriptors`, readdirSync(`/proc/${pid}/fd`).length],
      [`${name}: threads`, field('Threads')],
    ];
  } catch {
    return [];
  }
}

/** Returns connections, the share of dead rows and the size of the platform's database. */
async function ofDatabase(client: pg.Client): Promise<[string, number][]> {
  const { rows } = await client.query<{ connections: number; dead: number; bytes: number }>(
    `SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS connections,
       (SELECT coalesce(100.0 * sum(n_dead_tup) / nullif(sum(n_live_tup + n_dead_tup), 0), 0) FROM pg_stat_user_tables)::float8 AS dead,
       pg_database_size(current_database())::float8 AS bytes`,
  );
  const [row] = rows;
  if (row === undefined) return [];
  return [
    ['postgresql: connections', row.connections],
    ['postgresql: dead rows, %', row.dead],
    ['postgresql: database, MiB', row.bytes / 2 ** 20],
  ];
}

/** Returns the open event streams and downloads of the gateway, from its metrics. */
async function ofStreams(origin: string): Promise<[string, number][]> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const open = [...text.matchAll(/^http_streams_open\{.*?\} (\d+)/gm)];
  return [['gateway: open streams', open.reduce((sum, [, count]) => sum + Number(count), 0)]];
}

/** Reads the resources of all parts of a platform periodically, until `stop`. A reading that fails is left out. */
export async function startResourceSampling(platform: OwnPlatform, everyMs = 10_000) {
  const client = new pg.Client({ connectionString: platform.databaseUrl() });
  await client.connect();
  const samples: ResourceSample[] = [];
  const read = async () => {
    const atMs = Date.now();
    // PostgreSQL has two names.
    const nameOf = new Map([...partsOf(platform)].map(([name, pid]) => [pid, name]));
    const processes = [...nameOf].flatMap(([pid, name]) => ofProcess(name, pid));
    const others = await Promise.all([ofDatabase(client), ofStreams(platform.origin)]).catch(() => []);
    samples.push({ atMs, values: new Map([...processes, ...others.flat()]) });
  };
  await read();
  let reading = Promise.resolve();
  const timer = setInterval(() => {
    reading = reading.then(read);
  }, everyMs);
  return {
    samples: samples as readonly ResourceSample[],
    async stop() {
      clearInterval(timer);
      await reading;
      await client.end();
    },
  };
}
