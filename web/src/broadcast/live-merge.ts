import type { ServerEvent } from './follow-stream.ts';

/** A hand of the stream. `pot` in chips; `out`: players who lost their last chips in it. */
export type LiveHand = {
  game_id: string;
  game_uuid: string;
  pot: number;
  allIn: boolean;
  showdown: boolean;
  out: readonly string[];
};
export type LiveProgress = {
  handsDone: number;
  numRounds: number;
  handsPerSecond: number | null;
  secondsLeft: number | null;
  status: string;
  /** Chips of each player before the first hand. */
  startingStack: number;
  /** Every hand starts with the starting stack, and nobody is out. */
  resetsStacks: boolean;
  /** Open streams of this match; null if unknown. */
  watchers: number | null;
};

/** State of a match, merged from its stream. `hands[k]` is hand k + 1 of the attempt; `series` has as many values per player. */
export type LiveJob = {
  attempt: number | null;
  hands: readonly LiveHand[];
  series: ReadonlyMap<string, readonly number[]>;
  progress: LiveProgress | null;
  /** The status of the `end` event; null while the match runs. */
  ended: string | null;
};

/** `gap`: hands are missing, and the stream must be reopened from `lastEventId`. */
export type Merge = { job: LiveJob; gap: boolean };

export const NO_LIVE_JOB: LiveJob = { attempt: null, hands: [], series: new Map(), progress: null, ended: null };

type Fields = Record<string, unknown>;
type Draft = Omit<LiveJob, 'hands' | 'series'> & { hands: LiveHand[]; series: Map<string, number[]>; gap: boolean };

function parseData(event: ServerEvent): Fields {
  try {
    const value: unknown = JSON.parse(event.data);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
  } catch {
    return {};
  }
}

const numberOr = <T>(value: unknown, fallback: T): number | T =>
  typeof value === 'number' && Number.isFinite(value) ? value : fallback;

/** Parses an event id `attempt:hand`; null for anything else. */
export function parseEventId(id: string | null): { attempt: number; hand: number } | null {
  const match = /^(\d{1,9}):(\d{1,9})$/.exec(id ?? '');
  return match === null ? null : { attempt: Number(match[1]), hand: Number(match[2]) };
}

/** Returns the Last-Event-ID with which the stream continues without a gap; null before the first event. */
export function lastEventId(job: LiveJob): string | null {
  return job.attempt === null ? null : `${job.attempt}:${job.hands.length}`;
}

function startAttempt(draft: Draft, attempt: number | null): void {
  draft.attempt = attempt;
  draft.hands = [];
  draft.series = new Map();
  draft.ended = null;
  if (draft.progress !== null) draft.progress = { ...draft.progress, handsDone: 0, secondsLeft: null };
}

function addHand(draft: Draft, hand: number, data: Fields): void {
  const given = Object.entries(typeof data.cumulative === 'object' && data.cumulative !== null ? data.cumulative : {});
  for (const [name, value] of given) {
    const values = draft.series.get(name) ?? Array.from({ length: hand - 1 }, () => 0);
    values.push(numberOr(value, values.at(-1) ?? 0));
    draft.series.set(name, values);
  }
  for (const values of draft.series.values()) if (values.length < hand) values.push(values.at(-1) ?? 0);
  draft.hands.push({
    game_id: String(data.game_id ?? ''),
    game_uuid: String(data.game_uuid ?? hand),
    pot: numberOr(data.pot, 0),
    allIn: data.all_in === true,
    showdown: data.showdown === true,
    out: Array.isArray(data.out) ? data.out.map(String) : [],
  });
}

function mergeHand(draft: Draft, event: ServerEvent): void {
  const id = parseEventId(event.id);
  if (id === null || id.attempt < (draft.attempt ?? 0)) return;
  if (id.attempt !== draft.attempt) startAttempt(draft, id.attempt);
  if (id.hand === draft.hands.length + 1) addHand(draft, id.hand, parseData(event));
  else draft.gap = id.hand > draft.hands.length;
}

function mergeReset(draft: Draft, event: ServerEvent): void {
  const attempt = parseEventId(event.id)?.attempt ?? numberOr(parseData(event).attempt, null);
  if (attempt === null || attempt > (draft.attempt ?? -1)) startAttempt(draft, attempt);
}

function mergeProgress(draft: Draft, data: Fields): void {
  draft.progress = {
    handsDone: numberOr(data.hands_done, draft.hands.length),
    numRounds: numberOr(data.num_rounds, draft.progress?.numRounds ?? 0),
    handsPerSecond: numberOr(data.hands_per_second, null),
    secondsLeft: numberOr(data.seconds_left, null),
    status: typeof data.status === 'string' ? data.status : (draft.progress?.status ?? 'Running'),
    startingStack: numberOr(data.starting_stack, draft.progress?.startingStack ?? 0),
    resetsStacks: data.stacks === 'reset',
    watchers: numberOr(data.watchers, null),
  };
}

function mergeOne(draft: Draft, event: ServerEvent): void {
  if (event.type === 'hand') mergeHand(draft, event);
  if (event.type === 'reset') mergeReset(draft, event);
  if (event.type === 'progress') mergeProgress(draft, parseData(event));
  if (event.type === 'end') {
    const { status } = parseData(event);
    draft.ended = typeof status === 'string' ? status : 'Finished';
  }
}

/**
 * Merges events in order, up to the first gap. Ignores hands of earlier attempts and duplicates; a new attempt discards all
 * previous hands. Does not mutate the given job.
 */
export function mergeEvents(job: LiveJob, events: readonly ServerEvent[]): Merge {
  const draft: Draft = {
    ...job,
    hands: [...job.hands],
    series: new Map([...job.series].map(([name, values]) => [name, [...values]])),
    gap: false,
  };
  for (const event of events) {
    mergeOne(draft, event);
    if (draft.gap) break;
  }
  const { gap, ...merged } = draft;
  return { job: merged, gap };
}
