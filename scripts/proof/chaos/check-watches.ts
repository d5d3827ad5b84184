import { listCalls, type Recorded } from './history.ts';

/**
 * Checks that a watcher gets the hands of an attempt in order, each once, that the number of the attempt never decreases, and that a watch
 * that ended has the last hand of its finished match.
 */
export function checkWatches(calls: readonly Recorded[]): string[] {
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
