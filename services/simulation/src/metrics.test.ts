import { startTelemetry } from '@husky/runtime/telemetry/telemetry';
import { expect, test } from 'vitest';
import { countAttempt, recordTestRun } from './metrics.ts';

test('counts attempts by class and outcome, and measures matches by class', async () => {
  const telemetry = await startTelemetry('simulation');
  countAttempt('MATCH', 'FINISHED', 1500);
  countAttempt('MATCH', 'LOST', 9000);
  recordTestRun(false, 4000);
  recordTestRun(true, 9000);
  const text = (await telemetry.metricsText()).replace(/,?otel_scope_\w+="[^"]*"/g, '');
  expect(text).toContain('husky_attempts_ended_total{class="match",outcome="finished"} 1');
  expect(text).toContain('husky_attempts_ended_total{class="match",outcome="lost"} 1');
  expect(text).toContain('husky_match_duration_count{class="match"} 1');
  expect(text).toContain('husky_match_duration_sum{class="match"} 1500');
  expect(text).toContain('husky_test_run_duration_sum{outcome="result"} 4000');
  expect(text).toContain('husky_test_run_duration_sum{outcome="given_up"} 9000');
  await telemetry.shutdown();
});
