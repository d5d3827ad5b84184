import { checkDatabase } from './check-database.ts';
import { checkHistory } from './check-history.ts';
import { poll } from './recovery.ts';
import { redeal, Unavailable } from './redeal.ts';
import { type Job, scoresOf, type Workload, type World } from './workload.ts';

/** Checks the invariants that hold at any time, and those that hold when all work has ended. Collects the verified matches. */
export class Invariants {
  readonly #world: World;
  readonly #workload: Workload;
  readonly #stuckMs: number;
  readonly #verified = new Set<string>();
  /** Time at which each unfinished job was first seen in each of its states. */
  readonly #since = new Map<string, number>();

  /** `stuckMs`: time in one state after which a job that has not ended is stuck. */
  constructor(world: World, workload: Workload, stuckMs: number) {
    this.#stuckMs = stuckMs;
    this.#world = world;
    this.#workload = workload;
  }

  /** Number of matches that were re-dealt. */
  get verified(): number {
    return this.#verified.size;
  }

  /** Checks the history, and every match that has finished since the last call. Returns a sentence for each violation. */
  async check(): Promise<string[]> {
    const problems = checkHistory(this.#world.history.calls);
    for (const job of this.#workload.jobs.values()) problems.push(...(await this.#checkJob(job)));
    return problems;
  }

  async #checkJob(job: Job): Promise<string[]> {
    const { jobId, state } = job;
    if (state === 'Finished') return this.#checkMatch(jobId);
    if (state === 'Failed') return [];
    const key = `${jobId} ${state}`;
    const since = this.#since.get(key) ?? performance.now();
    this.#since.set(key, since);
    return performance.now() - since > this.#stuckMs
      ? [`job ${jobId} is ${state} after ${this.#stuckMs / 1000} s`]
      : [];
  }

  async #checkMatch(jobId: string): Promise<string[]> {
    if (this.#verified.has(jobId)) return [];
    try {
      const difference = await redeal(this.#world.admin, jobId);
      if (difference !== undefined) return [`match ${jobId} does not follow from its seed: ${difference}`];
      this.#verified.add(jobId);
      return [];
    } catch (error) {
      // The match is read again after the next step and at the end.
      if (error instanceof Unavailable) return [];
      throw error;
    }
  }

  /** Waits until all work has ended, and checks everything. Call it after the workload has stopped and without active faults. */
  async checkAtRest(databaseUrl: string): Promise<string[]> {
    const deadline = performance.now() + this.#stuckMs;
    const [workload, { admin, authors }] = [this.#workload, this.#world];
    const problems: string[] = [];
    const hasEnded = async () => {
      let complete = true;
      for (const batchId of workload.batches) complete = (await workload.readBatch(batchId)) && complete;
      for (const job of workload.unfinished) await workload.readJob(job);
      return complete && workload.unfinished.length === 0;
    };
    if (!(await poll(hasEnded, deadline)))
      problems.push(`${workload.unfinished.length} jobs or a batch have not ended`);
    for (const job of workload.jobs.values()) {
      if (job.kind === 'match' && job.state === 'Finished' && job.published !== true) {
        const publish = async () => {
          await workload.publish(job);
          return job.published === true;
        };
        if (!(await poll(publish, deadline))) problems.push(`match ${job.jobId} cannot be published`);
      }
    }
    for (const author of authors) await workload.readSubmissions(author);
    await workload.readBoard();
    await workload.readPublicMatches();
    for (const batchId of workload.batches) {
      // Idempotent, so a call without a response is repeated.
      const isPublished = async () => (await admin.send('POST', `/llm/process-batch/${batchId}`)).status === 200;
      if (!(await poll(isPublished, deadline))) problems.push(`batch ${batchId} cannot be published`);
    }
    const unread = () =>
      [...workload.jobs.values()].filter((job) => job.state === 'Finished' && !this.#verified.has(job.jobId));
    let violations: string[] = [];
    const allRead = async () => {
      violations = await this.check();
      return violations.length > 0 || unread().length === 0;
    };
    await poll(allRead, performance.now() + this.#stuckMs);
    problems.push(...violations, ...(await this.#checkBatchBoard()));
    for (const { jobId } of unread()) problems.push(`match ${jobId} is finished and cannot be read`);
    problems.push(...(await checkDatabase(databaseUrl)));
    return problems;
  }

  /** Checks that the board of batches is the sum of the matches of all batches. */
  async #checkBatchBoard(): Promise<string[]> {
    let scores: Record<string, number> = {};
    const read = async () => {
      const { status, body } = await this.#world.admin.send('GET', '/leaderboard/top/1000?tag=llm-batch');
      if (status === 200) scores = scoresOf(body);
      return status === 200;
    };
    if (!(await poll(read, performance.now() + this.#stuckMs))) return ['the board of batches cannot be read'];
    const sums = new Map<string, number>();
    for (const { kind, state, result } of this.#workload.jobs.values()) {
      if (kind !== 'batch' || state !== 'Finished') continue;
      for (const [name, delta] of Object.entries(result)) sums.set(name, (sums.get(name) ?? 0) + delta);
    }
    return [...sums].flatMap(([name, sum]) =>
      Math.round(100 * (scores[name] ?? 0)) === Math.round(100 * sum)
        ? []
        : [`${name} has ${scores[name] ?? 0} on the board of batches, the matches give ${sum}`],
    );
  }
}
