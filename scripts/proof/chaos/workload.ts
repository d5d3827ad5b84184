import type { ApiResponse, Body, Caller } from './caller.ts';
import { createChaosBot } from './chaos-bot.ts';
import type { History, JobState } from './history.ts';
import { Random } from './random.ts';
import { watchMatch } from './watcher.ts';

export interface Account {
  readonly username: string;
  readonly caller: Caller;
}

export interface World {
  readonly history: History;
  readonly admin: Caller;
  readonly anonymous: Caller;
  /** Users with a final submission; they play in matches and batches. */
  readonly players: readonly Account[];
  /** Users who upload and start test runs. */
  readonly authors: readonly Account[];
  readonly adminAccount: { readonly username: string; readonly password: string };
}

export interface Job {
  readonly jobId: string;
  readonly kind: 'test' | 'match' | 'batch';
  state: JobState;
  /** Deltas by username; empty until the job is Finished. */
  result: Record<string, number>;
  /** Whether its result was applied to the board; undefined if unknown. */
  published: boolean | undefined;
}

const maxKeptSubmissions = 12;
const handsOfMatch = 100;
const handsOfBatch = 40;
/** Maximum number of unfinished jobs of each kind, which keeps the load light while the platform is unavailable. */
const maxUnfinished = 2;

/** The load of a small event: uploads, test runs, matches, batches, reads of the board, and watchers. Runs until `stop`. */
export class Workload {
  readonly jobs = new Map<string, Job>();
  readonly batches = new Set<string>();
  readonly #world: World;
  readonly #random: Random;
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #serial = 0;

  constructor(world: World, seed: number) {
    this.#world = world;
    this.#random = new Random(seed);
  }

  start(): void {
    const { authors } = this.#world;
    const loops = [
      ...authors.map((author) => this.#every(2500, () => this.#upload(author))),
      ...authors.map((author) => this.#every(5000, () => this.#startNextTestRun(author))),
      this.#every(2000, () => this.#startMatch()),
      this.#every(20_000, () => this.#startBatch()),
      this.#every(1500, () => this.readJobs()),
      this.#every(1500, () => this.#publishNext()),
      this.#every(1500, () => this.readBoard()),
      this.#every(3000, () => this.readPublicMatches()),
      this.#every(5000, () => this.#signIn()),
      ...[0, 1].map(() => this.#every(500, () => this.#watch())),
    ];
    this.#running = Promise.all(loops);
  }

  /** Stops all loops and waits for the calls in progress. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  get unfinished(): Job[] {
    return [...this.jobs.values()].filter(({ state }) => state === 'Pending' || state === 'Running');
  }

  async #every(meanMs: number, action: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await action();
      await pause(meanMs * (0.5 + this.#random.next()), signal);
    }
  }

  async #upload({ username: user, caller }: Account): Promise<void> {
    const form = botForm(['playerFile', 'requirementsFile'], createChaosBot(`${user} ${++this.#serial}`));
    await caller.send('POST', '/submission/upload', form, ({ body }) => ({
      call: 'upload',
      user,
      ...(body?.submission_id === undefined ? {} : { submissionId: body.submission_id }),
    }));
    const listed = await this.readSubmissions({ username: user, caller });
    const oldest = listed.length > maxKeptSubmissions ? listed.at(-1) : undefined;
    if (oldest === undefined) return;
    const call = { call: 'remove' as const, user, submissionId: oldest };
    await caller.send('DELETE', `/submission/${oldest}`, undefined, () => call);
  }

  /** Reads and records a user's submissions, newest first. */
  async readSubmissions({ username: user, caller }: Account): Promise<string[]> {
    const idsIn = ({ status, body }: ApiResponse): string[] | undefined =>
      status === 200 ? body.files.map(({ id }: Body) => id) : undefined;
    const response = await caller.send('GET', '/submission/list', undefined, (one) => {
      const submissionIds = idsIn(one);
      return { call: 'submissions', user, ...(submissionIds === undefined ? {} : { submissionIds }) };
    });
    return idsIn(response) ?? [];
  }

  /** Starts a test run of ten hands. Returns the job's id; undefined if it was not accepted. */
  async startTestRun({ username, caller }: Account): Promise<string | undefined> {
    const form = botForm(['python_file', 'packages_file'], createChaosBot(`test ${username} ${++this.#serial}`));
    return this.#startJob('test', caller, '/sim/async_run', form);
  }

  #isBusy(kind: Job['kind']): boolean {
    return this.unfinished.filter((job) => job.kind === kind).length >= maxUnfinished;
  }

  async #startNextTestRun(author: Account): Promise<void> {
    if (!this.#isBusy('test')) await this.startTestRun(author);
  }

  async #startMatch(): Promise<void> {
    if (this.#isBusy('match')) return;
    const users = this.#world.players.slice(0, 6).map(({ username }) => username);
    const body = { users_list: users, num_rounds: handsOfMatch, stacks: 'reset' };
    const jobId = await this.#startJob('match', this.#world.admin, '/sim/async_run_user', body);
    if (jobId === undefined) return;
    const path = `/admin/toggle-job-public/${jobId}`;
    await this.#world.admin.send('POST', path, { is_public: true }, () => ({ call: 'make-public', jobId }));
  }

  async #startJob(kind: Job['kind'], caller: Caller, path: string, body: object): Promise<string | undefined> {
    const response = await caller.send('POST', path, body, ({ body: { job_id: jobId } }) => ({
      call: 'start',
      ...(jobId === undefined ? {} : { jobId }),
    }));
    const jobId: string | undefined = response.status === 200 ? response.body.job_id : undefined;
    if (jobId !== undefined) this.#add(jobId, kind);
    return jobId;
  }

  #add(jobId: string, kind: Job['kind']): void {
    if (!this.jobs.has(jobId)) this.jobs.set(jobId, { jobId, kind, state: 'Pending', result: {}, published: false });
  }

  /** Starts a batch if none is unfinished. Its jobs are added when they are listed. */
  async #startBatch(): Promise<void> {
    const { admin, players } = this.#world;
    for (const batchId of this.batches) await this.readBatch(batchId);
    if (this.unfinished.some(({ kind }) => kind === 'batch')) return;
    const body = { users_list: players.map(({ username }) => username), num_rounds: handsOfBatch, stacks: 'reset' };
    const response = await admin.send('POST', '/llm/batch-run', body, ({ status, body: { batch_id, total_jobs } }) => ({
      call: 'start-batch',
      ...(status === 200 ? { batchId: batch_id, jobs: total_jobs } : {}),
    }));
    if (response.status === 200) this.batches.add(response.body.batch_id);
  }

  /** Adds the jobs of a batch. Returns whether all of them exist. */
  async readBatch(batchId: string): Promise<boolean> {
    const idsIn = ({ body }: ApiResponse): string[] => body.jobs.map(({ job_id }: Body) => job_id);
    const path = `/llm/batch/${batchId}/jobs?page_size=100`;
    const response = await this.#world.admin.send('GET', path, undefined, (one) => ({
      call: 'batch-jobs',
      batchId,
      ...(one.status === 200 ? { jobIds: idsIn(one) } : {}),
    }));
    if (response.status !== 200) return false;
    for (const jobId of idsIn(response)) this.#add(jobId, 'batch');
    const batch = await this.#world.admin.send('GET', `/llm/batch/${batchId}`);
    return batch.status === 200 && batch.body.generated_jobs === batch.body.total_jobs;
  }

  /** Reads the jobs that have not ended, and one finished job. */
  async readJobs(): Promise<void> {
    const ended = [...this.jobs.values()].filter(({ state }) => state === 'Finished');
    const finished = ended.length > 0 ? [this.#random.pick(ended)] : [];
    for (const job of [...this.unfinished, ...finished]) {
      if (this.#stop.signal.aborted) return;
      await this.readJob(job);
    }
  }

  /** Reads one job. Returns whether the read succeeded. */
  async readJob(job: Job): Promise<boolean> {
    const { jobId } = job;
    const { status, body } = await this.#world.admin.send('GET', `/sim/status/${jobId}`, undefined, (response) => ({
      call: 'status',
      jobId,
      ...(response.status === 200
        ? {
            state: response.body.job_status as JobState,
            result: (response.body.result_data ?? {}) as Record<string, number>,
            ...(response.body.hands_played === null ? {} : { handsPlayed: response.body.hands_played as number }),
          }
        : {}),
    }));
    if (status !== 200) return false;
    job.state = body.job_status;
    job.result = body.result_data ?? {};
    return true;
  }

  async #publishNext(): Promise<void> {
    const isReady = ({ kind, state, published }: Job) => kind === 'match' && state === 'Finished' && published !== true;
    const job = [...this.jobs.values()].find(isReady);
    if (job !== undefined) await this.publish(job);
  }

  /** Applies a match to the board. If an earlier call had no response, first reads whether the match was applied. */
  async publish(job: Job): Promise<void> {
    const { admin, history } = this.#world;
    const call = { call: 'publish' as const, jobId: job.jobId, result: job.result };
    if (job.published === undefined) {
      const start = performance.now();
      const { status, body } = await admin.send('GET', `/admin/2025-job-status/${job.jobId}`);
      if (status !== 200) return;
      if (body.tournaments_2025_added) {
        job.published = true;
        history.add({ ...call, start, end: performance.now(), outcome: 'done', status });
        return;
      }
    }
    const path = `/admin/process-tournament-2025-job/${job.jobId}`;
    const { status } = await admin.send('POST', path, undefined, () => call);
    job.published = status === 200 ? true : undefined;
  }

  /** Reads and records the board of published matches. */
  async readBoard(): Promise<ApiResponse> {
    return this.#world.anonymous.send('GET', '/leaderboard/top/1000?tag=2025', undefined, ({ status, body }) => ({
      call: 'board',
      ...(status === 200 ? { scores: scoresOf(body) } : {}),
    }));
  }

  /** Reads and records the public matches. */
  async readPublicMatches(): Promise<void> {
    const path = '/live/public-job-ids?page_size=1000';
    await this.#world.anonymous.send('GET', path, undefined, ({ status, body }) => ({
      call: 'public-matches',
      ...(status === 200
        ? { jobIds: body.jobs.map(({ job_id }: Body) => job_id as string), total: body.total_count as number }
        : {}),
    }));
  }

  /** Signs in and reads the account with the new token. */
  async #signIn(): Promise<void> {
    const { anonymous, adminAccount } = this.#world;
    const { status, body } = await anonymous.signIn(adminAccount);
    if (status !== 200) return;
    const caller = anonymous.as(body.access_token);
    await caller.send('GET', '/auth/whoami', undefined, (response) => ({
      call: 'account',
      user: adminAccount.username,
      ...(response.status === 200 ? { read: response.body.username } : {}),
    }));
  }

  async #watch(): Promise<void> {
    const { status, body } = await this.#world.anonymous.send('GET', '/live/now');
    if (status !== 200 || body.running.length === 0) return;
    const { job_id: jobId } = this.#random.pick(body.running as { job_id: string }[]);
    await watchMatch(this.#world, jobId, this.#stop.signal);
  }
}

/** Returns the scores of a board by username. */
export const scoresOf = (body: Body): Record<string, number> =>
  Object.fromEntries(body.top_entries.map(({ username, score }: Body) => [username, score]));

/** Returns the form of an upload: the bot and an empty requirements.txt. */
export function botForm([player, requirements]: readonly [string, string], source: string): FormData {
  const form = new FormData();
  form.set(player, new File([source], 'player.py'));
  form.set(requirements, new File([''], 'requirements.txt'));
  return form;
}

/** Waits, or until the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
    if (signal?.aborted) done();
  });
}
