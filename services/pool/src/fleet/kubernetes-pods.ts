import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '@husky/runtime/errors';
import type { Logger } from '@husky/runtime/logger';
import { type CoreV1Api, type KubeConfig, ListWatch, type V1Pod, Watch } from '@kubernetes/client-node';
import { within } from './kubernetes-call.ts';
import { kubernetesProblem } from './kubernetes-problem.ts';

export interface PodWatchSettings {
  readonly config: KubeConfig;
  readonly core: CoreV1Api;
  readonly namespace: string;
  /** e.g. `app=runner` */
  readonly labelSelector: string;
  readonly log: Logger;
  /** Everything is listed anew this often, whatever the watch has told. */
  readonly resyncMs: number;
  /** How long a list may take. */
  readonly callMs: number;
}

const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** A watch whose failures all come by `done`: an error while it is begun would otherwise be nobody's and end the process. */
class ToldWatch extends Watch {
  override async watch(...[path, params, callback, done]: Parameters<Watch['watch']>): Promise<AbortController> {
    try {
      return await super.watch(path, params, callback, done);
    } catch (error) {
      done(error);
      return new AbortController();
    }
  }
}

/** The runners' pods as the API server tells them: an informer that is started again, and a full list now and then. */
export class PodWatch {
  readonly #settings: PodWatchSettings;
  readonly #informer: ListWatch<V1Pod>;
  readonly #stop = new AbortController();
  #pods = new Map<string, V1Pod>();
  #synced = false;
  #problem = 'the API server has not answered yet';
  #watchProblem = '';
  #pauseMs = firstPauseMs;

  constructor(settings: PodWatchSettings) {
    this.#settings = settings;
    const { config, namespace, labelSelector } = settings;
    const path = `/api/v1/namespaces/${namespace}/pods`;
    this.#informer = new ListWatch(path, new ToldWatch(config), () => this.#list(), false, labelSelector);
    for (const verb of ['add', 'update'] as const) this.#informer.on(verb, (pod: V1Pod) => this.#put(pod));
    this.#informer.on('delete', (pod: V1Pod) => void this.#pods.delete(pod.metadata?.name ?? ''));
    this.#informer.on('error', (error: unknown) => void this.#startAgain(error));
  }

  start(): void {
    void this.#informer.start().catch((error: unknown) => this.#startAgain(error));
    void this.#resync();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#informer.stop();
  }

  /** Throws in words until the first list; afterwards the last that is known. */
  pods(): readonly V1Pod[] {
    if (!this.#synced) throw new DomainError('UNAVAILABLE', 'pods-unknown', `The pods are not known: ${this.#problem}`);
    return [...this.#pods.values()];
  }

  /** Why what is known may be old; '' when all is well. */
  get problem(): string {
    return this.#problem;
  }

  /** Asks the API server now. */
  async refresh(): Promise<void> {
    await this.#list();
  }

  async #list() {
    const { core, namespace, labelSelector } = this.#settings;
    const list = await core
      .listNamespacedPod({ namespace, labelSelector }, within(this.#settings.callMs))
      .catch((error: unknown) => {
        this.#tell(error);
        throw error;
      });
    this.#pods = new Map(list.items.map((pod) => [pod.metadata?.name ?? '', pod]));
    this.#synced = true;
    if (this.#problem !== '') this.#settings.log.info('the Kubernetes API answers, the pods are known');
    this.#problem = '';
    this.#pauseMs = firstPauseMs;
    return list;
  }

  #put(pod: V1Pod): void {
    this.#watchProblem = '';
    const name = pod.metadata?.name ?? '';
    const known = this.#pods.get(name);
    const version = (of: V1Pod) => Number(of.metadata?.resourceVersion ?? 0);
    // A list that came in between may be newer than this event.
    if (known !== undefined && version(known) > version(pod)) return;
    this.#pods.set(name, pod);
  }

  async #startAgain(error: unknown): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    const problem = kubernetesProblem(error);
    // Lists go on beside it, so that only news come late. What is wrong with those was told.
    if (problem !== this.#watchProblem && problem !== this.#problem) {
      this.#settings.log.warn({ err: error }, `the pods are not watched: ${problem}`);
    }
    this.#watchProblem = problem;
    await pause(this.#pauseMs, undefined, { signal }).catch(() => undefined);
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
    if (signal.aborted) return;
    await this.#informer.start().catch((again: unknown) => this.#startAgain(again));
  }

  async #resync(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await pause(this.#settings.resyncMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      // What is wrong was told.
      await this.#list().catch(() => undefined);
    }
  }

  #tell(error: unknown): void {
    const problem = kubernetesProblem(error);
    if (problem !== this.#problem) this.#settings.log.warn({ err: error }, `the pods are not known: ${problem}`);
    this.#problem = problem;
  }
}
