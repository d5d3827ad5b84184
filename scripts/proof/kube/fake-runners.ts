// Acts as the dealers of simulated pods, which run no containers: for each ready pod on a simulated node it claims matches from the
// simulation service and keeps the lease of each by heartbeats until the match is released.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { simulationService } from '@husky/contracts/services';
import { createRpcClient } from '@husky/runtime/rpc/grpc-client';
import { createSigner, type IdentitySigner } from '@husky/runtime/rpc/identity';
import { openTls, type Tls } from '@husky/runtime/rpc/tls';
import { CoreV1Api, KubeConfig, makeInformer, type V1Pod } from '@kubernetes/client-node';
import { type SimulationClient, SyntheticRunner } from '../bench/fleet/synthetic-runner.ts';
import { kubeconfig, kubectl, namespace, release, runnersNamespace } from './cluster.ts';
import { isSimulated } from './kwok.ts';

const labelSelector = 'app.kubernetes.io/component=runner';
/** Connections shared by all fake runners. Servers end a connection after 10 s; a thousand TLS handshakes in that time would occupy both cores. */
const connections = 50;

function loadConfig(): KubeConfig {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  return config;
}

interface Fake {
  readonly runner: SyntheticRunner;
  /** Aborted when the pod is deleted. */
  readonly deleted: AbortController;
  /** Resolved to hand the claimed match back; null without a match. */
  release: PromiseWithResolvers<void> | null;
}

/** The fake runners of all simulated pods. Follows the pods by a watch. */
export class FakeRunners {
  /** Pods that were deleted during a match. */
  readonly killed: string[] = [];
  /** Failed calls by message. */
  readonly failures = new Map<string, number>();
  readonly #fakes = new Map<string, Fake>();
  readonly #signer: IdentitySigner;
  readonly #clients: readonly SimulationClient[];
  readonly #pods: ReturnType<typeof makeInformer<V1Pod>>;
  #startedCount = 0;
  #closed = false;

  constructor(address: string, signer: IdentitySigner, tls: Tls | undefined) {
    this.#signer = signer;
    this.#clients = Array.from({ length: connections }, () => createRpcClient(simulationService, address, signer, tls));
    const core = loadConfig().makeApiClient(CoreV1Api);
    const list = () => core.listNamespacedPod({ namespace: runnersNamespace, labelSelector });
    this.#pods = makeInformer(loadConfig(), `/api/v1/namespaces/${runnersNamespace}/pods`, list, labelSelector);
    for (const verb of ['add', 'update'] as const) this.#pods.on(verb, (pod) => this.#onPod(pod));
    this.#pods.on('delete', (pod) => this.#stop(pod.metadata?.name ?? ''));
    this.#pods.on('error', () => void this.#watchPods(1000));
    void this.#watchPods(0);
  }

  async #watchPods(afterMs: number): Promise<void> {
    await pause(afterMs);
    if (!this.#closed) await this.#pods.start().catch(() => this.#watchPods(1000));
  }

  get size(): number {
    return this.#fakes.size;
  }

  has(name: string): boolean {
    return this.#fakes.has(name);
  }

  /** Names of the runners with a match. */
  get busy(): string[] {
    return [...this.#fakes].filter(([, fake]) => fake.release !== null).map(([name]) => name);
  }

  /** Hands the matches of these runners back. */
  release(names: readonly string[]): void {
    for (const name of names) this.#fakes.get(name)?.release?.resolve();
  }

  close(): void {
    this.#closed = true;
    void this.#pods.stop();
    for (const name of [...this.#fakes.keys()]) this.#stop(name);
    for (const client of this.#clients) client.close();
  }

  #onPod({ metadata, spec, status }: V1Pod): void {
    const name = metadata?.name ?? '';
    if (!isSimulated(spec?.nodeName ?? '')) return;
    const ready = status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True');
    if (metadata?.deletionTimestamp !== undefined) this.#stop(name);
    else if (ready === true && !this.#fakes.has(name)) this.#start(name);
  }

  #start(name: string): void {
    const client = this.#clients[this.#startedCount++ % connections];
    const addresses = { simulation: '', submission: '', 'live-data': '' };
    const runner = new SyntheticRunner(name, addresses, this.#signer, client);
    const fake: Fake = { runner, deleted: new AbortController(), release: null };
    this.#fakes.set(name, fake);
    void this.#claimUntilDeleted(fake);
  }

  #stop(name: string): void {
    const fake = this.#fakes.get(name);
    if (fake === undefined) return;
    if (fake.release !== null) this.killed.push(name);
    this.#fakes.delete(name);
    fake.deleted.abort();
    fake.release?.resolve();
    fake.runner.close();
  }

  async #claimUntilDeleted(fake: Fake): Promise<void> {
    const { signal } = fake.deleted;
    while (!signal.aborted) {
      try {
        const assignment = await fake.runner.claim(signal);
        if (assignment === null) continue;
        const released = Promise.withResolvers<void>();
        fake.release = released;
        // Cleared before the match is handed back, because the pool may delete the pod immediately afterwards.
        const cleared = released.promise.then(() => {
          fake.release = null;
        });
        await fake.runner.hold(assignment, cleared);
      } catch (error) {
        if (signal.aborted) return;
        const text = error instanceof Error ? error.message : String(error);
        this.failures.set(text, (this.failures.get(text) ?? 0) + 1);
        fake.release = null;
        await pause(500 + Math.random() * 500);
      }
    }
  }
}

/** Starts fake runners for the release's simulated pods, with the runners' identity key and certificate. */
export async function startFakeRunners(): Promise<FakeRunners> {
  const folder = mkdtempSync(join(tmpdir(), 'husky-fakes-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const secret of [`${release}-runner`, `${release}-tls-runner`]) {
    const text = await kubectl('-n', runnersNamespace, 'get', 'secret', secret, '-o', 'json');
    const { data } = JSON.parse(text) as { data: Record<string, string> };
    for (const [name, value] of Object.entries(data)) {
      writeFileSync(join(folder, name), Buffer.from(value, 'base64'), { mode: 0o600 });
    }
  }
  const file = (name: string) => join(folder, name);
  const tls = openTls({ certFile: file('tls.crt'), keyFile: file('tls.key'), caFile: file('ca.crt') });
  // The name of the Service resolves only inside the cluster.
  const ready = 'jsonpath={.items[*].endpoints[?(@.conditions.ready==true)].addresses[0]}';
  const slices = ['endpointslices', '-l', `kubernetes.io/service-name=${release}-simulation`];
  const pods = (await kubectl('-n', namespace, 'get', ...slices, '-o', ready)).split(' ');
  const address = `ipv4:${pods.map((ip) => `${ip}:50051`).join(',')}`;
  return new FakeRunners(address, createSigner(file('identity.key.json')), tls);
}
