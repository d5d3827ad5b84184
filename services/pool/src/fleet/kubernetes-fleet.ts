import type { Logger } from '@husky/runtime/process/logger';
import {
  AppsV1Api,
  CoreV1Api,
  type KubeConfig,
  PatchStrategy,
  type V1Pod,
  type V1Scale,
} from '@kubernetes/client-node';
import type { FleetRunner } from '../domain/containers.ts';
import { type CostChange, costAnnotation, costChanges, leavingPods } from './deletion-cost.ts';
import type { Fleet } from './fleet.ts';
import { kubernetesProblem, statusOf, withTimeout } from './kubernetes-call.ts';
import { PodWatch } from './kubernetes-pods.ts';
import { describePod, isOver, isUnstarted, portOf, problemOf } from './kubernetes-runner.ts';
import { type Leadership, LeaseLeadership, type LeaseTimes, NotLeading } from './leadership.ts';

export interface KubernetesFleetSettings {
  readonly config: KubeConfig;
  readonly namespace: string;
  readonly deployment: string;
  readonly labelSelector: string;
  readonly log: Logger;
  readonly now: () => number;
  readonly resyncMs?: number;
  /** Deadline of one request to the API server. At most `durationMs - renewMs` of the lease. */
  readonly callMs?: number;
  readonly lease?: LeaseTimes;
}

interface LogLine {
  readonly at: string;
  readonly text: string;
}

type LogOptions = Omit<Parameters<CoreV1Api['readNamespacedPodLog']>[0], 'container'>;

const containers = ['dealer', 'seats'];

/** The log of a container that has not started. */
const unstarted = (pod: V1Pod, container: string): LogLine[] => [
  { at: '9', text: `pool | ${container} has not started: ${problemOf(pod) || 'its pod was made a moment ago'}` },
];
const logLines = 1000;
const logLimitBytes = 8 * 1024 * 1024;
const maxConflictTries = 5;
const defaultCallMs = 5000;
/** Maximum number of concurrent calls to the API server: enough to mark a thousand pods within seconds, without a burst. */
const maxConcurrentCalls = 16;

/**
 * Runs runners as pods of one Deployment, sized through its scale subresource. Replicas without a pod are listed as starting
 * runners, so that the fleet has the requested size. Several replicas of the pool can read one fleet, and return the same
 * runners; only the leader changes it.
 */
export class KubernetesFleet implements Fleet {
  readonly leadership: Leadership;
  readonly opened: Promise<void>;
  readonly #settings: KubernetesFleetSettings;
  readonly #apps: AppsV1Api;
  readonly #core: CoreV1Api;
  readonly #watch: PodWatch;
  readonly #callMs: number;
  readonly #ports = new Map<string, number>();
  readonly #takenPorts = new Set<number>();
  /** Number of replicas in the scale that was read last. */
  #replicas = 0;
  #scaleProblem = '';
  /** Since when there have been fewer pods than replicas. */
  #shortSinceMs: number | undefined;
  #changes: Promise<unknown> = Promise.resolve();

  constructor(settings: KubernetesFleetSettings) {
    this.#settings = settings;
    const { config, namespace, labelSelector, log } = settings;
    this.#apps = config.makeApiClient(AppsV1Api);
    this.#core = config.makeApiClient(CoreV1Api);
    const resyncMs = settings.resyncMs ?? 15_000;
    this.#callMs = settings.callMs ?? defaultCallMs;
    this.#watch = new PodWatch({
      config,
      namespace,
      labelSelector,
      log,
      resyncMs,
      callMs: this.#callMs,
      core: this.#core,
    });
    this.opened = this.#watch.tried;
    this.#watch.start();
    const lease = { config, namespace, name: `${settings.deployment}-leader`, log };
    this.leadership = new LeaseLeadership(settings.lease === undefined ? lease : { ...lease, times: settings.lease });
  }

  async runners(): Promise<readonly FleetRunner[]> {
    // Throws before the first list; later the page shows the last known pods.
    this.#watch.pods();
    this.#scaleProblem = await this.#readScale().then(
      () => '',
      (error: unknown) => `the scale is not known: ${kubernetesProblem(error)}`,
    );
    return this.#describe();
  }

  get problem(): string {
    return this.#watch.problem === '' ? this.#scaleProblem : `the pods are not known: ${this.#watch.problem}`;
  }

  start(_count: number, size: number): Promise<readonly string[]> {
    return this.#serialize(async () => {
      // An absolute size, so that a job that two leaders carry out one after the other does not count twice.
      await this.#setSize((before) => Math.max(before, size));
      return [];
    });
  }

  stop(names: readonly string[], size: number): Promise<void> {
    if (names.length === 0) return Promise.resolve();
    return this.#serialize(async () => {
      await this.#watch.refresh().catch((error: unknown) => {
        throw withCause('the pods are not known', error);
      });
      await this.#readScale().catch((error: unknown) => {
        throw withCause('the scale is not known', error);
      });
      const named = new Set(names);
      const stopping = this.#describe().filter(({ name, phase }) => named.has(name) && phase !== 'stopping');
      if (stopping.length === 0) return;
      const changes = costChanges(this.#watch.pods().filter(isStaying), new Set(stopping.map(({ name }) => name)));
      for (let from = 0; from < changes.length; from += maxConcurrentCalls) {
        await Promise.all(changes.slice(from, from + maxConcurrentCalls).map((change) => this.#setCost(change)));
      }
      await this.#setSize((before) => Math.min(before, Math.max(size, before - stopping.length)));
    });
  }

  async log(name: string, maxBytes: number): Promise<string | null> {
    const pod = this.#watch.pods().find(({ metadata }) => metadata?.name === name);
    if (pod === undefined) return null;
    const { namespace } = this.#settings;
    const options = { name, namespace, tailLines: logLines, limitBytes: logLimitBytes, timestamps: true };
    // Concurrently: a node that does not respond uses up the whole deadline, and the caller has a deadline too.
    const logOf = async (container: string) =>
      isUnstarted(pod, container) ? unstarted(pod, container) : this.#logOf(container, options);
    const parts = await Promise.all(containers.map(logOf));
    if (parts.includes(null)) return null;
    const lines = parts.flatMap((part) => part ?? []);
    lines.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    return lastLines(
      lines.map(({ text }) => text),
      maxBytes,
    );
  }

  /** Returns the lines of one container, or why they cannot be read; null when the pod does not exist. */
  async #logOf(container: string, pod: LogOptions): Promise<LogLine[] | null> {
    try {
      const text = await this.#core.readNamespacedPodLog({ ...pod, container }, withTimeout(this.#callMs));
      return (text ?? '').split('\n').flatMap((line) => {
        const space = line.indexOf(' ');
        return line === '' ? [] : [{ at: line.slice(0, space), text: `${container} | ${line.slice(space + 1)}` }];
      });
    } catch (error) {
      if (statusOf(error) === 404) return null;
      // Not started yet, or the API is unreachable: the other container's lines are still useful.
      return [{ at: '9', text: `pool | the log of ${container} cannot be read: ${kubernetesProblem(error)}` }];
    }
  }

  /** Ends the watch. The pods continue: they belong to the cluster. */
  async close(): Promise<void> {
    await this.#watch.close();
  }

  #describe(): FleetRunner[] {
    const pods = this.#watch
      .pods()
      .filter((pod) => !isOver(pod))
      .sort(compareAge);
    this.#releasePorts(pods);
    const leaving = leavingPods(pods.filter(isStaying), this.#replicas);
    const known = pods
      .map((pod) => describePod(pod, this.#portOf(pod), leaving.has(pod)))
      .sort((a, b) => a.port - b.port);
    const missing = this.#replicas - known.filter(({ phase }) => phase !== 'stopping').length;
    if (missing <= 0) this.#shortSinceMs = undefined;
    else this.#shortSinceMs ??= this.#settings.now();
    const withoutPod = Array.from({ length: Math.max(0, missing) }, (_, index): FleetRunner => {
      const startedAtMs = this.#shortSinceMs ?? 0;
      const problem =
        'the cluster has not made this pod: a quota, a LimitRange or another admission rule of its namespace may refuse it';
      return { name: `unmade-${index + 1}`, port: index + 1, phase: 'starting', startedAtMs, problem };
    });
    return [...withoutPod, ...known];
  }

  #releasePorts(pods: readonly V1Pod[]): void {
    const uids = new Set(pods.map((pod) => pod.metadata?.uid ?? ''));
    for (const [uid, port] of this.#ports) {
      if (uids.has(uid)) continue;
      this.#ports.delete(uid);
      this.#takenPorts.delete(port);
    }
  }

  #portOf(pod: V1Pod): number {
    const uid = pod.metadata?.uid ?? '';
    const known = this.#ports.get(uid);
    if (known !== undefined) return known;
    const port = portOf(uid, this.#takenPorts);
    this.#ports.set(uid, port);
    this.#takenPorts.add(port);
    return port;
  }

  async #setCost({ name, cost }: CostChange): Promise<void> {
    const { namespace } = this.#settings;
    const body = { metadata: { annotations: { [costAnnotation]: cost === null ? null : String(cost) } } };
    const merge = withTimeout(this.#callMs, { 'Content-Type': PatchStrategy.MergePatch });
    this.#assertLeading(name);
    try {
      await this.#core.patchNamespacedPod({ name, namespace, body }, merge);
    } catch (error) {
      if (statusOf(error) !== 404) throw withCause(`${name} cannot be marked`, error);
    }
  }

  async #readScale(): Promise<V1Scale> {
    const { deployment: name, namespace } = this.#settings;
    const scale = await this.#apps.readNamespacedDeploymentScale({ name, namespace }, withTimeout(this.#callMs));
    this.#replicas = scale.spec?.replicas ?? 0;
    return scale;
  }

  async #setSize(sizeFrom: (size: number) => number): Promise<void> {
    const { deployment: name, namespace, log } = this.#settings;
    for (let attempt = 1; ; attempt++) {
      try {
        const scale = await this.#readScale();
        const before = scale.spec?.replicas ?? 0;
        const replicas = sizeFrom(before);
        const body = { ...scale, spec: { ...scale.spec, replicas } };
        this.#assertLeading(name);
        await this.#apps.replaceNamespacedDeploymentScale({ name, namespace, body }, withTimeout(this.#callMs));
        this.#replicas = replicas;
        log.info(`scaled ${name} from ${before} to ${replicas}`);
        return;
      } catch (error) {
        if (statusOf(error) !== 409 || attempt >= maxConflictTries) throw withCause(`${name} cannot be scaled`, error);
      }
    }
  }

  /** Throws unless this process leads. A leader that was suspended fails here instead of changing the fleet of its successor. */
  #assertLeading(name: string): void {
    if (!this.leadership.leading)
      throw new NotLeading(`${name} cannot be changed: this replica of the pool does not lead`);
  }

  #serialize<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#changes.then(work);
    this.#changes = done.catch(() => undefined);
    return done;
  }
}

/** Compares pods by age, so that every replica of the pool gives them the same numbers. */
function compareAge(a: V1Pod, b: V1Pod): number {
  const [of, other] = [a, b].map(({ metadata }) => new Date(metadata?.creationTimestamp ?? 0).getTime());
  return (of ?? 0) - (other ?? 0) || ((a.metadata?.uid ?? '') < (b.metadata?.uid ?? '') ? -1 : 1);
}

function isStaying(pod: V1Pod): boolean {
  return !isOver(pod) && pod.metadata?.deletionTimestamp === undefined;
}

function withCause(what: string, error: unknown): Error {
  if (error instanceof NotLeading) return error;
  return new Error(`${what}: ${kubernetesProblem(error)}`, { cause: error });
}

function lastLines(lines: readonly string[], maxBytes: number): string {
  let from = lines.length;
  for (let room = maxBytes; from > 0; from--) {
    room -= Buffer.byteLength(lines[from - 1] ?? '') + 1;
    if (room < 0) break;
  }
  return lines
    .slice(from)
    .map((line) => `${line}\n`)
    .join('');
}
