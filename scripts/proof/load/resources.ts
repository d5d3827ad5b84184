import { readdirSync, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { OwnPlatform } from '../../up/own-platform.ts';
import { parseMetrics } from './metrics-text.ts';
import { childrenOf, partsWithRunners } from './processor-time.ts';
import { readPeriodically } from './read-periodically.ts';

/** Resources in use at one time, by names such as `gateway: MiB`. */
export interface ResourceSample {
  readonly atMs: number;
  readonly values: ReadonlyMap<string, number>;
}

/** Returns memory, descriptors and threads of a process; empty if it has ended. */
function readProcess(name: string, pid: number): [string, number][] {
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

/** Returns the processes of all parts. Values of parts with several processes, which are dealers and seat hosts, are added. */
function readProcesses(platform: OwnPlatform): Map<string, number> {
  // By process id, because PostgreSQL is listed under two names.
  const nameOf = new Map(partsWithRunners(platform).map(([name, pid]) => [pid, name]));
  const values = new Map<string, number>();
  for (const [name, value] of [...nameOf].flatMap(([pid, part]) => readProcess(part, pid))) {
    values.set(name, (values.get(name) ?? 0) + value);
  }
  const postmaster = [...nameOf].find(([, name]) => name === 'postgresql')?.[0];
  if (postmaster !== undefined)
    values.set('postgresql: MiB of all its processes, without shared buffers', sumPrivateMemory(postmaster));
  return values;
}

/** Returns the anonymous memory of a process and its children, in MiB. Pages that several processes share count once (proportional set size). */
function sumPrivateMemory(parent: number): number {
  const sizes = [parent, ...childrenOf(parent)].map((pid) => {
    try {
      return Number(/^Pss_Anon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      // The process has ended.
      return 0;
    }
  });
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

/** Returns the size of the files in the JetStream store of the platform's NATS server. */
async function readStore({ dataDir }: OwnPlatform): Promise<[string, number][]> {
  const folder = join(dataDir, 'nats/jetstream');
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return [['nats: store, MiB', bytes / 2 ** 20]];
}

/** The size per row of smaller tables is that of their partly filled pages. */
const minRows = 1000;

/** Returns connections, the share of dead rows, the size of the platform's database, and the size of each large table per live row. */
async function readDatabase(client: pg.Client): Promise<[string, number][]> {
  const { rows } = await client.query<{ connections: number; dead: number; bytes: number }>(
    `SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS connections,
       (SELECT coalesce(100.0 * sum(n_dead_tup) / nullif(sum(n_live_tup + n_dead_tup), 0), 0) FROM pg_stat_user_tables)::float8 AS dead,
       pg_database_size(current_database())::float8 AS bytes`,
  );
  const [row] = rows;
  if (row === undefined) return [];
  const tables = await client.query<{ name: string; size: number }>(
    `SELECT schemaname || '.' || relname AS name, pg_table_size(relid)::float8 / n_live_tup AS size
       FROM pg_stat_user_tables WHERE n_live_tup >= ${minRows} AND pg_table_size(relid) >= 2 ^ 20`,
  );
  return [
    ...tables.rows.map(({ name, size }): [string, number] => [`${name}: bytes per live row`, size]),
    ['postgresql: connections', row.connections],
    ['postgresql: dead rows, %', row.dead],
    ['postgresql: database, MiB', row.bytes / 2 ** 20],
  ];
}

const metrics = [
  { label: 'heap after a full collection, MiB', metric: 'v8js_memory_heap_used_after_last_gc', unit: 2 ** 20 },
  { label: 'open connections', metric: 'http_server_open_connections', unit: 1 },
  { label: 'open streams', metric: 'http_streams_open', unit: 1 },
];

/** Returns the values of `metrics` that the services export, summed over their labels. */
async function readMetrics({ dataDir }: OwnPlatform): Promise<[string, number][]> {
  const listening = JSON.parse(readFileSync(join(dataDir, 'addresses.json'), 'utf8')) as Record<string, unknown>;
  const services = Object.entries(listening).filter(
    (entry): entry is [string, { ops: string }] => Object(entry[1]).ops,
  );
  const readings = services.map(async ([name, { ops }]) => {
    const exported = parseMetrics(await (await fetch(`http://${ops}/metrics`)).text());
    return metrics.flatMap(({ label, metric, unit }): [string, number][] => {
      const series = exported.filter((one) => one.name === metric);
      const sum = series.reduce((total, { value }) => total + value, 0);
      return series.length === 0 ? [] : [[`${name}: ${label}`, sum / unit]];
    });
  });
  return (await Promise.all(readings)).flat();
}

/** Samples the resources of all parts of a platform periodically until `stop`. Leaves out readings that fail. */
export async function startResourceSampling(platform: OwnPlatform, intervalMs = 10_000) {
  const client = new pg.Client({ connectionString: platform.databaseUrl() });
  await client.connect();
  const samples: ResourceSample[] = [];
  const read = async () => {
    const atMs = Date.now();
    const processes = readProcesses(platform);
    const readings = await Promise.allSettled([readDatabase(client), readMetrics(platform), readStore(platform)]);
    const others = readings.map((reading) => (reading.status === 'fulfilled' ? reading.value : []));
    samples.push({ atMs, values: new Map([...processes, ...others.flat()]) });
  };
  await read();
  const stopReading = readPeriodically(read, intervalMs);
  return {
    samples: samples as readonly ResourceSample[],
    async stop() {
      await stopReading();
      await client.end();
    },
  };
}
