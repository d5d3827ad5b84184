import { metrics } from '@opentelemetry/api';
import type { Autoscaler } from './autoscaler.ts';
import { DealerTotals } from './domain/autoscaling.ts';

const containerStates = ['idle', 'acquired', 'active', 'starting', 'stopping'] as const;
const autoscalingStates = ['off', 'steady', 'scaling', 'waiting', 'stopped'] as const;

/**
 * Exports the metrics of the fleet from the replica that leads, so that sums count them once. Dealers have no reachable port:
 * simulation passes on their counters.
 */
export function exportMetrics(autoscaler: Pick<Autoscaler, 'view' | 'leading' | 'onReports'>): void {
  const meter = metrics.getMeter('husky.pool');
  const totals = new DealerTotals();
  autoscaler.onReports((runners) => totals.add(runners));
  const gauge = (name: string, description: string) =>
    meter.createObservableGauge(`husky.pool.${name}`, { description });
  const counter = (name: string, description: string) =>
    meter.createObservableCounter(`husky.dealer.${name}`, { description });

  const backlog = gauge('backlog', 'Hands that could be played now, by class');
  const desired = gauge('wanted', 'Runners that autoscaling wants, or would want if it were on');
  const target = gauge('target', 'Runners asked for');
  const runners = gauge('runners', 'Runners by state');
  const pace = gauge('hands.per.second', 'Hands that one runner works off in a second');
  const state = gauge('autoscaling', 'State of autoscaling: 1 for the present one');
  meter.addBatchObservableCallback(
    (result) => {
      const { view } = autoscaler;
      if (view === null || !autoscaler.leading) return;
      for (const { kind, hands } of view.backlog) result.observe(backlog, hands, { class: kind.toLowerCase() });
      if (view.desired > 0) result.observe(desired, view.desired);
      result.observe(target, view.target);
      result.observe(pace, view.rate);
      for (const one of containerStates) {
        result.observe(runners, view.states.filter((other) => other === one).length, { state: one });
      }
      for (const one of autoscalingStates) result.observe(state, view.state === one ? 1 : 0, { state: one });
    },
    [backlog, desired, target, runners, pace, state],
  );

  const matches = counter('matches', 'Matches played to their end');
  const hands = counter('hands', 'Hands played');
  const acts = counter('acts', 'Decisions of bots');
  const play = counter('play.seconds', 'Time from the first hand to the last, of matches played to their end');
  const kills = counter('seat.kills', 'Bots ended by the dealer or the seat host, by reason');
  meter.addBatchObservableCallback(
    (result) => {
      if (!autoscaler.leading) return;
      const { sum } = totals;
      result.observe(matches, sum.matches);
      result.observe(hands, sum.hands);
      result.observe(acts, sum.acts);
      result.observe(play, sum.playMs / 1000);
      for (const [reason, count] of sum.seatKills) result.observe(kills, count, { reason });
    },
    [matches, hands, acts, play, kills],
  );
}
