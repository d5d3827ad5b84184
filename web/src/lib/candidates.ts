import type { Candidate } from './users.ts';

export type CandidateSort = 'final-first' | 'final-last' | 'name';

function byName(a: Candidate, b: Candidate): number {
  return a.username.localeCompare(b.username, 'en', { sensitivity: 'base' });
}

/** The candidates that match the search, in the wanted order. */
export function arrangeCandidates(candidates: Candidate[], search: string, sort: CandidateSort): Candidate[] {
  const wanted = search.trim().toLowerCase();
  const found = candidates.filter((entry) => entry.username.toLowerCase().includes(wanted));
  const side = { 'final-first': -1, 'final-last': 1, name: 0 }[sort];
  return found.sort((a, b) => side * (Number(a.hasFinal) - Number(b.hasFinal)) || byName(a, b));
}

/** The roster after a tick of this user; an addition beyond the limit changes nothing. */
export function toggleCandidate(roster: string[], username: string, limit: number): string[] {
  if (roster.includes(username)) return roster.filter((name) => name !== username);
  return roster.length >= limit ? roster : [...roster, username];
}
