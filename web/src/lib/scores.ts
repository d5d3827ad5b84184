import { rankOf } from '@husky/match/ranks';
import { parseTime } from './format.ts';
import type { LeaderboardEntry } from './types.ts';

/** Adds ranks to rows. */
export function withRanks<Row>(rows: readonly Row[], scoreOf: (row: Row) => number): (Row & { rank: number })[] {
  const scores = rows.map(scoreOf);
  return rows.map((row) => ({ ...row, rank: rankOf(scoreOf(row), scores) }));
}

/** Returns a label for the row and column of a matrix: 'A' to 'Z', 'AA' …; a number would look like a rank. */
export const letterOf = (index: number): string =>
  (index < 26 ? '' : letterOf(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

export type ProfileStats = {
  count: number;
  best: number | null;
  latest: number | null;
  lastAt: string | null;
  /** Newest first. */
  recent: LeaderboardEntry[];
};

/** Computes the statistics of a profile from its leaderboard entries, given in any order. */
export function profileStats(entries: LeaderboardEntry[]): ProfileStats {
  const recent = [...entries].sort((a, b) => (parseTime(b.time_created) ?? 0) - (parseTime(a.time_created) ?? 0));
  const newest = recent[0];
  return {
    count: entries.length,
    best: entries.length === 0 ? null : Math.max(...entries.map((entry) => entry.score)),
    latest: newest?.score ?? null,
    lastAt: newest?.time_created ?? null,
    recent,
  };
}

/** Returns the link for a GitHub name or URL; null if it could lead to another site. */
export function githubUrl(github: string | null): string | null {
  const name = (github ?? '')
    .trim()
    .replace(/^(https?:\/\/)?(www\.)?github\.com\//i, '')
    .replace(/^@/, '')
    .replace(/\/$/, '');
  return /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/.test(name) ? `https://github.com/${name}` : null;
}
