import type { ContainerView } from './containers.ts';

export interface AutoscalingRules {
  readonly minimum: number;
  readonly maximum: number;
  /** Within which the backlog is to be played. */
  readonly drainSeconds: number;
  /** Least time between two changes up. */
  readonly upMs: number;
  /** It goes down to the largest size wanted within this time. */
  readonly downMs: number;
  /** How long a runner may take until it asks for work. */
  readonly startMs: number;
  /** A runner's hands a second while nothing is measured. */
  readonly assumedRate: number;
}

/** One class of the queue: what could be played now or is being played, and what a runner's pace was lately. */
export interface ClassLoad {
  readonly jobs: number;
  readonly hands: number;
  readonly measuredHands: number;
  readonly measuredSeconds: number;
}

/** What is seen at one look. */
export interface Sight {
  readonly nowMs: number;
  readonly load: readonly ClassLoad[];
  readonly views: readonly ContainerView[];
  /** Runners there are or that are ordered, without those that are going. */
  readonly size: number;
  /** A change of size that has not ended. */
  readonly openJob: { readonly fromSize: number; readonly targetSize: number } | null;
}

/** What earlier looks have left behind. */
export interface Trail {
  /** Since when it has been looked without a gap and by the same rules. */
  readonly sinceMs: number;
  readonly wants: readonly { readonly atMs: number; readonly size: number }[];
  /** When autoscaling last changed the size. */
  readonly scaledMs: number | null;
}

export interface Decision {
  readonly state: 'steady' | 'scaling' | 'waiting' | 'stopped';
  /** In words, for the container page. */
  readonly reason: string;
  readonly backlogHands: number;
  /** Hands a second of one runner; 0: not known. */
  readonly rate: number;
  readonly wanted: number;
  /** The size to ask for now; null: none. */
  readonly target: number | null;
}

/** Whether, and to what size, the fleet is to be scaled. */
export function decide(sight: Sight, rules: AutoscalingRules, trail: Trail): Decision {
  const want = wantedSize(sight.load, rules);
  const { wanted } = want;
  const decision = (state: Decision['state'], then: string, target: number | null = null): Decision => ({
    ...{ state, wanted, target, backlogHands: want.hands, rate: want.rate },
    reason: then === '' ? `${want.reason}.` : `${want.reason}; ${then}.`,
  });
  const { size, openJob, nowMs } = sight;

  if (openJob !== null) {
    const goesDown = openJob.targetSize < openJob.fromSize;
    if (!goesDown || wanted <= openJob.targetSize) {
      return decision('scaling', `the change to ${openJob.targetSize} is under way`);
    }
  }
  const problem = problemOf(sight, rules);
  if (problem !== '' && wanted >= size) return decision('stopped', `stopped while runners do not come up: ${problem}`);
  if (wanted === size) return decision('steady', '');
  if (wanted > size) {
    const waitMs = trail.scaledMs === null ? 0 : trail.scaledMs + rules.upMs - nowMs;
    if (waitMs > 0) return decision('waiting', `goes up in ${seconds(waitMs)} s`);
    return decision('scaling', `goes up from ${size}`, wanted);
  }
  return down(sight, rules, trail, decision, wanted);
}

/** What is remembered of a look until the next one. */
export function remember(trail: Trail, nowMs: number, wanted: number, downMs: number): Trail {
  const wants = [...trail.wants, { atMs: nowMs, size: wanted }].filter(({ atMs }) => atMs > nowMs - downMs);
  return { ...trail, wants };
}

function down(
  { nowMs, size, views }: Sight,
  { downMs }: AutoscalingRules,
  { sinceMs, wants }: Trail,
  decision: (state: Decision['state'], then: string, target?: number | null) => Decision,
  wanted: number,
): Decision {
  const lately = wants.filter(({ atMs }) => atMs > nowMs - downMs);
  const waitMs = sinceMs + downMs - nowMs;
  if (waitMs > 0) return decision('waiting', `may go down in ${seconds(waitMs)} s`);
  const most = Math.max(wanted, ...lately.map(({ size }) => size));
  if (most >= size) return decision('waiting', `has wanted ${most} within the last ${seconds(downMs)} s`);
  const playing = views.filter(({ state }) => state === 'active' || state === 'acquired').length;
  const next = Math.max(most, playing);
  if (next >= size) return decision('waiting', `${playing} runners are playing`);
  const why = next === wanted ? '' : next === playing ? `, as ${playing} are playing` : `, as wanted lately`;
  return decision('scaling', `goes down from ${size} to ${next}${why}`, next);
}

interface Want {
  readonly hands: number;
  readonly rate: number;
  readonly wanted: number;
  readonly reason: string;
}

function wantedSize(load: readonly ClassLoad[], rules: AutoscalingRules): Want {
  const { minimum, maximum, drainSeconds } = rules;
  const sum = (of: (one: ClassLoad) => number) => load.reduce((total, one) => total + of(one), 0);
  const measured = quotient(
    sum((one) => one.measuredHands),
    sum((one) => one.measuredSeconds),
  );
  const paceOf = (one: ClassLoad) => quotient(one.measuredHands, one.measuredSeconds) || measured || rules.assumedRate;
  const hands = sum((one) => one.hands);
  if (hands === 0) {
    const pace = measured === 0 ? '' : ` (${count(measured)} hands/s a runner lately)`;
    return { hands, rate: measured, wanted: minimum, reason: `No backlog${pace}: wants ${minimum}, the minimum` };
  }
  const runnerSeconds = sum((one) => one.hands / paceOf(one));
  const rate = hands / runnerSeconds;
  const needed = Math.max(1, Math.ceil(runnerSeconds / drainSeconds - 1e-9));
  const useful = Math.min(
    needed,
    sum((one) => one.jobs),
  );
  const wanted = Math.min(maximum, Math.max(minimum, useful));
  const bound =
    wanted < useful
      ? `, the maximum (${count(useful)} would be right)`
      : wanted > useful
        ? ', the minimum'
        : useful < needed
          ? ', one for each match'
          : '';
  const assumed = measured === 0 ? ' (assumed, none is measured yet)' : '';
  const reason = `Backlog ${count(hands)} hands, ${count(rate)} hands/s a runner${assumed}: wants ${wanted}${bound}`;
  return { hands, rate: measured === 0 ? 0 : rate, wanted, reason };
}

function problemOf({ nowMs, views }: Sight, { startMs }: AutoscalingRules): string {
  const starting = views.filter(({ state }) => state === 'starting').map(({ runner }) => runner);
  const told = starting.find(({ problem }) => problem !== '');
  if (told !== undefined) return `${told.name}: ${told.problem}`;
  const late = starting.find(({ startedAtMs }) => nowMs - startedAtMs > startMs);
  return late === undefined ? '' : `${late.name}: it has not asked for work yet, see its log`;
}

const quotient = (dividend: number, divisor: number) => (divisor > 0 ? dividend / divisor : 0);
const seconds = (ms: number) => count(Math.ceil(ms / 1000));
const count = (value: number) =>
  value < 10 ? String(Math.round(value * 10) / 10) : Math.round(value).toLocaleString('en-US');
