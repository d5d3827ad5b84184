/** One sample of a metric of a service. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Parses Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/). Skips comments and timestamps. */
export function parseMetrics(text: string): Series[] {
  return [...text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', escaped = '']) => [
        label,
        escaped.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character)),
      ]),
    ),
    value: Number(value),
  }));
}

/** Metrics of all services at one time, by URL. */
export interface Scrape {
  readonly atMs: number;
  readonly series: ReadonlyMap<string, readonly Series[]>;
}

/** Reads the metrics of the services at these URLs. Leaves out services that do not respond. */
export async function scrape(urls: readonly string[]): Promise<Scrape> {
  const atMs = Date.now();
  const readings = urls.map(async (url): Promise<[string, Series[]][]> => {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
      return response.ok ? [[url, parseMetrics(await response.text())]] : [];
    } catch {
      return [];
    }
  });
  return { atMs, series: new Map((await Promise.all(readings)).flat()) };
}

/** Returns the sum of the series of a metric, of all services. */
export function sumOf({ series }: Scrape, name: string, matches: (labels: Series['labels']) => boolean = () => true) {
  return [...series.values()].flat().reduce((sum, one) => {
    return one.name === name && matches(one.labels) ? sum + one.value : sum;
  }, 0);
}

/** Returns how much a counter has increased between two scrapes, as the sum of its series. A series that decreased was reset to zero in between. */
export function increaseOf(
  before: Scrape,
  after: Scrape,
  name: string,
  matches: (labels: Series['labels']) => boolean = () => true,
): number {
  let total = 0;
  for (const [url, series] of after.series) {
    const earlier = new Map(
      before.series.get(url)?.flatMap((one) => (one.name === name ? [[keyOf(one), one.value] as const] : [])),
    );
    for (const one of series) {
      if (one.name !== name || !matches(one.labels)) continue;
      const previous = earlier.get(keyOf(one)) ?? 0;
      total += one.value >= previous ? one.value - previous : one.value;
    }
  }
  return total;
}

const keyOf = ({ labels }: Series) => JSON.stringify(Object.entries(labels).sort());

/** Scrapes periodically until `stop`, which returns all scrapes. */
export async function startScraping(urls: readonly string[], intervalMs = 10_000) {
  const scrapes = [await scrape(urls)];
  const read = async () => void scrapes.push(await scrape(urls));
  const stopReading = readPeriodically(read, intervalMs);
  return {
    async stop(): Promise<readonly Scrape[]> {
      await stopReading();
      await read();
      return scrapes;
    },
  };
}

/** Calls `read` every `intervalMs`, without overlap, until the returned function is called, which waits for the read in progress. */
export function readPeriodically(read: () => Promise<void>, intervalMs: number): () => Promise<void> {
  let reading = Promise.resolve();
  const timer = setInterval(() => {
    reading = reading.then(read);
  }, intervalMs);
  return () => {
    clearInterval(timer);
    return reading;
  };
}
