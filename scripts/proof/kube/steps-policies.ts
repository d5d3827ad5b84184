// Tests the chart's NetworkPolicies, enforced by policies/controller.ts, by connections from the network namespaces of real pods.
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { listens, permitted } from '../policies/connections.ts';
import { PolicyController } from '../policies/controller.ts';
import {
  apply,
  call,
  helm,
  kubeconfig,
  kubectl,
  machine,
  namespace,
  release,
  tryKubectl,
  waitUntil,
} from './cluster.ts';
import { allPods, type NodePod, node } from './nodes.ts';
import { type Platform, startMatches } from './platform.ts';
import type { Step } from './steps.ts';
import { isolationSteps } from './steps-isolation.ts';
import { upgrade } from './steps-nodes.ts';

const telemetryPort = 4318;
const outside = { dns: 53, 'API server': 6443, 'package index': 8085, telemetry: telemetryPort };

// Program that takes [[name, address, port]] and prints the names that were reached: the peer accepted or refused the connection.
const connector = `
const { connect } = require('node:net');
const targets = JSON.parse(process.argv[1]);
const reached = ([name, host, port]) => new Promise((done) => {
  const socket = connect({ host, port, timeout: 2500 });
  const end = (names) => { socket.destroy(); done(names); };
  socket.once('connect', () => end([name]));
  socket.once('error', (error) => end(error.code === 'ECONNREFUSED' ? [name] : []));
  socket.once('timeout', () => end([]));
});
Promise.all(targets.map(reached)).then((all) => console.log(JSON.stringify(all.flat())));
`;

/** Returns the paths of the pods' network namespaces by pod address. */
async function findNetworkNamespaces(): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  for (const name of readdirSync('/run/netns').filter((entry) => entry.startsWith('cni-'))) {
    const path = `/run/netns/${name}`;
    const text = await call('nsenter', [`--net=${path}`, 'ip', '-4', '-o', 'addr', 'show', 'eth0']).catch(() => '');
    const address = /inet ([\d.]+)\//.exec(text)?.[1];
    if (address !== undefined) paths.set(address, path);
  }
  return paths;
}

interface Connections {
  readonly attempted: number;
  readonly passed: number;
  /** Descriptions of connections whose result differs from the table in policies/connections.ts. */
  readonly unexpected: readonly string[];
}

/**
 * Connects from one pod of each part on each node to every port of all other parts' pods and to ports of the machine.
 * `withTelemetry`: whether the release sends telemetry.
 */
async function connectAll(withTelemetry: boolean): Promise<Connections> {
  const pods = (await allPods()).filter((pod) => pod.ready && !pod.deleting);
  const netns = await findNetworkNamespaces();
  const sources = Object.keys(permitted).filter((part) => pods.some(({ component }) => component === part));
  const unexpected: string[] = [];
  let attempted = 0;
  let passed = 0;
  for (const from of sources) {
    for (const source of onePerNode(pods.filter(({ component }) => component === from))) {
      const targets = targetsOf(pods, source);
      const path = netns.get(source.address);
      if (path === undefined) throw new Error(`${source.name} has no network namespace`);
      const args = [`--net=${path}`, process.execPath, '-e', connector, JSON.stringify(targets)];
      const reached = new Set(JSON.parse(await call('nsenter', args, 30_000)) as string[]);
      for (const [name] of targets) {
        attempted += 1;
        if (reached.has(name)) passed += 1;
        const [destination = ''] = name.split(' on ');
        const isMetrics = from === 'stranger' && destination.endsWith(':9090');
        const isDisabled = destination === 'telemetry' && !withTelemetry && from !== 'stranger';
        const expected = !isDisabled && ((permitted[from] ?? []).includes(destination) || isMetrics);
        if (reached.has(name) !== expected) {
          unexpected.push(`${from} on ${source.node} to ${name} ${reached.has(name) ? 'passes' : 'does not pass'}`);
        }
      }
    }
  }
  return { attempted, passed, unexpected };
}

/** Returns a summary. Throws if a connection differs from the table. */
function summarizeExpected({ attempted, passed, unexpected }: Connections): string {
  if (unexpected.length > 0)
    throw new Error(`${unexpected.length} of ${attempted}: ${unexpected.slice(0, 12).join('; ')}`);
  return `${attempted} connections: ${passed} pass, ${attempted - passed} do not`;
}

const onePerNode = (pods: readonly NodePod[]) => [...new Map(pods.map((pod) => [pod.node, pod])).values()];

function targetsOf(pods: readonly NodePod[], source: NodePod): [string, string, number][] {
  const parts = Object.entries(listens).flatMap(([part, ports]) =>
    onePerNode(pods.filter((pod) => pod.component === part && pod.name !== source.name)).flatMap((pod) =>
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

/** Accepts telemetry on the machine. `senders`: addresses that have sent some. */
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

/** Returns the steps that test NetworkPolicies between real pods on all nodes. They need the second node of `nodeSteps`. */
export function policySteps(platform: Platform): Step[] {
  let telemetry: Awaited<ReturnType<typeof receiveTelemetry>>;
  let controllerEnded: Promise<void>;
  const stop = new AbortController();
  const controller = new PolicyController(kubeconfig);
  const [probe] = isolationSteps(platform);
  return [
    {
      name: 'policies: without enforcement every connection between pods passes',
      required: true,
      async run() {
        telemetry = await receiveTelemetry();
        await startStranger();
        const { attempted, passed } = await connectAll(false);
        if (passed !== attempted) throw new Error(`${attempted - passed} of ${attempted} do not pass`);
        return `${attempted} connections`;
      },
    },
    {
      name: 'policies: with enforcement on two nodes exactly the connections of the table pass',
      async run() {
        const nodes = ['node1', ...(await node('list')).split('\n').filter((name) => name !== '')];
        await controller.apply(nodes);
        process.once('exit', () => controller.remove(nodes));
        controllerEnded = controller.run(nodes, stop.signal);
        controllerEnded.catch(() => undefined);
        return summarizeExpected(await connectAll(false));
      },
    },
    {
      name: 'policies: matches, scaling, telemetry, helm test and an upgrade work under enforcement',
      minutes: 12,
      async run() {
        const jobs = await startMatches(platform, 3, 60);
        await platform.scaleAndWait(5, 200);
        const hands = await platform.verifyMatches(jobs, 300);
        await platform.scaleAndWait(6, 200);
        await helm('test', release, '--namespace', namespace, '--timeout', '3m');
        await upgrade('--set', `otlpEndpoint=http://${machine}:${telemetryPort}`);
        const senders = await waitUntil(
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
        return `${hands} hands; telemetry of ${senders.join(', ')}; ${summarizeExpected(await connectAll(true))}`;
      },
    },
    ...(probe === undefined ? [] : [{ ...probe, name: `policies: under enforcement ${probe.name}` }]),
    {
      name: 'policies: after the controller has stopped every connection passes again',
      async run() {
        stop.abort();
        await controllerEnded;
        const { attempted, passed } = await connectAll(true);
        telemetry.close();
        tryKubectl('-n', namespace, 'delete', 'pod', 'stranger', '--wait=false');
        if (passed !== attempted) throw new Error(`${attempted - passed} of ${attempted} do not pass`);
        await upgrade();
        return `${attempted} connections`;
      },
    },
  ];
}
