import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { KubeConfig, type V1Lease, type V1Pod, type V1PodStatus } from '@kubernetes/client-node';

type Verb = 'list' | 'watch' | 'read-scale' | 'write-scale' | 'patch' | 'log' | 'lease';

interface Refusal {
  readonly code: number;
  readonly message: string;
}

export const deploymentRef = { namespace: 'runners', deployment: 'husky-runner' };
const ready: V1PodStatus = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
const costName = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * The part of a Kubernetes API server and its controllers that the pool uses, over real HTTP: pods of one Deployment (list,
 * watch, patch, logs), its scale, and leases. It can be slow, refuse requests, expire its history and stop.
 */
export class KubernetesApi {
  /** Refusals by verb. */
  readonly refusals = new Map<Verb, Refusal>();
  /** Accepts requests and never responds. */
  hangs = false;
  /** Tokens of clients whose requests are accepted without a response. */
  readonly cutOff = new Set<string>();
  readonly leases = new LeaseStore();
  /** Each promise delays the response to one list request, in order; the list has the pods of the time of the request. */
  readonly listDelays: Promise<unknown>[] = [];
  /** The namespace's quota of pods. */
  quota = 100;
  /** Returns the status of a new pod. */
  statusOfNew: () => V1PodStatus = () => ready;
  onReady: (name: string) => void = () => undefined;
  readonly seen: string[] = [];
  #replicas: number;
  #version = 100;
  /** Watches from versions before this one get 410. */
  #oldest = 0;
  #podsCreated = 0;
  #events: { version: number; type: string; object: V1Pod }[] = [];
  readonly #pods = new Map<string, V1Pod>();
  readonly #watches = new Set<ServerResponse>();
  #server: Server | null = null;
  #port = 0;

  constructor(replicas = 3) {
    this.#replicas = replicas;
  }

  get replicas(): number {
    return this.#replicas;
  }

  get watchers(): number {
    return this.#watches.size;
  }

  get podNames(): string[] {
    return [...this.#pods.keys()];
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => void this.#serve(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.reconcile();
  }

  /** Stops listening and closes every connection. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    this.#watches.clear();
  }

  /** Returns a client's configuration. `token` distinguishes clients. */
  config(token = 'a-token'): KubeConfig {
    const config = new KubeConfig();
    config.loadFromOptions({
      clusters: [{ name: 'test', server: `http://127.0.0.1:${this.#port}`, skipTLSVerify: true }],
      users: [{ name: 'pool', token }],
      contexts: [{ name: 'test', cluster: 'test', user: 'pool' }],
      currentContext: 'test',
    });
    return config;
  }

  /** Creates and deletes pods until their number equals the scale, as a ReplicaSet does. */
  reconcile(): void {
    while (this.#pods.size < Math.min(this.#replicas, this.quota)) this.#createPod();
    while (this.#pods.size > this.#replicas) this.#deleteCheapest();
  }

  setStatus(name: string, status: V1PodStatus): void {
    const pod = this.#pods.get(name);
    if (pod === undefined) throw new Error(`there is no pod ${name}`);
    this.#put({ ...pod, status }, 'MODIFIED');
    if (status === ready) this.onReady(name);
  }

  allReady(): void {
    for (const name of this.podNames) this.setStatus(name, ready);
  }

  /** Expires the history: open watches get 410 and are closed. */
  forgetHistory(): void {
    this.#oldest = this.#version;
    this.#events = [];
    const object = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };
    for (const watch of this.#watches) watch.end(`${JSON.stringify({ type: 'ERROR', object })}\n`);
    this.#watches.clear();
  }

  /** Closes all watches, as servers do from time to time. Resumed watches get the events in between. */
  cutWatches(): void {
    for (const watch of this.#watches) watch.destroy();
    this.#watches.clear();
  }

  #createPod(): void {
    this.#podsCreated += 1;
    const name = `husky-runner-${this.#podsCreated}`;
    const creationTimestamp = new Date();
    this.#put(
      { metadata: { name, uid: `uid-${this.#podsCreated}`, creationTimestamp }, status: this.statusOfNew() },
      'ADDED',
    );
    if (this.#pods.get(name)?.status === ready) this.onReady(name);
  }

  #deleteCheapest(): void {
    const cost = (pod: V1Pod) => Number(pod.metadata?.annotations?.[costName] ?? 0);
    const [first] = [...this.#pods.values()].sort((a, b) => cost(a) - cost(b));
    if (first !== undefined) this.deletePod(first.metadata?.name ?? '');
  }

  /** Deletes a pod. Nothing replaces it before the next `reconcile`. */
  deletePod(name: string): void {
    const pod = this.#pods.get(name);
    if (pod === undefined) throw new Error(`there is no pod ${name}`);
    this.#pods.delete(name);
    this.#version += 1;
    this.#notify('DELETED', { ...pod, metadata: { ...pod.metadata, resourceVersion: String(this.#version) } });
  }

  #put(pod: V1Pod, type: string): void {
    this.#version += 1;
    const named = {
      ...pod,
      metadata: { ...pod.metadata, namespace: deploymentRef.namespace, resourceVersion: String(this.#version) },
    };
    this.#pods.set(named.metadata.name ?? '', named);
    this.#notify(type, named);
  }

  #notify(type: string, object: V1Pod): void {
    this.#version += 1;
    const event = { version: this.#version, type, object };
    this.#events.push(event);
    for (const watch of this.#watches) watch.write(`${JSON.stringify(event)}\n`);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.hangs || this.cutOff.has(request.headers.authorization?.slice('Bearer '.length) ?? '')) return;
    const url = new URL(request.url ?? '/', 'http://api');
    const verb = verbOf(request.method ?? 'GET', url);
    const json = (code: number, body: object) => {
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const refuse = (code: number, message: string) => json(code, { kind: 'Status', status: 'Failure', message, code });
    if (verb === null) return refuse(404, `the server could not find ${url.pathname}`);
    this.seen.push(verb);
    const refusal = this.refusals.get(verb);
    if (refusal !== undefined) return refuse(refusal.code, refusal.message);
    const name = url.pathname.split('/')[6] ?? '';
    if (verb === 'lease') {
      const body = JSON.parse((await text(request)) || '{}') as V1Lease;
      const result = this.leases.handle(request.method ?? 'GET', url.pathname.split('/')[7], body);
      return json(result.code, result.body);
    }
    if (verb === 'watch') return this.#watch(url, response, refuse);
    if (verb === 'list') {
      const metadata = { resourceVersion: String(this.#version) };
      const items = [...this.#pods.values()];
      await this.listDelays.shift();
      return json(200, { kind: 'PodList', apiVersion: 'v1', metadata, items });
    }
    if (verb === 'log') return void response.writeHead(200, { 'content-type': 'text/plain' }).end(logOf(name, url));
    if (verb === 'patch') return this.#patch(name, JSON.parse(await text(request)) as V1Pod, json, refuse);
    if (verb === 'write-scale') {
      const body = JSON.parse(await text(request)) as { spec: { replicas: number } };
      this.#replicas = body.spec.replicas;
      this.reconcile();
    }
    json(200, {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: {
        name: deploymentRef.deployment,
        namespace: deploymentRef.namespace,
        resourceVersion: String(this.#version),
      },
      spec: { replicas: this.#replicas },
    });
  }

  #watch(url: URL, response: ServerResponse, refuse: (code: number, message: string) => void): void {
    const from = Number(url.searchParams.get('resourceVersion'));
    if (from < this.#oldest) {
      refuse(410, 'too old resource version');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    for (const event of this.#events) if (event.version > from) response.write(`${JSON.stringify(event)}\n`);
    this.#watches.add(response);
    response.on('close', () => this.#watches.delete(response));
  }

  #patch(
    name: string,
    change: V1Pod,
    json: (code: number, body: object) => void,
    refuse: (code: number, message: string) => void,
  ): void {
    const pod = this.#pods.get(name);
    if (pod === undefined) {
      refuse(404, `pods "${name}" not found`);
      return;
    }
    const merged = { ...pod.metadata?.annotations, ...change.metadata?.annotations };
    const annotations = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
    this.#put({ ...pod, metadata: { ...pod.metadata, annotations } }, 'MODIFIED');
    json(200, this.#pods.get(name) ?? {});
  }
}

function verbOf(method: string, { pathname, searchParams }: URL): Verb | null {
  const pods = `/api/v1/namespaces/${deploymentRef.namespace}/pods`;
  if (pathname.startsWith(`/apis/coordination.k8s.io/v1/namespaces/${deploymentRef.namespace}/leases`)) return 'lease';
  if (
    pathname === `/apis/apps/v1/namespaces/${deploymentRef.namespace}/deployments/${deploymentRef.deployment}/scale`
  ) {
    return method === 'GET' ? 'read-scale' : method === 'PUT' ? 'write-scale' : null;
  }
  if (pathname === pods && method === 'GET') return searchParams.get('watch') === 'true' ? 'watch' : 'list';
  if (pathname.startsWith(`${pods}/`) && method === 'PATCH') return 'patch';
  return pathname.startsWith(`${pods}/`) && pathname.endsWith('/log') ? 'log' : null;
}

function logOf(name: string, url: URL): string {
  const container = url.searchParams.get('container') ?? '';
  return `2026-01-01T00:00:0${container === 'dealer' ? 1 : 2}Z ${container} of ${name} is up\n`;
}

/** The leases of an API server: creates, reads and replaces them by version. */
class LeaseStore {
  readonly #leases = new Map<string, V1Lease>();
  #version = 0;

  /** Returns the holder's identity; '' without one. */
  get holder(): string {
    return [...this.#leases.values()][0]?.spec?.holderIdentity ?? '';
  }

  handle(method: string, name: string | undefined, body: V1Lease): { code: number; body: object } {
    const key = name ?? body.metadata?.name ?? '';
    const known = this.#leases.get(key);
    if (method === 'GET')
      return known === undefined ? refused(404, `leases "${key}" not found`) : { code: 200, body: known };
    if (method === 'POST' && known !== undefined) return refused(409, `leases "${key}" already exists`);
    if (method === 'PUT' && body.metadata?.resourceVersion !== known?.metadata?.resourceVersion) {
      return refused(409, 'the object has been modified');
    }
    this.#version += 1;
    const stored = { ...body, metadata: { ...body.metadata, name: key, resourceVersion: `l${this.#version}` } };
    this.#leases.set(key, stored);
    return { code: method === 'POST' ? 201 : 200, body: stored };
  }
}

function refused(code: number, message: string): { code: number; body: object } {
  return { code, body: { kind: 'Status', status: 'Failure', message, code } };
}
