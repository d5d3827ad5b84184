import { type BatchObservableResult, metrics } from '@opentelemetry/api';
import type pg from 'pg';
import { readInTime } from '../telemetry/read-in-time.ts';

/**
 * Exports the connections of a service's pool until the returned function is called. Names:
 * https://opentelemetry.io/docs/specs/semconv/database/database-metrics/.
 */
export function measurePool(pool: pg.Pool, schema: string): () => void {
  const meter = metrics.getMeter('husky.database');
  const name = { 'db.client.connection.pool.name': schema };
  const gauge = (noun: string, description: string) =>
    meter.createObservableGauge(`db.client.connection.${noun}`, { description });
  const count = gauge('count', 'Connections, by state');
  const max = gauge('max', 'Maximum number of connections');
  const waiting = gauge('pending_requests', 'Queries that wait for a connection');
  const observe = (result: BatchObservableResult) => {
    const { idleCount, totalCount, waitingCount, options } = pool;
    result.observe(count, idleCount, { ...name, 'db.client.connection.state': 'idle' });
    result.observe(count, totalCount - idleCount, { ...name, 'db.client.connection.state': 'used' });
    result.observe(max, options.max, name);
    result.observe(waiting, waitingCount, name);
  };
  meter.addBatchObservableCallback(observe, [count, max, waiting]);
  return () => meter.removeBatchObservableCallback(observe, [count, max, waiting]);
}

/** Exports age and number of the events in a service's outbox that are not published, until the returned function is called. */
export function measureOutbox(pool: pg.Pool): () => void {
  const meter = metrics.getMeter('husky.database');
  const description = 'Age of the oldest event that is not published; 0: none';
  const age = meter.createObservableGauge('husky.outbox.age', { unit: 's', description });
  const depth = meter.createObservableGauge('husky.outbox.depth', { description: 'Events that are not published' });
  const observe = async (result: BatchObservableResult) => {
    const waiting = await readInTime(() => readWaiting(pool));
    if (waiting === undefined) return;
    result.observe(age, waiting.age);
    result.observe(depth, waiting.depth);
  };
  meter.addBatchObservableCallback(observe, [age, depth]);
  return () => meter.removeBatchObservableCallback(observe, [age, depth]);
}

async function readWaiting(pool: pg.Pool): Promise<{ age: number; depth: number } | undefined> {
  const { rows } = await pool.query<{ age: number; depth: number }>(
    `SELECT count(*)::int AS depth, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age FROM outbox`,
  );
  return rows[0];
}

/** Exports the number of a service's parked messages until the returned function is called. */
export function measureParkedMessages(pool: pg.Pool): () => void {
  const description = 'Events that could not be handled and wait for an operator';
  const gauge = metrics.getMeter('husky.database').createObservableGauge('husky.parked_messages', { description });
  const observe: Parameters<typeof gauge.addCallback>[0] = async (result) => {
    const parked = await readInTime(() => countParked(pool));
    if (parked !== undefined) result.observe(parked);
  };
  gauge.addCallback(observe);
  return () => gauge.removeCallback(observe);
}

async function countParked(pool: pg.Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ parked: number }>('SELECT count(*)::int AS parked FROM parked_messages');
  return rows[0]?.parked;
}
