import type { Runner__Output } from '@husky/contracts/types/simulation/v1/Runner';
import { startTelemetry } from '@husky/runtime/telemetry/telemetry';
import { expect, test } from 'vitest';
import type { AutoscalingView } from './autoscaler.ts';
import { exportMetrics } from './metrics.ts';

const runner = (hands: number): Runner__Output => ({
  name: 'a',
  state: 'IDLE',
  jobId: '',
  cordoned: false,
  lastSeen: '',
  totals: {
    startedAtMs: 1,
    matches: hands / 10,
    hands,
    acts: hands * 5,
    playMs: hands * 20,
    seatKills: [{ reason: 'memory', count: hands / 100 }],
    sandbox: null,
  },
});

test('exports backlog, sizes and dealer counters under the names in the dashboards', async () => {
  const telemetry = await startTelemetry('pool');
  const view: AutoscalingView = {
    state: 'stopped',
    reason: '',
    atMs: 0,
    backlogHands: 700,
    rate: 95.5,
    desired: 5,
    target: 4,
    backlog: [{ kind: 'BATCH_MATCH', hands: 700 }],
    states: ['idle', 'active', 'active', 'starting'],
  };
  let listener: (runners: readonly Runner__Output[]) => void = () => undefined;
  exportMetrics({
    view,
    leading: true,
    onReports: (added) => {
      listener = added;
    },
  });
  listener([runner(100)]);
  listener([runner(300)]);
  const text = await telemetry.metricsText();
  const figures = text.split('\n').filter((line) => line.startsWith('husky_'));
  const plain = figures.map((line) => line.replace(/,?otel_scope_\w+="[^"]*"/g, '').replace('{}', ''));
  expect(plain).toEqual(
    expect.arrayContaining([
      'husky_pool_backlog{class="batch_match"} 700',
      'husky_pool_wanted 5',
      'husky_pool_target 4',
      'husky_pool_hands_per_second 95.5',
      'husky_pool_runners{state="active"} 2',
      'husky_pool_runners{state="stopping"} 0',
      'husky_pool_autoscaling{state="stopped"} 1',
      'husky_pool_autoscaling{state="off"} 0',
      'husky_dealer_matches_total 20',
      'husky_dealer_hands_total 200',
      'husky_dealer_acts_total 1000',
      'husky_dealer_play_seconds_total 4',
      'husky_dealer_seat_kills_total{reason="memory"} 2',
    ]),
  );
  await telemetry.shutdown();
});
