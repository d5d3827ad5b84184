// The chart's NetworkPolicies, enforced by policies/controller.ts, asked from within the network namespaces of real pods.
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { listens, permitted } from '../policies/connections.ts';
import { PolicyController } from '../policies/controller.ts';
import { apply, call, helm, kubeconfig, kubectl, namespace, release, tryKubectl, until } from './cluster.ts';
import { allPods, type NodePod, node } from './nodes.ts';
import { matches, type Platform } from './platform.ts';
import type { Step } from './steps.ts';
import { isolationSteps } from './steps-isolation.ts';
import { upgrade } from './steps-nodes.ts';

const machine = '10.86.0.1';
const telemetryPort = 4318;
const outside = { dns: 53, 'API server': 6443, 'package index': 8085, telemetry: telemetryPort };

// Reads [[name, address, port]] and prints the names whose connection was accepted or refused by the peer itself.
const connector = `
const { connect } = require('node:net');
const targets = JSON.parse(process.argv[1]);
const reached = ([name, host, port]) => new Promise((done) => {
  const socket = connect({ host, port, timeout: 2500 });
  const end = (answer) => { socket.destroy(); done(answer); };
  socket.once('connect', () => end([name]));
  socket.once('error', (error) => end(error.code === 'ECONNREFUSED' ? [name] : []));
  socket.once('timeout', () => end([]));
});
Promise.all(targets.map(reached)).then((all) => console.log(JSON.stringify(all.flat())));
`;

/** Returns the network namespaces of pods by address. */
async function networks(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of readdirSync('/run/netns').filter((entry) => entry.startsWith('cni-'))) {
    const path = `/run/netns/${name}`;
    const text = await call('nsenter', [`--net=${path}`, 'ip', '-4', '-o', 'addr', 'show', 'eth0']).catch(() => '');
    const address = /inet ([\d.]+)\//.exec(text)?.[1];
    if (address !== undefined) found.set(address, path);
  }
  return found;
}

interface Connections {
  readonly asked: number;
  readonly passed: number;
  /** Connections that pass or do not pass, unlike the table. */
  readonly wrong: readonly string[];
}

/**
 * Connects from the pods of each part, one on each node, to every port of those of all others, and to the machine.
 * `withTelemetry`: whether the release sends telemetry.
 */
async function connectAll(withTelemetry: boolean): Promise<Connections> {
  const pods = (await allPods()).filter((pod) => pod.ready && !pod.deleting);
  const places = await networks();
  const sources = Object.keys(permitted).filter((part) => pods.some(({ component }) => component === part));
  const wrong: string[] = [];
  let asked = 0;
  let passed = 0;
  for (const from of sources) {
    for (const source of onEachNode(pods.filter(({ component }) => component === from))) {
      const targets = targetsOf(pods, source);
      const inside = places.get(source.address);
      if (inside === undefined) throw new Error(`${source.name} has no network namespace`);
      const args = [`--net=${inside}`, process.execPath, '-e', connector, JSON.stringify(targets)];
      const reached = new Set(JSON.parse(await call('nsenter', args, 30_000)) as string[]);
      for (const [name] of targets) {
        asked += 1;
        if (reached.has(name)) passed += 1;
        const [what = ''] = name.split(' on ');
        const metrics = from === 'stranger' && what.endsWith(':9090');
        const off = what === 'telemetry' && !withTelemetry && from !== 'stranger';
        const should = !off && ((permitted[from] ?? []).includes(what) || metrics);
        if (reached.has(name) !== should) {
          wrong.push(`${from} on ${source.node} to ${name} ${reached.has(name) ? 'passes' : 'does not pass'}`);
        }
      }
    }
  }
  return { asked, passed, wrong };
}

function exactly({ asked, passed, wrong }: Connections): string {
  if (wrong.length > 0) throw new Error(`${wrong.length} of ${asked}: ${wrong.slice(0, 12).join('; ')}`);
  return `${asked} connections: ${passed} pass, ${asked - passed} do not`;
}

const onEachNode = (pods: readonly NodePod[]) => [...new Map(pods.map((pod) => [pod.node, pod])).values()];

function targetsOf(pods: readonly NodePod[], source: NodePod): [string, string, number][] {
  const parts = Object.entries(listens).flatMap(([part, ports]) =>
    onEachNode(pods.filter((pod) => pod.component === part && pod.name !== source.name)).flatMap((pod) =>
      ports.map((port): [string, string, number] => [`${part}:${port} on ${pod.node}`, pod.address, port]),
    ),
  );
  const others = Object.entries(outside).map(([name, port]): [string, string, number] => [name, machine, port]);
  return [...parts, ...others];
}

const stranger = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'stranger', namespace, labels: { 'app.kubernetes.io/component': 'stranger' } },
  spec: {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
    securityContext: { runAsNonRoot: true, runAsUser: 65535, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'pause',
        image: 'localhost/pause:1',
        imagePullPolicy: 'Never',
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  },
};

async function startStranger(): Promise<void> {
  apply(stranger);
  await kubectl('-n', namespace, 'wait', 'pod/stranger', '--for=condition=Ready', '--timeout=60s');
}

/** Accepts telemetry on the machine and counts the requests by sender. */
async function receiveTelemetry(): Promise<{ senders: Set<string>; close: () => void }> {
  const senders = new Set<string>();
  const server = createServer((request, response) => {
    if (request.method === 'POST') senders.add(request.socket.remoteAddress ?? '');
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((done, reject) => {
    server.once('error', reject).listen(telemetryPort, machine, done);
  });
  return {
    senders,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** NetworkPolicies between real pods on all nodes of this machine. Needs the steps of `nodeSteps`. */
export function policySteps(platform: Platform): Step[] {
  let telemetry: Awaited<ReturnType<typeof receiveTelemetry>>;
  let ended: Promise<void>;
  const stop = new AbortController();
  const controller = new PolicyController(kubeconfig);
  const [probe] = isolationSteps(platform);
  return [
    {
      name: 'policies: without enforcement every connection between pods passes',
      needed: true,
      async run() {
        telemetry = await receiveTelemetry();
        await startStranger();
        const { asked, passed } = await connectAll(false);
        if (passed !== asked) throw new Error(`${asked - passed} of ${asked} do not pass`);
        return `${asked} connections`;
      },
    },
    {
      name: 'policies: enforced on two nodes, exactly the connections of the table pass',
      async run() {
        const nodes = ['node1', ...(await node('list')).split('\n').filter((name) => name !== '')];
        await controller.apply(nodes);
        process.once('exit', () => controller.remove(nodes));
        ended = controller.run(nodes, stop.signal);
        ended.catch(() => undefined);
        return exactly(await connectAll(false));
      },
    },
    {
      name: 'policies: matches, scaling, telemetry, helm test and an upgrade work under enforcement',
      minutes: 12,
      async run() {
        const jobs = await matches(platform, 3, 60);
        await platform.scaled(5, 200);
        const hands = await platform.whole(jobs, 300);
        await platform.scaled(6, 200);
        await helm('test', release, '--namespace', namespace, '--timeout', '3m');
        await upgrade('--set', `otlpEndpoint=http://${machine}:${telemetryPort}`);
        const senders = await until(
          'telemetry of all parts',
          120,
          async () => {
            const pods = (await allPods()).filter(({ address }) => telemetry.senders.has(address));
            return [...new Set(pods.map(({ component }) => component))];
          },
          (parts) => parts.length >= 8,
        );
        const failing = (await allPods()).filter((pod) => !pod.ready && !pod.deleting);
        if (failing.length > 0) throw new Error(`not ready: ${failing.map(({ name }) => name).join(', ')}`);
        return `${hands} hands; telemetry of ${senders.join(', ')}; ${exactly(await connectAll(true))}`;
      },
    },
    ...(probe === undefined ? [] : [{ ...probe, name: `policies: under enforcement ${probe.name}` }]),
    {
      name: 'policies: without the controller everything passes again',
      async run() {
        stop.abort();
        await ended;
        const { asked, passed } = await connectAll(true);
        telemetry.close();
        tryKubectl('-n', namespace, 'delete', 'pod', 'stranger', '--wait=false');
        if (passed !== asked) throw new Error(`${asked - passed} of ${asked} do not pass`);
        await upgrade();
        return `${asked} connections`;
      },
    },
  ];
}
