import { type Scrape, scrape } from './metrics-text.ts';
import type { Sample } from './processor-time.ts';
import { readPeriodically } from './read-periodically.ts';

/** Returns the processor seconds of each service in its metrics. Replicas of a service are numbered: `gateway 1`, `gateway 2`. */
export function sampleOf({ atMs, series }: Scrape): Sample {
  const services = [...series.values()].flatMap((all) => {
    const name = all.find((one) => one.name === 'target_info')?.labels.service_name;
    const seconds = all.reduce((sum, { name: of, value }) => (of === 'process_cpu_time_total' ? sum + value : sum), 0);
    return name === undefined ? [] : [{ name, seconds }];
  });
  const seconds = new Map<string, number>();
  for (const [name, replicas] of Map.groupBy(services, (one) => one.name)) {
    for (const [at, replica] of replicas.entries()) {
      seconds.set(replicas.length === 1 ? name : `${name} ${at + 1}`, replica.seconds);
    }
  }
  return { atMs, seconds };
}

/** Samples the processor time of the services at these URLs of metrics periodically until `stop`. */
export async function startRemoteSampling(urls: readonly string[], intervalMs = 2000) {
  const samples = [sampleOf(await scrape(urls))];
  const read = async () => void samples.push(sampleOf(await scrape(urls)));
  const stopReading = readPeriodically(read, intervalMs);
  return {
    samples: samples as readonly Sample[],
    async stop(): Promise<void> {
      await stopReading();
      await read();
    },
  };
}
