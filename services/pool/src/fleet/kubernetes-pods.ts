import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@husky/runtime/process/logger';
import { retry } from '@husky/runtime/process/retry';
import { DomainError } from '@husky/runtime/rpc/errors';
import { type CoreV1Api, type KubeConfig, ListWatch, type V1Pod, type V1PodList, Watch } from '@kubernetes/client-node';
import { kubernetesProblem, withTimeout } from './kubernetes-call.ts';

export interface PodWatchSettings {
  readonly config: KubeConfig;
  readonly core: CoreV1Api;
  readonly namespace: string;
  /** e.g. `app=runner` */
  readonly labelSelector: string;
  readonly log: Logger;
  /** Interval of full lists while the watch is not open. While it is open, every 20th of them is made. */
  readonly resyncMs: number;
  /** Deadline of one list request. */
  readonly callMs: number;
}

const minBackoffMs = 500;
const maxBackoffMs = 10_000;

/** Of a thousand runners one list has 10 MB and takes a second of processor time, so an open watch is trusted for 5 min. */
const ticksOfOpenWatch = 20;

/**
 * A watch that passes on trimmed pods, knows whether it is open, and reports a failed start through `done`, which ListWatch would leave as
 * an unhandled rejection. Watch closes it when it has not received anything for 30 s, so a lost connection does not stay open.
 */
class ObservedWatch extends Watch {
  open = false;

  override async watch(...[path, params, callback, done]: Parameters<Watch['watch']>): Promise<AbortController> {
    let over = false;
    const end = (error: unknown) => {
      over = true;
      this.open = false;
      done(error);
    };
    const receive: typeof callback = (phase, object, event) =>
      callback(phase, phase === 'ERROR' || phase === 'BOOKMARK' ? object : trim(object), event);
    try {
      const controller = await super.watch(path, { ...params, allowWatchBookmarks: true }, receive, end);
      this.open = !over;
      return controller;
    } catch (error) {
      end(error);
      return new AbortController();
    }
  }
}

const versionOf = ({ metadata }: V1Pod | V1PodList) => Number(metadata?.resourceVersion ?? 0);

/** Returns a pod with the fields that the pool reads: a twentieth of the whole. */
function trim({ metadata, status }: V1Pod): V1Pod {
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, annotations } = metadata ?? {};
  const { phase, reason, message, conditions, initContainerStatuses, containerStatuses } = status ?? {};
  const known = (object: object) =>
    Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
  return {
    metadata: known({ name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, annotations }),
    status: known({ phase, reason, message, conditions, initContainerStatuses, containerStatuses }),
  };
}

/** Mirrors the runners' pods by a watch, restarted with exponential backoff, and by full lists, which are rare while the watch is open. */
export class PodWatch {
  readonly #settings: PodWatchSettings;
  readonly #watch: ObservedWatch;
  readonly #informer: ListWatch<V1Pod>;
  readonly #stop = new AbortController();
  #pods = new Map<string, V1Pod>();
  readonly #tried = Promise.withResolvers<void>();
  /** Number of the list that was requested last. */
  #lastRequested = 0;
  /** Number of the newest list whose pods were taken over. */
  #lastApplied = 0;
  /** How many lists are in progress. */
  #lists = 0;
  /** The watch's events since the first of the lists in progress was requested. */
  #recent: { readonly deleted: boolean; readonly pod: V1Pod }[] = [];
  #synced = false;
  #problem = 'the API server has not answered yet';
  #watchProblem = '';

  constructor(settings: PodWatchSettings) {
    this.#settings = settings;
    const { config, namespace, labelSelector } = settings;
    const path = `/api/v1/namespaces/${namespace}/pods`;
    this.#watch = new ObservedWatch(config);
    this.#informer = new ListWatch(path, this.#watch, () => this.#list(), false, labelSelector);
    for (const verb of ['add', 'update'] as const) this.#informer.on(verb, (pod: V1Pod) => this.#put(pod));
    this.#informer.on('delete', (pod: V1Pod) => this.#delete(pod));
    this.#informer.on('error', (error: unknown) => void this.#restartWatch(error));
  }

  start(): void {
    void this.#startWatch();
    void this.#resync();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#informer.stop();
  }

  /** Returns the pods of the last list and later events. Throws UNAVAILABLE before the first list. */
  pods(): readonly V1Pod[] {
    if (!this.#synced) throw new DomainError('UNAVAILABLE', 'pods-unknown', `The pods are not known: ${this.#problem}`);
    return [...this.#pods.values()];
  }

  /** Resolves after the first list, or its failure. */
  get tried(): Promise<void> {
    return this.#tried.promise;
  }

  /** Why `pods()` may be stale; '' when it is current. */
  get problem(): string {
    return this.#problem;
  }

  /** Lists the pods now unless the open watch reports their changes. */
  async refresh(): Promise<void> {
    if (!this.#current) await this.#list();
  }

  get #current(): boolean {
    return this.#watch.open && this.#problem === '';
  }

  async #list() {
    const { core, namespace, labelSelector } = this.#settings;
    if (this.#lists === 0) this.#recent = [];
    this.#lists += 1;
    const number = ++this.#lastRequested;
    const list = await core
      .listNamespacedPod({ namespace, labelSelector }, withTimeout(this.#settings.callMs))
      .catch((error: unknown) => {
        this.#reportListProblem(error);
        throw error;
      })
      .finally(() => {
        this.#lists -= 1;
        this.#tried.resolve();
      });
    list.items = list.items.map(trim);
    if (number >= this.#lastApplied) this.#replace(list);
    this.#lastApplied = Math.max(number, this.#lastApplied);
    this.#synced = true;
    if (this.#problem !== '') this.#settings.log.info('listing the pods succeeded');
    this.#problem = '';
    return list;
  }

  /** Replaces the pods by those of a list, and applies newer events: a list of a thousand pods takes seconds, and the watch continues. */
  #replace(list: V1PodList): void {
    this.#pods = new Map(list.items.map((pod) => [pod.metadata?.name ?? '', pod]));
    for (const { deleted, pod } of this.#recent) {
      if (versionOf(pod) <= versionOf(list)) continue;
      if (deleted) this.#pods.delete(pod.metadata?.name ?? '');
      else this.#pods.set(pod.metadata?.name ?? '', pod);
    }
  }

  #put(pod: V1Pod): void {
    this.#watchProblem = '';
    if (this.#lists > 0) this.#recent.push({ deleted: false, pod });
    const name = pod.metadata?.name ?? '';
    const known = this.#pods.get(name);
    // A list in the meantime may be newer than this event.
    if (known !== undefined && versionOf(known) > versionOf(pod)) return;
    this.#pods.set(name, pod);
  }

  #delete(pod: V1Pod): void {
    if (this.#lists > 0) this.#recent.push({ deleted: true, pod });
    this.#pods.delete(pod.metadata?.name ?? '');
  }

  async #startWatch(): Promise<void> {
    const { signal } = this.#stop;
    await retry(() => this.#informer.start(), {
      signal,
      firstPauseMs: minBackoffMs,
      maxPauseMs: maxBackoffMs,
      retryIf: () => true,
      onFailure: (error) => this.#reportWatchProblem(error),
    }).catch(() => undefined);
  }

  async #restartWatch(error: unknown): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    this.#reportWatchProblem(error);
    await pause(minBackoffMs, undefined, { signal }).catch(() => undefined);
    await this.#startWatch();
  }

  async #resync(): Promise<void> {
    const { signal } = this.#stop;
    for (let tick = 1; !signal.aborted; tick++) {
      await pause(this.#settings.resyncMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (this.#current && tick % ticksOfOpenWatch !== 0) continue;
      // #list has logged it.
      await this.#list().catch(() => undefined);
    }
  }

  #reportWatchProblem(error: unknown): void {
    const problem = kubernetesProblem(error);
    // Lists continue meanwhile, so updates are only late. Their problems are logged separately.
    if (problem !== this.#watchProblem && problem !== this.#problem) {
      this.#settings.log.warn({ err: error }, `watching the pods failed: ${problem}`);
    }
    this.#watchProblem = problem;
  }

  #reportListProblem(error: unknown): void {
    const problem = kubernetesProblem(error);
    if (problem !== this.#problem) this.#settings.log.warn({ err: error }, `listing the pods failed: ${problem}`);
    this.#problem = problem;
  }
}
