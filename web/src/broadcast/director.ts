import { formatNumber } from '../lib/format.ts';
import { formatChips } from '../table/chips.ts';
import { truncate } from '../table/names.ts';
import type { LiveJob } from './live-merge.ts';

/** Wished length of a broadcast in minutes; 'all' shows every hand. */
export type Length = 1 | 3 | 10 | 'all';

/** A hand to show for `ms`; before it `skipText` of the hands that are left out, for `skip.ms`. */
export type Item = { hand: number; ms: number; skip: { from: number; to: number; ms: number } | null };

/** Where a broadcast is: the last hand that was on air (0: none), and the time that is left; null: every hand is shown. */
export type Position = { after: number; leftMs: number | null };

/** Normal time of the sentence about hands that are left out. */
export const SKIP_MS = 2_200;
const PLAIN_MS = 5_000;
const SHOWDOWN_MS = 8_000;
const ALL_IN_MS = 9_500;
const DECISIVE_MS = 11_000;
/** Limits of the pace: a hand is never shown faster or slower than its normal time times these. */
const MIN_SCALE = 0.35;
const MAX_SCALE = 1.5;
const LEAD_MARGIN = 0.1;

const netIn = (values: readonly number[], hand: number) => (values[hand - 1] ?? 0) - (values[hand - 2] ?? 0);

/** Returns the player who won or lost most in a hand. */
function biggestMove(job: LiveJob, hand: number): { name: string; net: number } {
  let best = { name: '', net: 0 };
  for (const [name, values] of job.series) {
    const net = netIn(values, hand);
    if (Math.abs(net) > Math.abs(best.net)) best = { name, net };
  }
  return best;
}

/** Returns the players with the most chips after a hand. */
export function leadersAfter(job: LiveJob, hand: number): string[] {
  let top = Number.NEGATIVE_INFINITY;
  for (const values of job.series.values()) top = Math.max(top, values[hand - 1] ?? 0);
  return [...job.series.keys()].filter((name) => (job.series.get(name)?.[hand - 1] ?? 0) === top);
}

/**
 * Returns the hands in which the lead changed. In the first hands a few chips decide who is ahead, so the lead changes when another
 * player is ahead of the leader by a tenth of a starting stack, or of the own result where that is more. In a match that has ended, the
 * winner's last step to the top counts with any margin.
 */
export function leadChanges(job: LiveJob): number[] {
  const start = job.progress?.startingStack ?? 0;
  const players = [...job.series.values()];
  const found: number[] = [];
  let [leader, top, topSince] = [-1, -1, 0];
  for (let hand = 1; hand <= job.hands.length; hand += 1) {
    const totals = players.map((values) => values[hand - 1] ?? 0);
    const most = Math.max(...totals);
    const first = totals.indexOf(most);
    const alone = totals.lastIndexOf(most) === first;
    if (!alone) top = -1;
    else if (first !== top) [top, topSince] = [first, hand];
    const next = leader < 0 ? Math.max(...totals.filter((_, seat) => seat !== first)) : (totals[leader] ?? 0);
    if (first === leader || most - next < Math.max(start, Math.abs(most)) * LEAD_MARGIN) continue;
    if (leader >= 0) found.push(hand);
    leader = first;
  }
  const decided = job.ended !== null && leader >= 0 && top >= 0 && top !== leader;
  return decided ? [...found, topSince] : found;
}

/** Describes hands that are not shown: 'Hands 79 to 336: ann lost $9,800 in hand 112, bob leads.' Tells nothing of later hands. */
export function skipText(job: LiveJob, from: number, to: number): string {
  let best = { name: '', net: 0, hand: from };
  const out: string[] = [];
  for (let hand = from; hand <= to; hand += 1) {
    const move = biggestMove(job, hand);
    if (Math.abs(move.net) > Math.abs(best.net)) best = { ...move, hand };
    out.push(...(job.hands[hand - 1]?.out ?? []));
  }
  const name = (full: string) => truncate(full, 20);
  const leaders = leadersAfter(job, to);
  const parts = [
    best.net === 0
      ? 'nobody won a chip'
      : `${name(best.name)} ${best.net > 0 ? 'won' : 'lost'} ${formatChips(Math.abs(best.net))}${from === to ? '' : ` in hand ${formatNumber(best.hand)}`}`,
    ...out.map((player) => `${name(player)} is out`),
    leaders.length === 1 ? `${name(leaders[0] ?? '')} leads` : 'nobody leads alone',
  ];
  const hands = from === to ? `Hand ${formatNumber(from)}` : `Hands ${formatNumber(from)} to ${formatNumber(to)}`;
  return `${hands}: ${parts.join(', ')}.`;
}

type Candidate = { hand: number; ms: number; score: number; decisive: boolean };

/** Rates the hands after `after`: decisive ones first (eliminations, lead changes, the last hand), then by chips won and swings. */
function candidatesOf(job: LiveJob, after: number, swings: ReadonlyMap<number, number>): Candidate[] {
  const start = job.progress?.startingStack ?? 0;
  const leads = new Set(leadChanges(job));
  return job.hands.slice(after).map(({ allIn, showdown, out }, index) => {
    const hand = after + index + 1;
    const last = job.ended !== null && hand === job.hands.length;
    const turns = out.length > 0 || leads.has(hand);
    const ms = turns ? DECISIVE_MS : allIn ? ALL_IN_MS : showdown ? SHOWDOWN_MS : PLAIN_MS;
    const net = Math.abs(biggestMove(job, hand).net);
    const score =
      net + (swings.get(hand) ?? 0) + (allIn ? start / 4 : 0) + (last ? 1e12 : 0) + (out.length > 0 ? 1e10 : 0);
    return { hand, ms, score, decisive: turns || last };
  });
}

const skipsBefore = (hands: readonly number[], after: number) =>
  hands.filter((hand, index) => hand !== (hands[index - 1] ?? after) + 1).length;

/** Returns the normal time of these hands, with the sentences between them. */
function totalMs(chosen: readonly Candidate[], after: number): number {
  const hands = chosen.map(({ hand }) => hand).sort((a, b) => a - b);
  return chosen.reduce((sum, { ms }) => sum + ms, 0) + skipsBefore(hands, after) * SKIP_MS;
}

/**
 * Chooses hands: decisive ones as long as the time that is left suffices at the fastest pace, then others by score for `ms` at the normal
 * pace. At least one hand.
 */
function choose(candidates: readonly Candidate[], after: number, leftMs: number, ms: number): Candidate[] {
  const sorted = candidates.toSorted(
    (a, b) => Number(b.decisive) - Number(a.decisive) || b.score - a.score || a.hand - b.hand,
  );
  const chosen: Candidate[] = [];
  let sum = 0;
  for (const candidate of sorted) {
    if (!candidate.decisive && chosen.length > 0 && sum >= ms) break;
    const next = totalMs([...chosen, candidate], after);
    // The sum that is nearer to the wish.
    const tooLong = candidate.decisive ? next * MIN_SCALE > leftMs : next - ms > ms - sum;
    if (chosen.length > 0 && tooLong) continue;
    chosen.push(candidate);
    sum = next;
  }
  return chosen.sort((a, b) => a.hand - b.hand);
}

/**
 * Returns what to show next of a match, running or finished: hands in order, each with its time, and a sentence for the hands between.
 * Of a running match the hands known so far get their share of the time that is left, and the next call with the position after the
 * first item continues with what is known by then: a hand on air is never changed. `swings` has the change of equity times pot by
 * hand, where it is known. The whole takes the time that is left, unless the match has too few hands for it.
 */
export function programme(job: LiveJob, position: Position, swings: ReadonlyMap<number, number> = new Map()): Item[] {
  const { after, leftMs } = position;
  const known = job.hands.length - after;
  if (known <= 0) return [];
  const candidates = candidatesOf(job, after, swings);
  if (leftMs === null) return candidates.map(({ hand, ms }) => ({ hand, ms, skip: null }));
  const running = job.ended === null;
  const time = running ? (leftMs * known) / Math.max(known, expectedHands(job) - after) : leftMs;
  const chosen = choose(candidates, after, running ? Number.POSITIVE_INFINITY : leftMs, time);
  // A match that lasts longer than the wish is shown at the normal pace up to its end.
  const fastest = running && chosen.length === 1 ? 1 : MIN_SCALE;
  const scale = Math.min(MAX_SCALE, Math.max(fastest, time / totalMs(chosen, after)));
  return chosen.map(({ hand, ms }, index) => {
    const from = (chosen[index - 1]?.hand ?? after) + 1;
    const to = hand - 1;
    const skip = from > to ? null : { from, to, ms: SKIP_MS * scale };
    return { hand, ms: ms * scale, skip };
  });
}

/** Returns how many hands the match will have, as far as it is known. */
export function expectedHands(job: LiveJob): number {
  return job.ended === null ? Math.max(job.hands.length, job.progress?.numRounds ?? 0) : job.hands.length;
}

/** Returns the time for the rest of a match after a hand, of a broadcast of this length. */
export function timeFor(job: LiveJob, length: Length, after: number): number | null {
  return length === 'all' ? null : length * 60_000 * (1 - after / Math.max(1, expectedHands(job)));
}
