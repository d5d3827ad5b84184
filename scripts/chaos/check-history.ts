import { checkBoard } from './check-board.ts';
import type { Recorded } from './history.ts';

type Of<Name extends Recorded['call']> = Extract<Recorded, { call: Name }>;

/** Returns the calls with this name, ordered by start. */
export function listCalls<Name extends Recorded['call']>(calls: readonly Recorded[], name: Name): Of<Name>[] {
  return calls.filter((one): one is Of<Name> => one.call === name).sort((a, b) => a.start - b.start);
}

/**
 * Compares a history with a model of the platform: a call that was done takes effect at one moment between its start and its end, a
 * refused call has no effect, a call with unknown outcome may have one. Returns a sentence for each violation.
 */
export function checkHistory(calls: readonly Recorded[]): string[] {
  return [
    ...checkSubmissions(calls),
    ...checkJobs(calls),
    ...checkBoard(calls),
    ...checkWatchers(calls),
    ...checkRefusals(calls),
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

/** Checks that a watcher gets the hands of an attempt in order, each once, and that the number of the attempt never decreases. */
function checkWatchers(calls: readonly Recorded[]): string[] {
  const problems: string[] = [];
  for (const { jobId, after, hands } of listCalls(calls, 'watch')) {
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
  }
  return problems;
}

/** Checks that calls, which are all valid, are refused only with 429 or 5xx. Another status would mislead the caller. */
function checkRefusals(calls: readonly Recorded[]): string[] {
  const misleading = calls.filter(
    ({ status, outcome }) => outcome === 'refused' && status !== 429 && status !== 503 && status !== 0,
  );
  return misleading.map(({ call, status, detail }) => `a valid ${call} was refused with ${status}: ${detail ?? ''}`);
}
