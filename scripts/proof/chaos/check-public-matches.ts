import { listCalls, type Recorded } from './history.ts';

/** A shared response is computed within the deadline of a call (10 s) and then sent for 1 s. */
const staleMs = 12_000;

/** Checks that a finished match that was made public is in every later list of public matches. Lists of one page are judged. */
export function checkPublicMatches(calls: readonly Recorded[]): string[] {
  const published = listCalls(calls, 'make-public').filter(({ outcome }) => outcome === 'done');
  const finishedAt = new Map<string, number>();
  for (const { jobId, state, end } of listCalls(calls, 'status')) {
    if (state === 'Finished' && !finishedAt.has(jobId)) finishedAt.set(jobId, end);
  }
  const problems = new Set<string>();
  for (const { jobIds, total, start } of listCalls(calls, 'public-matches')) {
    if (jobIds === undefined || jobIds.length !== total) continue;
    const listed = new Set(jobIds);
    for (const { jobId, end } of published) {
      const since = Math.max(end, finishedAt.get(jobId) ?? Number.POSITIVE_INFINITY) + staleMs;
      if (since < start && !listed.has(jobId))
        problems.add(`match ${jobId} was made public and is missing in a later list of public matches`);
    }
  }
  return [...problems];
}
