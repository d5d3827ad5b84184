import { checkBoard } from './check-board.ts';
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

/** Refusals of calls whose effect may not be visible yet: a match that has just finished cannot be downloaded at once. */
const temporary = [404, 409];

/**
 * Checks that calls, which are all valid, are refused only with 429 or 503, because another status would mislead the caller, and that no
 * call returns 500: faults are expected, so their errors have a status of their own.
 */
function checkStatuses(calls: readonly Recorded[]): string[] {
  return calls.flatMap((recorded) => {
    const { call, status, outcome, detail } = recorded;
    const name = call === 'other' ? recorded.request : call;
    if (status === 500) return [`a valid ${name} failed with 500`];
    if (outcome !== 'refused' || status === 429 || status === 503) return [];
    if (call === 'other' && temporary.includes(status)) return [];
    return [`a valid ${name} was refused with ${status}: ${detail ?? ''}`];
  });
}

/** A shared response is computed within the deadline of a call (10 s) and then sent for 1 s. */
const staleMs = 12_000;

/** Checks that a finished match that was made public is in every later list of public matches. Lists of one page are judged. */
function checkPublicMatches(calls: readonly Recorded[]): string[] {
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

/** Checks that an accepted batch stays known, and that its list of jobs only grows, has no job twice and no more jobs than accepted. */
function checkBatches(calls: readonly Recorded[]): string[] {
  const problems: string[] = [];
  const accepted = new Map<string, { readonly end: number; readonly jobs: number }>();
  for (const { outcome, batchId, jobs = 0, end } of listCalls(calls, 'start-batch')) {
    if (outcome !== 'done' || batchId === undefined) continue;
    if (accepted.has(batchId)) problems.push(`batch ${batchId} was accepted twice`);
    accepted.set(batchId, { end, jobs });
  }
  for (const [batchId, reads] of Map.groupBy(listCalls(calls, 'batch-jobs'), (read) => read.batchId)) {
    const start = accepted.get(batchId);
    for (const [at, { jobIds, status, ...read }] of reads.entries()) {
      if (status === 404 && start !== undefined && start.end < read.start)
        problems.push(`batch ${batchId} was accepted and is not known later`);
      if (jobIds === undefined) continue;
      const listed = new Set(jobIds);
      if (listed.size < jobIds.length) problems.push(`a list of batch ${batchId} has a job twice`);
      if (start !== undefined && listed.size > start.jobs)
        problems.push(`batch ${batchId} has ${listed.size} jobs, accepted were ${start.jobs}`);
      const earlier = reads.slice(0, at).findLast(({ end, outcome }) => outcome === 'done' && end < read.start);
      for (const jobId of earlier?.jobIds ?? []) {
        if (!listed.has(jobId))
          problems.push(`job ${jobId} was listed in batch ${batchId} and is missing in a later list`);
      }
    }
  }
  return [...new Set(problems)];
}

/**
 * Checks that a watcher gets the hands of an attempt in order, each once, that the number of the attempt never decreases, and that a watch
 * that ended has the last hand of its finished match.
 */
function checkWatches(calls: readonly Recorded[]): string[] {
  const problems: string[] = [];
  const handsOf = new Map<string, number>();
  for (const { jobId, state, handsPlayed } of listCalls(calls, 'status')) {
    if (state === 'Finished' && handsPlayed !== undefined) handsOf.set(jobId, handsPlayed);
  }
  for (const { jobId, after, hands, ended } of listCalls(calls, 'watch')) {
    let [attempt = 0, hand = 0] = after.split(':').map(Number);
    for (const id of hands) {
      const [nextAttempt = 0, nextHand = 0] = id.split(':').map(Number);
      const follows = nextAttempt === attempt ? nextHand === hand + 1 : nextAttempt > attempt && nextHand <= 1;
      if (!follows) {
        problems.push(`a watcher of ${jobId} got hand ${id} after ${attempt}:${hand}`);
        break;
      }
      [attempt, hand] = [nextAttempt, nextHand];
    }
    if (ended?.state !== 'Finished') continue;
    const last = Number(ended.at.split(':')[1]);
    for (const played of new Set([ended.handsPlayed, handsOf.get(jobId) ?? ended.handsPlayed])) {
      if (last !== played) problems.push(`a watch of ${jobId} ended after hand ${last} of ${played}`);
    }
  }
  return [...new Set(problems)];
}
