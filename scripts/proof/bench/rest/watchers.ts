import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { OwnPlatform } from '../../../up/own-platform.ts';
import { partsOf, sample } from '../../load/processor-time.ts';
import { describeSpread, median } from '../spread.ts';
import { keepInPlay, type World } from './world.ts';

const watchers = 50;
const periodMs = 4000;
const periods = 3;
const services = ['gateway', 'live-data', 'postgresql', 'nats'];

/** Measures the processor time that watchers of a match in play cost, in alternating periods with and without 50 event streams. */
export async function measureWatchers(
  platform: Pick<OwnPlatform, 'origin' | 'dataDir'>,
  world: World,
): Promise<string> {
  const stop = await keepInPlay(world);
  try {
    const perSecond: number[] = [];
    for (let period = 0; period < periods; period++) {
      const without = await measureProcessors(platform);
      const close = await openStreams(platform.origin, await findMatchInPlay(platform.origin));
      const withStreams = await measureProcessors(platform).finally(close);
      perSecond.push(((withStreams - without) * 1000) / watchers);
    }
    return `${median(perSecond).toFixed(2)} ms of processor time for each second of a watcher (${describeSpread(perSecond, 2)}), of ${services.join(', ')}`;
  } finally {
    await stop();
  }
}

/** Returns the mean number of processors that the services use during a period. */
async function measureProcessors(platform: Pick<OwnPlatform, 'dataDir'>): Promise<number> {
  const readSeconds = () => {
    const { seconds } = sample(partsOf(platform));
    return services.reduce((sum, name) => sum + (seconds.get(name) ?? 0), 0);
  };
  const [fromMs, before] = [performance.now(), readSeconds()];
  await wait(periodMs);
  return ((readSeconds() - before) * 1000) / (performance.now() - fromMs);
}

async function findMatchInPlay(origin: string): Promise<string> {
  for (;;) {
    const response = await fetch(`${origin}/live/now`, { headers: { accept: 'application/json' } });
    const { running } = (await response.json()) as { running: { job_id: string }[] };
    if (running[0] !== undefined) return running[0].job_id;
    await wait(100);
  }
}

/** Opens the streams and waits until all are accepted. Returns a function that closes them. */
async function openStreams(origin: string, match: string): Promise<() => void> {
  const open = Array.from({ length: watchers }, () => request(`${origin}/live/job/${match}/events`).end());
  await Promise.all(
    open.map(
      (stream) =>
        new Promise<void>((resolve, reject) => {
          stream.on('response', (response) => {
            // A closed stream ends with an error.
            response.on('error', () => undefined).resume();
            if (response.statusCode === 200) resolve();
            else reject(new Error(`a stream was refused with ${response.statusCode}`));
          });
          stream.on('error', reject);
        }),
    ),
  );
  return () => {
    for (const stream of open) stream.destroy();
  };
}
