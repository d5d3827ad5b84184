/** Counts the open event streams of each match, on this gateway and on the others. */
export interface Watchers {
  /** Adds a watcher. Returns a function that removes it, which is idempotent. */
  join(jobId: string): () => void;
  /** Returns the number of open streams of a match. The counts of other gateways are up to 6 s old. */
  count(jobId: string): number;
  /** Encodes the counts of this gateway for the other gateways. */
  report(): Uint8Array;
  /** Stores the report of another gateway. Ignores invalid reports and those of this gateway. */
  receive(report: Uint8Array): void;
}

/** Subject on which gateways report their watchers to each other (core NATS). */
export const watchersSubject = 'gateway.watchers';
export const reportEveryMs = 2000;

const maxAgeMs = 3 * reportEveryMs;

interface Report {
  readonly from: string;
  readonly counts: Readonly<Record<string, number>>;
}

export function createWatchers(ownId: string, now: () => number = () => performance.now()): Watchers {
  const own = new Map<string, number>();
  const others = new Map<string, { readonly counts: Report['counts']; readonly atMs: number }>();

  function change(jobId: string, by: number): void {
    const count = (own.get(jobId) ?? 0) + by;
    if (count > 0) own.set(jobId, count);
    else own.delete(jobId);
  }

  return {
    join(jobId) {
      let joined = true;
      change(jobId, 1);
      return () => {
        if (joined) change(jobId, -1);
        joined = false;
      };
    },
    count(jobId) {
      let total = own.get(jobId) ?? 0;
      for (const [from, { counts, atMs }] of others) {
        if (now() - atMs > maxAgeMs) others.delete(from);
        else total += counts[jobId] ?? 0;
      }
      return total;
    },
    report: () => Buffer.from(JSON.stringify({ from: ownId, counts: Object.fromEntries(own) } satisfies Report)),
    receive(bytes) {
      const report = parseReport(bytes);
      if (report === undefined || report.from === ownId) return;
      others.set(report.from, { counts: report.counts, atMs: now() });
    },
  };
}

/** Parses a report. Returns undefined for another format, which a gateway of another release may send. */
function parseReport(bytes: Uint8Array): Report | undefined {
  try {
    const report = JSON.parse(Buffer.from(bytes).toString()) as Partial<Report> | null;
    const valid = typeof report?.from === 'string' && typeof report.counts === 'object' && report.counts !== null;
    return valid ? (report as Report) : undefined;
  } catch {
    return undefined;
  }
}
