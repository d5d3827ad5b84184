import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { partsOf, sample } from '../../../k8s/load/processor-time.ts';
import type { OwnPlatform } from '../../up/own-platform.ts';
import { describeSpread, median } from '../spread.ts';
import { keepInPlay, type World } from './world.ts';

const watchers = 50;
const stretchMs = 4000;
const stretches = 3;
const services = ['gateway', 'live-data', 'postgresql', 'nats'];

/** Measures the processor time that watchers of a match in play cost: stretches with 50 event streams in turns with stretches without. */
export async function measureWatchers(
  platform: Pick<OwnPlatform, 'origin' | 'dataDir'>,
  world: World,
): Promise<string> {
  const stop = await keepInPlay(world);
  try {
    const perSecond: number[] = [];
    for (let stretch = 0; stretch < stretches; stretch++) {
      const without = await used(platform);
      const close = await openStreams(platform.origin, await inPlay(platform.origin));
      const withStreams = await used(platform).finally(close);
      perSecond.push(((withStreams - without) * 1000) / watchers);
    }
    return `${median(perSecond).toFixed(2)} ms of processor time for each second of a watcher (${describeSpread(perSecond, 2)}), of ${services.join(', ')}`;
  } finally {
    await stop();
  }
}

/** Returns the processors that the services use during a stretch. */
async function used(platform: Pick<OwnPlatform, 'dataDir'>): Promise<number> {
  const seconds = () => {
    const found = sample(partsOf(platform)).seconds;
    return services.reduce((sum, name) => sum + (found.get(name) ?? 0), 0);
  };
  const [fromMs, before] = [performance.now(), seconds()];
  await wait(stretchMs);
  return ((seconds() - before) * 1000) / (performance.now() - fromMs);
}

async function inPlay(origin: string): Promise<string> {
  for (;;) {
    const answer = await fetch(`${origin}/live/now`, { headers: { accept: 'application/json' } });
    const { running } = (await answer.json()) as { running: { job_id: string }[] };
    if (running[0] !== undefined) return running[0].job_id;
    await wait(100);
  }
}

/** Opens the streams and returns once each has received something; the returned function closes them. */
async function openStreams(origin: string, match: string): Promise<() => void> {
  const open = Array.from({ length: watchers }, () => request(`${origin}/live/job/${match}/events`).end());
  await Promise.all(
    open.map(
      (stream) =>
        new Promise<void>((begun, failed) => {
          stream.on('response', (response) => {
            // A closed stream ends with an error.
            response.on('error', () => undefined).resume();
            if (response.statusCode === 200) begun();
            else failed(new Error(`a stream was refused with ${response.statusCode}`));
          });
          stream.on('error', failed);
        }),
    ),
  );
  return () => {
    for (const stream of open) stream.destroy();
  };
}
