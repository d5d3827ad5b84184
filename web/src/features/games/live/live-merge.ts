import type { ServerEvent } from './event-parser.ts';

export type LiveHand = { game_id: string; game_uuid: string };
export type LiveProgress = { handsDone: number; numRounds: number; handsPerSecond: number | null; secondsLeft: number | null; status: string };

/** All that a stream has told of a match. `hands[k]` is hand k + 1 of the attempt; `series` has as many values per player. */
export type LiveJob = {
  attempt: number | null;
  hands: LiveHand[];
  series: Record<string, number[]>;
  progress: LiveProgress | null;
  /** The status of the `end` event; null while the match runs. */
  ended: string | null;
};

/** `gap` means that hands are missing: the stream must be asked again from `lastEventId`. */
export type Merge = { job: LiveJob; gap: boolean };

export const NO_LIVE_JOB: LiveJob = { attempt: null, hands: [], series: {}, progress: null, ended: null };

type Fields = Record<string, unknown>;

function parseData(event: ServerEvent): Fields {
  try {
    const value: unknown = JSON.parse(event.data);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
  } catch {
    return {};
  }
}

const numberOr = <T>(value: unknown, other: T): number | T => (typeof value === 'number' && Number.isFinite(value) ? value : other);

/** The parts of an event id `attempt:hand`; null for anything else. */
export function parseEventId(id: string | null): { attempt: number; hand: number } | null {
  const match = /^(\d{1,9}):(\d{1,9})$/.exec(id ?? '');
  return match === null ? null : { attempt: Number(match[1]), hand: Number(match[2]) };
}

/** What to send as Last-Event-ID so that the next event follows on without a gap; null before the first one. */
export function lastEventId(job: LiveJob): string | null {
  return job.attempt === null ? null : `${job.attempt}:${job.hands.length}`;
}

function startAttempt(job: LiveJob, attempt: number): LiveJob {
  return { ...NO_LIVE_JOB, attempt, progress: job.progress === null ? null : { ...job.progress, handsDone: 0 } };
}

function addHand(job: LiveJob, hand: number, data: Fields): LiveJob {
  const given = typeof data.cumulative === 'object' && data.cumulative !== null ? (data.cumulative as Fields) : {};
  const names = new Set([...Object.keys(job.series), ...Object.keys(given)]);
  const series: Record<string, number[]> = {};
  for (const name of names) {
    const known = Object.hasOwn(job.series, name) ? (job.series[name] ?? []) : Array.from({ length: hand - 1 }, () => 0);
    const value = Object.hasOwn(given, name) ? numberOr(given[name], known.at(-1) ?? 0) : (known.at(-1) ?? 0);
    Object.defineProperty(series, name, { value: [...known, value], enumerable: true, writable: true, configurable: true });
  }
  const entry = { game_id: String(data.game_id ?? ''), game_uuid: String(data.game_uuid ?? hand) };
  return { ...job, hands: [...job.hands, entry], series };
}

function mergeHand(job: LiveJob, event: ServerEvent): Merge {
  const id = parseEventId(event.id);
  if (id === null || id.attempt < (job.attempt ?? 0)) return { job, gap: false };
  const current = id.attempt === job.attempt ? job : startAttempt(job, id.attempt);
  if (id.hand <= current.hands.length) return { job: current, gap: false };
  if (id.hand > current.hands.length + 1) return { job: current, gap: true };
  return { job: addHand(current, id.hand, parseData(event)), gap: false };
}

function mergeReset(job: LiveJob, event: ServerEvent): LiveJob {
  const attempt = parseEventId(event.id)?.attempt ?? numberOr(parseData(event).attempt, null);
  if (attempt !== null && attempt <= (job.attempt ?? -1)) return job;
  return attempt === null ? { ...startAttempt(job, 0), attempt: null } : startAttempt(job, attempt);
}

function mergeProgress(job: LiveJob, data: Fields): LiveJob {
  const progress: LiveProgress = {
    handsDone: numberOr(data.hands_done, job.hands.length),
    numRounds: numberOr(data.num_rounds, job.progress?.numRounds ?? 0),
    handsPerSecond: numberOr(data.hands_per_second, null),
    secondsLeft: numberOr(data.seconds_left, null),
    status: typeof data.status === 'string' ? data.status : (job.progress?.status ?? 'Running'),
  };
  return { ...job, progress };
}

/** Adds one event. Hands of earlier attempts and hands already there are dropped; a new attempt drops everything before it. */
export function mergeEvent(job: LiveJob, event: ServerEvent): Merge {
  switch (event.type) {
    case 'hand':
      return mergeHand(job, event);
    case 'reset':
      return { job: mergeReset(job, event), gap: false };
    case 'progress':
      return { job: mergeProgress(job, parseData(event)), gap: false };
    case 'end': {
      const status = parseData(event).status;
      return { job: { ...job, ended: typeof status === 'string' ? status : 'Finished' }, gap: false };
    }
    default:
      return { job, gap: false };
  }
}
