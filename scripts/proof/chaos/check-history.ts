import { checkBatches } from './check-batches.ts';
import { checkBoard } from './check-board.ts';
import { checkPublicMatches } from './check-public-matches.ts';
import { checkStatuses } from './check-statuses.ts';
import { checkWatches } from './check-watches.ts';
import { listCalls, type Recorded } from './history.ts';

/**
 * Compares a history with a model of the platform: a call that was done takes effect at one moment between its start and its end, a
 * refused call has no effect, a call with unknown outcome may have one. Returns a sentence for each violation.
 */
export function checkHistory(calls: readonly Recorded[]): string[] {
  return [
    ...checkSubmissions(calls),
    ...checkJobs(calls),
    ...checkBatches(calls),
    ...checkBoard(calls),
    ...checkAccounts(calls),
    ...checkPublicMatches(calls),
    ...checkWatches(calls),
    ...checkStatuses(calls),
  ];
}

/** Checks that an uploaded submission is in every later list until its removal starts, and in none after its removal. */
function checkSubmissions(calls: readonly Recorded[]): string[] {
  const uploads = listCalls(calls, 'upload').filter(({ outcome }) => outcome === 'done');
  const removals = Map.groupBy(listCalls(calls, 'remove'), ({ submissionId }) => submissionId);
  const problems: string[] = [];
  const firstListed = new Map<string, number>();
  for (const list of listCalls(calls, 'submissions')) {
    if (list.outcome !== 'done') continue;
    const listed = new Set(list.submissionIds);
    if (listed.size !== list.submissionIds?.length) problems.push(`a list of ${list.user} has a submission twice`);
    for (const upload of uploads) {
      const id = upload.submissionId ?? '';
      if (upload.user !== list.user || upload.end >= list.start || listed.has(id)) continue;
      const removed = removals.get(id)?.some(({ start }) => start < list.end);
      if (!removed) problems.push(`submission ${id} of ${list.user} was accepted and is missing in a later list`);
    }
    for (const id of listed) {
      const wasRemoved = removals.get(id)?.some(({ outcome, end }) => outcome === 'done' && end < list.start);
      if (wasRemoved) problems.push(`submission ${id} of ${list.user} was removed and is in a later list`);
    }
    for (const [id, since] of firstListed) {
      if (!id.startsWith(`${list.user} `) || since >= list.start || listed.has(id.slice(list.user.length + 1)))
        continue;
      const removed = removals.get(id.slice(list.user.length + 1))?.some(({ start }) => start < list.end);
      if (!removed) problems.push(`submission ${id} was listed and is missing in a later list`);
    }
    for (const id of listed)
      firstListed.set(`${list.user} ${id}`, Math.min(list.end, firstListed.get(`${list.user} ${id}`) ?? list.end));
  }
  return [...new Set(problems)];
}

/** Checks that an accepted job stays known, and that after a read of Finished every later read returns Finished with the same result. */
function checkJobs(calls: readonly Recorded[]): string[] {
  const problems: string[] = [];
  const accepted = new Map<string, number>();
  for (const { outcome, jobId, end } of listCalls(calls, 'start')) {
    if (outcome !== 'done' || jobId === undefined) continue;
    if (accepted.has(jobId)) problems.push(`job ${jobId} was accepted twice`);
    accepted.set(jobId, end);
  }
  for (const [jobId, reads] of Map.groupBy(listCalls(calls, 'status'), (read) => read.jobId)) {
    const acceptedAt = accepted.get(jobId);
    for (const read of reads) {
      if (read.status === 404 && acceptedAt !== undefined && acceptedAt < read.start)
        problems.push(`job ${jobId} was accepted and is not known later`);
      if (read.state !== 'Finished') continue;
      const sum = Object.values(read.result ?? {}).reduce((total, delta) => total + delta, 0);
      if (Math.round(sum * 100) !== 0) problems.push(`the results of job ${jobId} sum to ${sum}`);
      for (const later of reads) {
        if (later.start <= read.end || later.outcome !== 'done') continue;
        if (later.state !== 'Finished') problems.push(`job ${jobId} went from Finished to ${later.state}`);
        else if (!sameScores(read.result, later.result)) problems.push(`the result of job ${jobId} has changed`);
      }
    }
  }
  return [...new Set(problems)];
}

function sameScores(a: object = {}, b: object = {}): boolean {
  const text = (scores: object) => JSON.stringify(Object.entries(scores).sort(([x], [y]) => (x < y ? -1 : 1)));
  return text(a) === text(b);
}

/** Checks that a session is the session of the user who signed in. */
function checkAccounts(calls: readonly Recorded[]): string[] {
  return listCalls(calls, 'account')
    .filter(({ user, read }) => read !== undefined && read !== user)
    .map(({ user, read }) => `${user} signed in and got a session of ${read}`);
}
