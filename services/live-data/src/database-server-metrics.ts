import { readInTime } from '@husky/runtime/telemetry/read-in-time';
import { type BatchObservableResult, metrics } from '@opentelemetry/api';
import type pg from 'pg';

/**
 * Exports figures of the whole database and of its server until the returned function is called. They are the same for all services, so only
 * this one reads them.
 */
export function measureDatabaseServer(pool: pg.Pool): () => void {
  const meter = metrics.getMeter('husky.database');
  const size = meter.createObservableGauge('husky.database.size', {
    unit: 'By',
    description: 'Size of the database of all services on disk',
  });
  const deadRows = meter.createObservableGauge('husky.database.dead_rows', {
    description: 'Rows of all tables that vacuum has not removed yet, estimated by PostgreSQL',
  });
  const archiveFailing = meter.createObservableGauge('husky.wal.archive_failing', {
    description: '1: the last attempt to archive the write-ahead log failed; 0: it succeeded, or nothing is archived',
  });
  const observe = async (result: BatchObservableResult) => {
    const figures = await readInTime(() => readFigures(pool));
    if (figures === undefined) return;
    result.observe(size, figures.size);
    result.observe(deadRows, figures.dead_rows);
    result.observe(archiveFailing, figures.archive_failing);
  };
  meter.addBatchObservableCallback(observe, [size, deadRows, archiveFailing]);
  return () => meter.removeBatchObservableCallback(observe, [size, deadRows, archiveFailing]);
}

interface Figures {
  readonly size: number;
  readonly dead_rows: number;
  readonly archive_failing: number;
}

async function readFigures(pool: pg.Pool): Promise<Figures | undefined> {
  const { rows } = await pool.query<Figures>(
    `SELECT pg_database_size(current_database())::float8 AS size,
       (SELECT coalesce(sum(n_dead_tup), 0)::float8 FROM pg_stat_user_tables) AS dead_rows,
       (SELECT coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)::int FROM pg_stat_archiver) AS archive_failing`,
  );
  return rows[0];
}
