import { startTelemetry } from '@husky/runtime/telemetry/telemetry';
import { afterAll, expect, test } from 'vitest';
import { measureDecisions, measureRetention } from './metrics.ts';

const telemetry = await startTelemetry('live-data');
afterAll(() => telemetry.shutdown());

const readMetrics = async () => (await telemetry.metricsText()).replace(/,?otel_scope_\w+="[^"]*"/g, '');

test('adds the counted decision times of a match to a histogram by kind of match', async () => {
  const times = (counts: readonly number[]) => ({
    times: { count: 0, p50Ms: 0, p95Ms: 0, maxMs: 40_000, counts: [...counts, ...Array(16 - counts.length).fill(0)] },
  });
  const six = ['a', 'b', 'c', 'd', 'e', 'f'];
  measureDecisions({ batchId: null, playerIds: six }, [times([3, 2]), null, times([1])]);
  measureDecisions({ batchId: 'b', playerIds: six }, [times([0, 0, 5])]);
  measureDecisions({ batchId: null, playerIds: ['a', 'house'] }, [{ times: null }, times([7])]);
  const text = await readMetrics();
  const buckets = (kind: string) =>
    ['0.2', '0.5', '1', '+Inf'].map((le) =>
      Number(
        new RegExp(
          `husky_bot_decision_duration_bucket\\{class="${kind}",le="${le.replace('+', '\\+')}"\\} (\\d+)`,
        ).exec(text)?.[1],
      ),
    );
  expect(buckets('match')).toEqual([4, 6, 6, 6]);
  expect(buckets('batch_match')).toEqual([0, 0, 5, 5]);
  expect(buckets('test_run')).toEqual([7, 7, 7, 7]);
});

test('counts what each rule of retention has removed', async () => {
  measureRetention('test-runs', { matches: 3, bytes: 500 });
  measureRetention('test-runs', { matches: 1, bytes: 20 });
  measureRetention('logs', { matches: 2, bytes: 7 });
  const text = await readMetrics();
  expect(text).toMatch(/^husky_retention_matches_total\{rule="test-runs"\} 4/m);
  expect(text).toMatch(/^husky_retention_bytes_total\{rule="test-runs"\} 520/m);
  expect(text).toMatch(/^husky_retention_matches_total\{rule="logs"\} 2/m);
});
