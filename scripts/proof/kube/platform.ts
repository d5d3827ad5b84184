import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerVerified, uploadFinal } from '../../demo/accounts.ts';
import { Api } from '../../demo/api.ts';
import { kubectl, namespace, ownCluster, release, root, runnerPods, start, waitUntil } from './cluster.ts';

export interface Status {
  readonly job_status: string;
  readonly hands_done: number;
  readonly hands_played: number | null;
  readonly error?: string;
  readonly result_data?: Record<string, number>;
}

interface Container {
  readonly container_name: string;
  readonly port: number;
  readonly state: string;
  readonly job_id: string | null;
}

interface ScalingJob {
  readonly id: string;
  readonly status: string;
  readonly current_size: number;
  readonly error_message: string | null;
}

/** Returns the gateway's address in the test cluster, or a forwarded port in a cluster that the caller provides. */
export async function openSite(): Promise<{ origin: string; close: () => void }> {
  const service = `${release}-gateway`;
  if (ownCluster) {
    const address = await kubectl('-n', namespace, 'get', 'service', service, '-o', 'jsonpath={.spec.clusterIP}');
    return { origin: `http://${address}`, close: () => undefined };
  }
  const forward = start('kubectl', ['-n', namespace, 'port-forward', `service/${service}`, '18080:80']);
  return { origin: 'http://127.0.0.1:18080', close: () => void forward.child.kill() };
}

export async function adminPassword(): Promise<string> {
  const secret = await kubectl('-n', namespace, 'get', 'secret', `${release}-admin`, '-o', 'jsonpath={.data.password}');
  return Buffer.from(secret, 'base64').toString('utf8');
}

/** Returns the URL of the release's database for the superuser. */
export async function databaseUrl(): Promise<string> {
  const name = `${release}-postgres`;
  const read = (kind: string, path: string) => kubectl('-n', namespace, 'get', kind, name, '-o', `jsonpath={${path}}`);
  const [address, secret] = await Promise.all([read('service', '.spec.clusterIP'), read('secret', '.data.password')]);
  const password = encodeURIComponent(Buffer.from(secret, 'base64').toString('utf8').trimEnd());
  return `postgres://postgres:${password}@${address}:5432/husky`;
}

/** Client of the platform that acts as the administrator. */
export class Platform {
  readonly origin: string;
  readonly #password: string;
  #admin: Api | undefined;
  #token = '';

  constructor(origin: string, password: string) {
    this.origin = origin;
    this.#password = password;
  }

  async admin(): Promise<Api> {
    if (this.#admin === undefined) {
      const anonymous = new Api(this.origin);
      const session = await anonymous.post<{ access_token: string }>('/auth/login', {
        username: 'admin',
        password: this.#password,
      });
      this.#token = session.access_token;
      this.#admin = anonymous.as(this.#token);
      // Its matches would take runners from what is tested.
      await this.#admin.post('/admin/settings', { ladder: false });
    }
    return this.#admin;
  }

  /** Returns the administrator's access token. */
  async token(): Promise<string> {
    await this.admin();
    return this.#token;
  }

  /** Registers a verified user whose final submission is this bot. Returns the user's client. */
  async registerPlayer(username: string, playerText: string, requirements = ''): Promise<Api> {
    const player = await registerVerified(await this.admin(), username);
    await uploadFinal(player, playerText, requirements);
    return player;
  }

  /** Starts a match. Returns its job id. */
  async startMatch(players: readonly string[], hands: number): Promise<string> {
    const admin = await this.admin();
    const { job_id } = await admin.post<{ job_id: string }>('/sim/async_run_user', {
      users_list: players,
      num_rounds: hands,
    });
    return job_id;
  }

  async status(jobId: string): Promise<Status> {
    return (await this.admin()).get<Status>(`/sim/status/${jobId}`);
  }

  /**
   * Waits until all matches have ended. Returns the number of hands. Throws unless each match is finished, has every hand exactly once, and
   * its deltas sum to zero.
   */
  async verifyMatches(jobs: readonly string[], seconds: number): Promise<number> {
    const admin = await this.admin();
    let hands = 0;
    const deadline = Date.now() + seconds * 1000;
    for (const job of jobs) {
      const remainingSeconds = Math.max(5, (deadline - Date.now()) / 1000);
      const hasEnded = (status: Status) => ['Finished', 'Failed'].includes(status.job_status);
      const status = await waitUntil(`match ${job}`, remainingSeconds, () => this.status(job), hasEnded, 500);
      if (status.job_status !== 'Finished') throw new Error(`match ${job} failed: ${status.error}`);
      const { games } = await admin.get<{ games: { game_id: string }[] }>(`/live/job/${job}/games`);
      const ids = new Set(games.map((game) => game.game_id));
      if (ids.size !== status.hands_played || games.length !== status.hands_played) {
        throw new Error(`match ${job}: ${games.length} games for ${status.hands_played} hands`);
      }
      const sum = Object.values(status.result_data ?? {}).reduce((total, delta) => total + delta, 0);
      if (sum !== 0) throw new Error(`match ${job}: its deltas sum to ${sum}`);
      hands += status.hands_played ?? 0;
    }
    return hands;
  }

  async containers(): Promise<Container[]> {
    const { data } = await (await this.admin()).get<{
      data: { idle_containers: Container[]; active_containers: Container[] };
    }>('/docker/pool/detailed');
    return [...data.idle_containers, ...data.active_containers];
  }

  /** Requests another number of runners. Returns the id of the scaling job. */
  async scale(size: number): Promise<string> {
    const { job_id } = await (await this.admin()).post<{ job_id: string }>(`/docker/pool/scale?target_size=${size}`);
    return job_id;
  }

  async scalingJob(id: string): Promise<ScalingJob> {
    const jobs = await (await this.admin()).get<ScalingJob[]>('/admin/scaling-jobs?page_size=50');
    const found = jobs.find((job) => job.id === id);
    if (found === undefined) throw new Error(`there is no scaling job ${id}`);
    return found;
  }

  /** Requests another number of runners and waits until the scaling job has ended. Returns the job and its duration. */
  async scaleAndWait(size: number, seconds: number): Promise<{ job: ScalingJob; tookMs: number }> {
    const startedMs = Date.now();
    const id = await this.scale(size);
    const hasEnded = (job: ScalingJob) => ['Finished', 'Failed'].includes(job.status);
    const job = await waitUntil(`scaling to ${size}`, seconds, () => this.scalingJob(id), hasEnded);
    return { job, tookMs: Date.now() - startedMs };
  }
}

export async function countReadyRunners(): Promise<number> {
  return (await runnerPods()).filter((pod) => pod.ready && !pod.deleting).length;
}

export const readProjectFile = (path: string) => readFileSync(join(root, path), 'utf8');

export const steadyPlayers = Array.from({ length: 6 }, (_, seat) => `steady-${seat + 1}`);

const longHands = Number(process.env.KUBE_HANDS ?? 150);

/** Starts `count` matches of the six steady players. */
export const startMatches = (platform: Platform, count: number, hands = longHands) =>
  Promise.all(Array.from({ length: count }, () => platform.startMatch(steadyPlayers, hands)));

/** Waits until at least `min` of the matches have played a hand. */
export async function waitUntilPlaying(platform: Platform, jobs: readonly string[], min: number): Promise<void> {
  const running = async () => {
    const all = await Promise.all(jobs.map((job) => platform.status(job)));
    return all.filter((status) => status.job_status === 'Running' && status.hands_done > 0).length;
  };
  await waitUntil(`${min} matches in play`, 90, running, (count) => count >= min);
}
