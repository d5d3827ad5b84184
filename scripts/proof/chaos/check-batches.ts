import { listCalls, type Recorded } from './history.ts';

/** Checks that an accepted batch stays known, and that its list of jobs only grows, has no job twice and no more jobs than accepted. */
export function checkBatches(calls: readonly Recorded[]): string[] {
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
