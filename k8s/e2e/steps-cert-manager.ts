// Certificates by cert-manager: taken over from the secrets Job, renewed, and given a new CA, under constant reads.
import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import {
  apply,
  call,
  chart,
  helm,
  kubectl,
  namespace,
  refusalOf,
  release,
  root,
  runnersNamespace,
  services,
  until,
} from './cluster.ts';
import { podsOf } from './nodes.ts';
import { matches, type Platform } from './platform.ts';
import { type Step, seconds } from './steps.ts';
import { installArguments, upgradeWithin } from './steps-chart.ts';
import { startLoad, underLoad, untilSteady } from './steps-upgrade.ts';

const bundle = 'husky-e2e-cas';
const kubeletPods = join(process.env.KUBE_DATA ?? '/var/lib/husky-kube', 'kubelet/pods');
const servers = services.filter((service) => service !== 'gateway');
const clients = ['gateway', 'runner'];
const loadSeconds = 1200;

const certManager = (action: 'start' | 'stop') =>
  call(join(root, 'k8s/cluster/cert-manager.sh'), [action], 25 * 60_000);

const values = (issuer: string, duration: string, renewBefore: string) => [
  ...['--set', `tls.caConfigMap.name=${bundle},tls.certManager.issuerRef.name=${issuer}`],
  ...['--set', `tls.certManager.duration=${duration},tls.certManager.renewBefore=${renewBefore}`],
];

/** Needs a release with TLS by the secrets Job, and leaves one. */
export const certManagerSteps = (platform: Platform): Step[] => [
  {
    name: "cert-manager: its webhook accepts the chart's Certificates and refuses a wrong one",
    needed: true,
    minutes: 25,
    async run() {
      await certManager('start');
      const file = ['--show-only', 'templates/certificates.yaml', '--namespace', namespace, '--kube-version', '1.34.0'];
      const rendered = (duration: string) =>
        helm('template', release, chart, ...installArguments, ...values('any', duration, '10m'), ...file);
      apply(await rendered('1h'), '--dry-run=server');
      const refusal = refusalOf(await rendered('20m'));
      const reason = /denied the request: (.*)/.exec(refusal)?.[1];
      if (reason === undefined) throw new Error(`a duration of 20m was not refused: ${refusal}`);
      return reason.slice(0, 140);
    },
  },
  {
    name: 'cert-manager: takes over from the secrets Job under constant reads: no request fails, no pod restarts',
    minutes: 12,
    async run() {
      const present = await secretEntry(namespace, `${release}-tls-ca`, 'ca.crt');
      const first = await createAuthority('husky-e2e-1');
      trust(present, first);
      await upgradeWithin('6m', '--set', `tls.caConfigMap.name=${bundle}`);
      return served(platform, first, () => upgradeWithin('6m', ...values('husky-e2e-1', '2160h', '720h')));
    },
  },
  {
    name: 'cert-manager: renews every certificate under constant reads: no request fails, no pod restarts',
    minutes: 12,
    async run() {
      const authority = await secretEntry('cert-manager', 'husky-e2e-1', 'tls.crt');
      return served(platform, authority, async () => {
        await upgradeWithin('6m', ...values('husky-e2e-1', '1h', '58m'));
        const before = await until('certificates of an hour', 120, issued, (all) => all.every(lastsAnHour));
        await until('a renewal of each', 240, issued, (all) =>
          all.every((one, index) => one.serial !== before[index]?.serial),
        );
        // Otherwise each would be renewed again every two minutes.
        await upgradeWithin('6m', ...values('husky-e2e-1', '1h', '10m'));
      });
    },
  },
  {
    name: 'cert-manager: a new CA with a bundle of both, under constant reads and during a match: no request fails, the match is whole',
    minutes: 14,
    async run() {
      const first = await secretEntry('cert-manager', 'husky-e2e-1', 'tls.crt');
      const second = await createAuthority('husky-e2e-2');
      const jobs = await matches(platform, 1, 600);
      const summary = await served(platform, second, async () => {
        trust(first, second);
        await trusted(first, second);
        await upgradeWithin('6m', ...values('husky-e2e-2', '1h', '10m'));
      });
      const alone = await underLoad(platform, async () => {
        trust(second);
        await trusted(second);
      });
      return `${summary}; the old one distrusted: ${alone}; ${await platform.whole(jobs, 400)} hands`;
    },
  },
  {
    name: 'cert-manager: back to the secrets Job under constant reads: no request fails',
    minutes: 12,
    async run() {
      const present = await secretEntry('cert-manager', 'husky-e2e-2', 'tls.crt');
      const ofJob = await secretEntry(namespace, `${release}-tls-ca`, 'ca.crt');
      trust(present, ofJob);
      await trusted(present, ofJob);
      const summary = await served(platform, ofJob, async () => {
        // The first one removes the Certificates, whose controller replaces what the Job issues; the second one issues.
        await upgradeWithin('6m', '--set', `tls.caConfigMap.name=${bundle}`);
        await upgradeWithin('6m', '--set', `tls.caConfigMap.name=${bundle}`);
      });
      await upgradeWithin('6m');
      await certManager('stop');
      await kubectl('-n', namespace, 'delete', 'configmap', bundle);
      await kubectl('-n', runnersNamespace, 'delete', 'configmap', bundle);
      return summary;
    },
  },
];

async function secretEntry(place: string, name: string, key: string): Promise<string> {
  const { data } = JSON.parse(await kubectl('-n', place, 'get', 'secret', name, '-o', 'json')) as {
    data: Record<string, string>;
  };
  return Buffer.from(data[key] ?? '', 'base64').toString('utf8');
}

/** Creates a CA by cert-manager, and a ClusterIssuer of the same name that uses it. Returns its certificate. */
async function createAuthority(name: string): Promise<string> {
  const apiVersion = 'cert-manager.io/v1';
  const own = { name: 'self-signed', kind: 'ClusterIssuer' };
  apply({ apiVersion, kind: own.kind, metadata: { name: own.name }, spec: { selfSigned: {} } });
  apply({
    apiVersion,
    kind: 'Certificate',
    metadata: { name, namespace: 'cert-manager' },
    spec: { isCA: true, commonName: name, secretName: name, privateKey: { algorithm: 'ECDSA' }, issuerRef: own },
  });
  await kubectl('-n', 'cert-manager', 'wait', `certificate/${name}`, '--for=condition=Ready', '--timeout=60s');
  apply({ apiVersion, kind: 'ClusterIssuer', metadata: { name }, spec: { ca: { secretName: name } } });
  await kubectl('wait', `clusterissuer/${name}`, '--for=condition=Ready', '--timeout=60s');
  return secretEntry('cert-manager', name, 'tls.crt');
}

/** Sets the trusted CAs of all parts. */
function trust(...authorities: readonly string[]): void {
  for (const place of [namespace, runnersNamespace]) {
    const metadata = { name: bundle, namespace: place };
    apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'ca.crt': authorities.join('\n') } });
  }
}

/** Waits until every pod has exactly these CAs in its files, and its process has read them (every 5 s). */
async function trusted(...authorities: readonly string[]): Promise<void> {
  const expected = authorities.join('\n').trim();
  const files = async () =>
    readdirSync(kubeletPods)
      .map((pod) => join(kubeletPods, pod, 'volumes/kubernetes.io~projected/tls/ca.crt'))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8').trim() === expected);
  await until(
    `the ${authorities.length} CAs in each pod`,
    180,
    files,
    (all) => all.length > 0 && all.every((current) => current),
    1000,
  );
  await new Promise((done) => setTimeout(done, 6000));
}

interface Issued {
  readonly part: string;
  readonly serial: string;
  readonly text: string;
}

/** Returns the certificates in the secrets of all parts. */
async function issued(): Promise<Issued[]> {
  return Promise.all(
    [...servers, ...clients].map(async (part) => {
      const place = part === 'runner' ? runnersNamespace : namespace;
      const text = await secretEntry(place, `${release}-tls-${part}`, 'tls.crt');
      return { part, serial: new X509Certificate(text).serialNumber, text };
    }),
  );
}

function lastsAnHour({ text }: Issued): boolean {
  const { validFrom, validTo } = new X509Certificate(text);
  return Date.parse(validTo) - Date.parse(validFrom) < 2 * 3600_000;
}

/** Returns the serial number of the certificate that a pod presents. */
function presented(address: string): Promise<string> {
  return new Promise((done, reject) => {
    const socket = connect({ host: address, port: 50051, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    socket.setTimeout(5000, () => socket.destroy(new Error(`${address} does not answer`)));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      done(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
  });
}

/**
 * Changes certificates under constant reads, and waits until every service presents the one in its secret, issued by this CA. Throws if a request
 * failed or a pod was replaced. Returns a summary.
 */
async function served(platform: Platform, authority: string, change: () => Promise<unknown>): Promise<string> {
  await untilSteady(platform);
  const before = (await Promise.all(servers.map(podsOf))).flat();
  const load = await startLoad(platform, loadSeconds);
  const began = Date.now();
  let presentedMs: number;
  let changedMs: number;
  let summary: string;
  try {
    await change();
    changedMs = Date.now() - began;
    const ca = new X509Certificate(authority);
    await until('certificates of the CA', 180, issued, (all) =>
      all.every(({ text }) => new X509Certificate(text).verify(ca.publicKey)),
    );
    await until(
      'every service with its newest certificate',
      240,
      async () => {
        const newest = new Map((await issued()).map(({ part, serial }) => [part, serial]));
        const serials = await Promise.all(before.map(({ address }) => presented(address)));
        return before
          .filter(({ component }, index) => serials[index] !== newest.get(component))
          .map(({ name }) => name);
      },
      (old) => old.length === 0,
      2000,
    );
    presentedMs = Date.now() - began;
  } finally {
    summary = await load.end();
  }
  const names = new Set((await Promise.all(servers.map(podsOf))).flat().map(({ name }) => name));
  const replaced = before.filter(({ name }) => !names.has(name));
  if (replaced.length > 0) throw new Error(`replaced: ${replaced.map(({ name }) => name).join(', ')}`);
  return `changed in ${seconds(changedMs)}, presented by all after ${seconds(presentedMs)}; ${summary}`;
}
