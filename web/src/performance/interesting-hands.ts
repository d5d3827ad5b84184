import { formatNumber } from '../lib/format.ts';
import type { PlayerSeries } from './series.ts';

export type Reason = 'Player Breakthrough' | 'Player Collapse' | 'Underdog Comeback' | 'Leadership Change';
export type HandReason = { reason: Reason; significance: number; description: string };

/** `iteration` is the number of the hand (game_uuid), from 1. */
export type InterestingHand = { iteration: number; reasons: HandReason[]; totalSignificance: number };

const MAX_HANDS = 10;
const CHANGE_SHARE = 0.3;
const MOVE_SCALE = 1_000;
const MOVE_THRESHOLD = 0.4;
const BOTTOM_SHARE = 0.3;
const COMEBACK_SHARE = 0.5;
const LEADER_DROP_SHARE = 0.3;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const average = (values: readonly number[]): number => sum(values) / values.length;
const money = (value: number): string => `$${formatNumber(Math.abs(value))}`;

function variance(values: readonly number[]): number {
  const mean = average(values);
  return average(values.map((value) => (value - mean) ** 2));
}

function isZeroSum(rows: readonly number[][]): boolean {
  return rows.every((row) => Math.abs(sum(row)) <= 0.01 * row.length);
}

function changed(now: number, before: number): boolean {
  return before === 0 ? now !== 0 : Math.abs(now - before) >= CHANGE_SHARE * Math.abs(before);
}

type Step = { names: string[]; now: number[]; before: number[]; scale: number };

/** Returns the players with the highest value. */
function playersAtTop(values: readonly number[], players: readonly number[] = [...values.keys()]): number[] {
  const top = Math.max(...players.map((player) => values[player] ?? 0));
  return players.filter((player) => values[player] === top);
}

const joinNames = (names: readonly string[], players: readonly number[]): string =>
  players
    .map((player) => names[player] ?? '')
    .sort()
    .join(' and ');

/** Rates every player's change. Of equally significant ones the largest counts, then a gain before a loss; what is still equal is one event. */
function biggestMove({ names, now, before }: Step): HandReason[] {
  const moves = now.map((value, player) => value - (before[player] ?? 0));
  const sizes = moves.map(Math.abs);
  const significances = sizes.map((size, player) => {
    const previous = Math.abs(before[player] ?? 0);
    return Math.max(size / MOVE_SCALE, previous === 0 ? 0 : size / previous);
  });
  const players = playersAtTop(moves, playersAtTop(sizes, playersAtTop(significances)));
  const [player = 0] = players;
  const [move = 0, significance = 0] = [moves[player], significances[player]];
  if (significance <= MOVE_THRESHOLD) return [];
  const up = move > 0;
  const each = players.length > 1 ? ' each' : '';
  const description = `${joinNames(names, players)} ${up ? 'gained' : 'lost'} ${money(move)}${each}`;
  return [{ reason: up ? 'Player Breakthrough' : 'Player Collapse', significance, description }];
}

/** Finds players from the bottom 30 % who gained more than half the mean in this hand. */
function comebacks({ names, now, before, scale }: Step): HandReason[] {
  if (scale === 0) return [];
  return now.flatMap((value, player): HandReason[] => {
    const previous = before[player] ?? 0;
    const below = before.filter((other) => other < previous).length;
    const behind = before.some((other) => other > previous);
    const gain = value - previous;
    if (!behind || below / before.length >= BOTTOM_SHARE || gain <= 0 || gain <= COMEBACK_SHARE * scale) return [];
    return [
      {
        reason: 'Underdog Comeback',
        significance: gain / scale,
        description: `${names[player]} came back with ${money(gain)}`,
      },
    ];
  });
}

/**
 * Finds a change of the leader where a former leader dropped by more than 30 % of the mean. Of players who share the lead none may keep
 * it, and the largest drop counts.
 */
function leadershipChange({ names, now, before, scale }: Step): HandReason[] {
  const leaders = playersAtTop(now);
  const drops = before.map((value, player) => value - (now[player] ?? 0));
  const former = playersAtTop(drops, playersAtTop(before));
  const drop = drops[former[0] ?? -1] ?? 0;
  const kept = playersAtTop(before).some((player) => leaders.includes(player));
  if (kept || scale === 0 || drop <= LEADER_DROP_SHARE * scale) return [];
  return [
    {
      reason: 'Leadership Change',
      significance: drop / scale,
      description: `${joinNames(names, leaders)} took the lead from ${joinNames(names, former)}`,
    },
  ];
}

const compareReasons = (a: HandReason, b: HandReason): number =>
  b.significance - a.significance || (a.reason + a.description < b.reason + b.description ? -1 : 1);

/**
 * Returns at most ten hands that changed the table most, computed on raw cumulative deltas, most significant first. A hand is
 * a candidate when the mean or the variance over the players changed by 30 % or more. At a zero-sum table the mean is always
 * near 0, so the mean of the absolute values is used in all thresholds; elsewhere the absolute value of the mean. Names and order of the
 * players decide nothing.
 */
export function findInterestingHands(series: readonly PlayerSeries[]): InterestingHand[] {
  const names = series.map(({ name }) => name);
  const hands = series.reduce((shortest, { values }) => Math.min(shortest, values.length), Number.POSITIVE_INFINITY);
  if (series.length < 2 || !Number.isFinite(hands) || hands < 2) return [];
  const rows = Array.from({ length: hands }, (_, hand) => series.map(({ values }) => values[hand] ?? 0));
  const zeroSum = isZeroSum(rows);
  // Sorted, because the rounding of a sum depends on its order.
  const sorted = rows.map((row) => row.toSorted((a, b) => a - b));
  const means = sorted.map((row) => average(zeroSum ? row.map(Math.abs) : row));
  const variances = sorted.map(variance);
  const found: InterestingHand[] = [];
  for (let hand = 1; hand < hands; hand += 1) {
    const moved =
      changed(means[hand] ?? 0, means[hand - 1] ?? 0) || changed(variances[hand] ?? 0, variances[hand - 1] ?? 0);
    if (!moved) continue;
    const step = { names, now: rows[hand] ?? [], before: rows[hand - 1] ?? [], scale: Math.abs(means[hand] ?? 0) };
    const reasons = [...biggestMove(step), ...comebacks(step), ...leadershipChange(step)];
    if (reasons.length === 0) continue;
    reasons.sort(compareReasons);
    found.push({ iteration: hand + 1, reasons, totalSignificance: sum(reasons.map((reason) => reason.significance)) });
  }
  return found
    .sort((a, b) => b.totalSignificance - a.totalSignificance || a.iteration - b.iteration)
    .slice(0, MAX_HANDS);
}
