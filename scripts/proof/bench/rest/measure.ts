import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { OwnPlatform } from '../../../up/own-platform.ts';
import { partsOf, sample } from '../../load/processor-time.ts';
import type { Call } from './calls.ts';
import type { Figures, Run } from './generator.ts';

/** Figures of one run against a platform. */
export interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
  /** Milliseconds of processor time for each request, by part of the platform. */
  readonly cost: ReadonlyMap<string, number>;
}

export const totalOf = (cost: ReadonlyMap<string, number>): number =>
  [...cost.values()].reduce((sum, ms) => sum + ms, 0);

/** Requests the calls in turn over 10 connections, in a separate process, for `seconds`. `rate`: requests per second; absent: no limit. */
export async function measure(
  platform: Pick<OwnPlatform, 'origin' | 'dataDir'>,
  calls: readonly Call[],
  { seconds, rate }: { readonly seconds: number; readonly rate?: number },
): Promise<Measured> {
  const run: Run = {
    origin: platform.origin,
    calls,
    connections: 10,
    seconds,
    ...(rate === undefined ? {} : { rate }),
  };
  const before = sample(partsOf(platform)).seconds;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'generator.ts'), JSON.stringify(run)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const after = sample(partsOf(platform)).seconds;
  const figures = JSON.parse(output) as Figures;
  const cost = new Map(
    [...after].map(([part, total]) => [part, ((total - (before.get(part) ?? total)) * 1000) / figures.requests]),
  );
  return {
    perSecond: figures.requests / figures.seconds,
    p50Ms: figures.p50Ms,
    p99Ms: figures.p99Ms,
    failed: figures.failed,
    cost,
  };
}
