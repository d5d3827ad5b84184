// What a soak judges: resources of all parts of a platform that grow with time instead of levelling off.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnPlatform } from '../../up/own-platform.ts';
import { median } from '../bench/machine.ts';
import { readPeriodically, scrape } from './metrics-text.ts';
import { partsWithRunners } from './processor-time.ts';

/** Resources in use at one time, by names such as `gateway: MiB`. */
export interface ResourceSample {
  readonly atMs: number;
  readonly values: ReadonlyMap<string, number>;
}

/** Returns resident memory and descriptors of a process; empty if it has ended. */
function readProcess(name: string, pid: number): [string, number][] {
  try {
    const kib = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return [
      [`${name}: MiB`, kib / 1024],
      [`${name}: descriptors`, readdirSync(`/proc/${pid}/fd`).length],
    ];
  } catch {
    return [];
  }
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
  const urls = new Map(services.map(([name, { ops }]) => [`http://${ops}/metrics`, name]));
  const { series } = await scrape([...urls.keys()]);
  return [...series].flatMap(([url, exported]) =>
    metrics.flatMap(({ label, metric, unit }): [string, number][] => {
      const own = exported.filter((one) => one.name === metric);
      const sum = own.reduce((total, { value }) => total + value, 0);
      return own.length === 0 ? [] : [[`${urls.get(url)}: ${label}`, sum / unit]];
    }),
  );
}

/** Samples the resources of all parts of a platform periodically until `stop`. Parts with several processes, such as seats, are added up. */
export function startResourceSampling(platform: OwnPlatform, intervalMs = 10_000) {
  const samples: ResourceSample[] = [];
  const stop = readPeriodically(async () => {
    const values = new Map<string, number>();
    // By process id, because PostgreSQL is listed under two names.
    const parts = new Map(partsWithRunners(platform).map(([name, pid]) => [pid, name]));
    for (const [name, value] of [...parts].flatMap(([pid, part]) => readProcess(part, pid))) {
      values.set(name, (values.get(name) ?? 0) + value);
    }
    for (const [name, value] of await readMetrics(platform).catch(() => [])) values.set(name, value);
    samples.push({ atMs: Date.now(), values });
  }, intervalMs);
  return { samples: samples as readonly ResourceSample[], stop };
}

/** Growth from the middle third of a run to its last third, as a share, above which a quantity grows. */
const maxShare = 0.02;
/** Minimum length of a run whose growth is judged: in a shorter one V8 has rarely collected its old garbage. */
const minJudgedMs = 1_800_000;
/** Means below which a quantity may grow: nats-server keeps the block of each stream that it writes, up to 8 MiB. */
const mayGrowBelow: Readonly<Record<string, number>> = { 'nats: MiB': 256 };

/**
 * Compares the medians of the last two thirds of each quantity; in the first third caches and heaps fill. Returns a Markdown table and the names of
 * those that grow; none for runs below half an hour.
 */
export function judgeGrowth(samples: readonly ResourceSample[]): { table: string; growing: string[] } {
  const [first, last] = [samples[0]?.atMs ?? 0, samples.at(-1)?.atMs ?? 0];
  const names = [...new Set(samples.flatMap(({ values }) => [...values.keys()]))];
  const growing: string[] = [];
  const rows = names.map((name) => {
    const [middle = NaN, end = NaN] = [1, 2].map((third) => {
      const [from, to] = [first + ((last - first) * third) / 3, first + ((last - first) * (third + 1)) / 3];
      const inside = samples.filter(({ atMs }) => atMs >= from && atMs <= to);
      return median(inside.flatMap(({ values }) => values.get(name) ?? []));
    });
    // Less than one is noise: a descriptor, a MiB.
    const grows = end - middle > Math.max(1, maxShare * middle) && end >= (mayGrowBelow[name] ?? 0);
    if (grows && last - first >= minJudgedMs) growing.push(name);
    return `| ${name} | ${middle.toFixed(1)} | ${end.toFixed(1)} | ${grows ? 'grows' : ''} |`;
  });
  const head = `| resource, ${((last - first) / 60_000).toFixed(0)} min | middle third | last third | |\n|---|---|---|---|`;
  return { table: [head, ...rows].join('\n'), growing };
}
