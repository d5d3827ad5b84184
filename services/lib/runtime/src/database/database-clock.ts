import type pg from 'pg';

/** A clock that all processes with the same database agree on. */
export interface DatabaseClock {
  /** Returns PostgreSQL's time in whole milliseconds since the epoch, as this process last read it, continued by the monotonic clock. */
  now(): number;
  /** Reads PostgreSQL's time. */
  read(): Promise<void>;
}

/**
 * Opens a clock with a first reading. A step of the machine's clock (NTP, an administrator, a resumed virtual machine) does not move it, so that
 * leases and deadlines of the service hold, and replicas on machines with different clocks agree about them. Its error is at most
 * half the round trip of a reading; the offset is adjusted only when a reading differs by more than that.
 */
export async function openDatabaseClock(
  pool: Pick<pg.Pool, 'query'>,
  monotonicMs: () => number = () => performance.now(),
): Promise<DatabaseClock> {
  let offsetMs: number | undefined;
  const read = async () => {
    const sentMs = monotonicMs();
    const { rows } = await pool.query<{ ms: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
    );
    const halfMs = (monotonicMs() - sentMs) / 2;
    const measuredMs = (rows[0]?.ms ?? 0) - sentMs - halfMs;
    if (offsetMs === undefined || Math.abs(measuredMs - offsetMs) > halfMs) offsetMs = measuredMs;
  };
  await read();
  return { now: () => Math.floor((offsetMs ?? 0) + monotonicMs()), read };
}
