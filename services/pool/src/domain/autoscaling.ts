import type { Runner__Output } from '@husky/contracts/types/simulation/v1/Runner';
import type { ContainerView } from './containers.ts';

export interface AutoscalingRules {
  readonly minimum: number;
  readonly maximum: number;
  /** Target time to play the backlog. */
  readonly drainSeconds: number;
  /** Minimum time between two scale-ups. */
  readonly upMs: number;
  /** Scale-down goes to the largest size desired within this window. */
  readonly downMs: number;
  /** How long a new runner may take until its first claim. */
  readonly startMs: number;
  /** Hands a second of one runner, used while nothing is measured. */
  readonly assumedRate: number;
}

/** One class of the queue: its queued and running work, and the recently measured pace of a runner. */
export interface ClassLoad {
  readonly jobs: number;
  readonly hands: number;
  readonly measuredHands: number;
  readonly measuredSeconds: number;
}

/** The inputs of one evaluation. */
export interface Observation {
  readonly nowMs: number;
  readonly load: readonly ClassLoad[];
  readonly views: readonly ContainerView[];
  /** Runners that exist or are requested, without those that are stopping. */
  readonly size: number;
  /** A scaling job that has not ended. */
  readonly openJob: { readonly fromSize: number; readonly targetSize: number } | null;
}

/** The results of earlier evaluations that the next one uses. */
export interface History {
  /** Start of the uninterrupted series of evaluations with the same rules. */
  readonly sinceMs: number;
  readonly desiredSizes: readonly { readonly atMs: number; readonly size: number }[];
  /** When autoscaling last changed the size. */
  readonly scaledMs: number | null;
}

export interface Decision {
  readonly state: 'steady' | 'scaling' | 'waiting' | 'stopped';
  /** One sentence for the container page. */
  readonly reason: string;
  readonly backlogHands: number;
  /** Hands a second of one runner; 0: not known. */
  readonly rate: number;
  readonly desired: number;
  /** The size to request now; null: no change. */
  readonly target: number | null;
}

/** Decides whether the fleet is scaled, and to what size. */
export function decide(observation: Observation, rules: AutoscalingRules, history: History): Decision {
  const demand = computeDemand(observation.load, rules);
  const { desired } = demand;
  const decision: MakeDecision = (state, then, target = null) => ({
    state,
    desired,
    target,
    backlogHands: demand.hands,
    rate: demand.rate,
    reason: then === '' ? `${demand.reason}.` : `${demand.reason}; ${then}.`,
  });
  const { size, openJob, nowMs } = observation;

  if (openJob !== null) {
    const goesDown = openJob.targetSize < openJob.fromSize;
    if (!goesDown || desired <= openJob.targetSize) {
      return decision('scaling', `the change to ${openJob.targetSize} is under way`);
    }
  }
  const problem = startProblem(observation, rules);
  if (problem !== '' && desired >= size) {
    return decision('stopped', `stopped while runners do not come up: ${problem}`);
  }
  if (desired === size) return decision('steady', '');
  if (desired > size) {
    const waitMs = history.scaledMs === null ? 0 : history.scaledMs + rules.upMs - nowMs;
    if (waitMs > 0) return decision('waiting', `goes up in ${formatSeconds(waitMs)} s`);
    return decision('scaling', `goes up from ${size}`, desired);
  }
  return decideDown(observation, rules, history, decision, desired);
}

/** Returns the history with this evaluation added and entries older than `downMs` removed. */
export function appendToHistory(history: History, nowMs: number, desired: number, downMs: number): History {
  const all = [...history.desiredSizes, { atMs: nowMs, size: desired }];
  return { ...history, desiredSizes: all.filter(({ atMs }) => atMs > nowMs - downMs) };
}

type MakeDecision = (state: Decision['state'], then: string, target?: number | null) => Decision;

function decideDown(
  { nowMs, size, views }: Observation,
  { downMs }: AutoscalingRules,
  { sinceMs, desiredSizes }: History,
  decision: MakeDecision,
  desired: number,
): Decision {
  const recent = desiredSizes.filter(({ atMs }) => atMs > nowMs - downMs);
  const waitMs = sinceMs + downMs - nowMs;
  if (waitMs > 0) return decision('waiting', `may go down in ${formatSeconds(waitMs)} s`);
  const max = Math.max(desired, ...recent.map(({ size: recentSize }) => recentSize));
  if (max >= size) return decision('waiting', `has wanted ${max} within the last ${formatSeconds(downMs)} s`);
  const playing = views.filter(({ state }) => state === 'active' || state === 'acquired').length;
  const next = Math.max(max, playing);
  if (next >= size) return decision('waiting', `${playing} runners are playing`);
  const why = next === desired ? '' : next === playing ? `, as ${playing} are playing` : `, as wanted lately`;
  return decision('scaling', `goes down from ${size} to ${next}${why}`, next);
}

interface Demand {
  readonly hands: number;
  readonly rate: number;
  readonly desired: number;
  readonly reason: string;
}

/** Returns the size that plays the backlog within `drainSeconds`: at most one runner for each match, within the bounds. */
function computeDemand(load: readonly ClassLoad[], rules: AutoscalingRules): Demand {
  const { minimum, maximum, drainSeconds } = rules;
  const sum = (of: (one: ClassLoad) => number) => load.reduce((total, one) => total + of(one), 0);
  const measured = divide(
    sum((one) => one.measuredHands),
    sum((one) => one.measuredSeconds),
  );
  const paceOf = (one: ClassLoad) => divide(one.measuredHands, one.measuredSeconds) || measured || rules.assumedRate;
  const hands = sum((one) => one.hands);
  if (hands === 0) {
    const pace = measured === 0 ? '' : ` (${formatNumber(measured)} hands/s a runner lately)`;
    return { hands, rate: measured, desired: minimum, reason: `No backlog${pace}: wants ${minimum}, the minimum` };
  }
  const runnerSeconds = sum((one) => one.hands / paceOf(one));
  const rate = hands / runnerSeconds;
  const needed = Math.max(1, Math.ceil(runnerSeconds / drainSeconds - 1e-9));
  const useful = Math.min(
    needed,
    sum((one) => one.jobs),
  );
  const desired = Math.min(maximum, Math.max(minimum, useful));
  const bound =
    desired < useful
      ? `, the maximum (${formatNumber(useful)} would be right)`
      : desired > useful
        ? ', the minimum'
        : useful < needed
          ? ', one for each match'
          : '';
  const assumed = measured === 0 ? ' (assumed, none is measured yet)' : '';
  const reason = `Backlog ${formatNumber(hands)} hands, ${formatNumber(rate)} hands/s a runner${assumed}: wants ${desired}${bound}`;
  return { hands, rate: measured === 0 ? 0 : rate, desired, reason };
}

/** Returns why a starting runner does not become ready; empty when none is known to fail. */
function startProblem({ nowMs, views }: Observation, { startMs }: AutoscalingRules): string {
  const starting = views.filter(({ state }) => state === 'starting').map(({ runner }) => runner);
  const failing = starting.find(({ problem }) => problem !== '');
  if (failing !== undefined) return `${failing.name}: ${failing.problem}`;
  const late = starting.find(({ startedAtMs }) => nowMs - startedAtMs > startMs);
  return late === undefined ? '' : `${late.name}: it has not asked for work yet, see its log`;
}

const divide = (dividend: number, divisor: number) => (divisor > 0 ? dividend / divisor : 0);
const formatSeconds = (ms: number) => formatNumber(Math.ceil(ms / 1000));
const formatNumber = (value: number) =>
  value < 10 ? String(Math.round(value * 10) / 10) : Math.round(value).toLocaleString('en-US');

/** Work of dealers. */
export interface DealerFigures {
  readonly matches: number;
  readonly hands: number;
  readonly acts: number;
  readonly playMs: number;
  readonly seatKills: ReadonlyMap<string, number>;
}

interface Known {
  readonly startedAtMs: number;
  readonly figures: DealerFigures;
}

const zero: DealerFigures = { matches: 0, hands: 0, acts: 0, playMs: 0, seatKills: new Map() };

/** Sums the counters of dealers, which restart at 0 with each dealer. */
export class DealerTotals {
  #known: Map<string, Known> | null = null;
  #sum = zero;

  /** Work since the first call of `add`. */
  get sum(): DealerFigures {
    return this.#sum;
  }

  /** Adds the increase since the last call. The first call sets the baseline: an earlier process has counted that work. */
  add(runners: readonly Runner__Output[]): void {
    const before = this.#known;
    const known = new Map<string, Known>();
    for (const { name, totals } of runners) {
      if (totals === null) continue;
      const figures = { ...totals, seatKills: new Map(totals.seatKills.map(({ reason, count }) => [reason, count])) };
      known.set(name, { startedAtMs: totals.startedAtMs, figures });
      if (before === null) continue;
      const last = before.get(name);
      this.#sum = addIncrease(this.#sum, figures, last?.startedAtMs === totals.startedAtMs ? last.figures : zero);
    }
    this.#known = known;
  }
}

function addIncrease(sum: DealerFigures, now: DealerFigures, last: DealerFigures): DealerFigures {
  const increased = (of: 'matches' | 'hands' | 'acts' | 'playMs') => sum[of] + Math.max(0, now[of] - last[of]);
  const seatKills = new Map(sum.seatKills);
  for (const [reason, count] of now.seatKills) {
    seatKills.set(reason, (seatKills.get(reason) ?? 0) + Math.max(0, count - (last.seatKills.get(reason) ?? 0)));
  }
  return {
    matches: increased('matches'),
    hands: increased('hands'),
    acts: increased('acts'),
    playMs: increased('playMs'),
    seatKills,
  };
}
