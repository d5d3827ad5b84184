// Certificates issued by cert-manager: taking over from the secrets Job, renewal and change of the CA, under constant read load.
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
  waitUntil,
} from './cluster.ts';
import { podsOf } from './nodes.ts';
import { type Platform, startMatches } from './platform.ts';
import { type Step, seconds } from './steps.ts';
import { installArguments, upgradeWithin } from './steps-chart.ts';
import { startLoad, underLoad, waitUntilSteady } from './steps-upgrade.ts';

const bundle = 'husky-e2e-cas';
const kubeletPods = join(process.env.KUBE_DATA ?? '/var/lib/husky-kube', 'kubelet/pods');
const servers = services.filter((service) => service !== 'gateway');
const clients = ['gateway', 'runner'];
const loadSeconds = 1200;

const runCertManager = (action: 'start' | 'stop') =>
  call(join(root, 'scripts/proof/cluster/cert-manager.sh'), [action], 25 * 60_000);

const values = (issuer: string, duration: string, renewBefore: string) => [
  '--set',
  `tls.caConfigMap.name=${bundle},tls.certManager.issuerRef.name=${issuer}`,
  '--set',
  `tls.certManager.duration=${duration},tls.certManager.renewBefore=${renewBefore}`,
];

/** Returns the steps. They need a release whose TLS certificates come from the secrets Job, and restore that at the end. */
export const certManagerSteps = (platform: Platform): Step[] => [
  {
    name: "cert-manager: its webhook accepts the chart's Certificates and refuses an invalid one",
    required: true,
    minutes: 25,
    async run() {
      await runCertManager('start');
      const flags = [
        '--show-only',
        'templates/certificates.yaml',
        '--namespace',
        namespace,
        '--kube-version',
        '1.34.0',
      ];
      const render = (duration: string) =>
        helm('template', release, chart, ...installArguments, ...values('any', duration, '10m'), ...flags);
      apply(await render('1h'), '--dry-run=server');
      const refusal = refusalOf(await render('20m'));
      const reason = /denied the request: (.*)/.exec(refusal)?.[1];
      if (reason === undefined) throw new Error(`a duration of 20m was not refused: ${refusal}`);
      return reason.slice(0, 140);
    },
  },
  {
    name: 'cert-manager: takes over from the secrets Job under constant reads: no request fails, no pod restarts',
    minutes: 12,
    async run() {
      const current = await readSecret(namespace, `${release}-tls-ca`, 'ca.crt');
      const first = await createAuthority('husky-e2e-1');
      trust(current, first);
      await upgradeWithin('6m', '--set', `tls.caConfigMap.name=${bundle}`);
      return changeUnderLoad(platform, first, () => upgradeWithin('6m', ...values('husky-e2e-1', '2160h', '720h')));
    },
  },
  {
    name: 'cert-manager: renews every certificate under constant reads: no request fails, no pod restarts',
    minutes: 12,
    async run() {
      const authority = await readSecret('cert-manager', 'husky-e2e-1', 'tls.crt');
      return changeUnderLoad(platform, authority, async () => {
        await upgradeWithin('6m', ...values('husky-e2e-1', '1h', '58m'));
        const before = await waitUntil('certificates valid for an hour', 120, readCertificates, (all) =>
          all.every(isValidForAnHour),
        );
        await waitUntil('renewal of each certificate', 240, readCertificates, (all) =>
          all.every((one, index) => one.serial !== before[index]?.serial),
        );
        // With the former values each certificate would be renewed every two minutes.
        await upgradeWithin('6m', ...values('husky-e2e-1', '1h', '10m'));
      });
    },
  },
  {
    name: 'cert-manager: a new CA with a bundle of both, under constant reads and during a match: no request fails, the match is complete',
    minutes: 14,
    async run() {
      const first = await readSecret('cert-manager', 'husky-e2e-1', 'tls.crt');
      const second = await createAuthority('husky-e2e-2');
      const jobs = await startMatches(platform, 1, 600);
      const summary = await changeUnderLoad(platform, second, async () => {
        trust(first, second);
        await waitUntilTrusted(first, second);
        await upgradeWithin('6m', ...values('husky-e2e-2', '1h', '10m'));
      });
      const removal = await underLoad(platform, async () => {
        trust(second);
        await waitUntilTrusted(second);
      });
      return `${summary}; the old CA removed from the bundle: ${removal}; ${await platform.verifyMatches(jobs, 400)} hands`;
    },
  },
  {
    name: 'cert-manager: back to the secrets Job under constant reads: no request fails',
    minutes: 12,
    async run() {
      const current = await readSecret('cert-manager', 'husky-e2e-2', 'tls.crt');
      const jobAuthority = await readSecret(namespace, `${release}-tls-ca`, 'ca.crt');
      trust(current, jobAuthority);
      await waitUntilTrusted(current, jobAuthority);
      const summary = await changeUnderLoad(platform, jobAuthority, async () => {
        // The first upgrade removes the Certificates; until then cert-manager overwrites what the Job issues. The second one issues.
        await upgradeWithin('6m', '--set', `tls.caConfigMap.name=${bundle}`);
        await upgradeWithin('6m', '--set', `tls.caConfigMap.name=${bundle}`);
      });
      await upgradeWithin('6m');
      await runCertManager('stop');
      await kubectl('-n', namespace, 'delete', 'configmap', bundle);
      await kubectl('-n', runnersNamespace, 'delete', 'configmap', bundle);
      return summary;
    },
  },
];

async function readSecret(ns: string, name: string, key: string): Promise<string> {
  const { data } = JSON.parse(await kubectl('-n', ns, 'get', 'secret', name, '-o', 'json')) as {
    data: Record<string, string>;
  };
  return Buffer.from(data[key] ?? '', 'base64').toString('utf8');
}

/** Creates a CA with cert-manager and a ClusterIssuer of the same name. Returns the CA's certificate. */
async function createAuthority(name: string): Promise<string> {
  const apiVersion = 'cert-manager.io/v1';
  const selfSigned = { name: 'self-signed', kind: 'ClusterIssuer' };
  apply({ apiVersion, kind: selfSigned.kind, metadata: { name: selfSigned.name }, spec: { selfSigned: {} } });
  apply({
    apiVersion,
    kind: 'Certificate',
    metadata: { name, namespace: 'cert-manager' },
    spec: { isCA: true, commonName: name, secretName: name, privateKey: { algorithm: 'ECDSA' }, issuerRef: selfSigned },
  });
  await kubectl('-n', 'cert-manager', 'wait', `certificate/${name}`, '--for=condition=Ready', '--timeout=60s');
  apply({ apiVersion, kind: 'ClusterIssuer', metadata: { name }, spec: { ca: { secretName: name } } });
  await kubectl('wait', `clusterissuer/${name}`, '--for=condition=Ready', '--timeout=60s');
  return readSecret('cert-manager', name, 'tls.crt');
}

/** Sets the CAs that all parts trust. */
function trust(...authorities: readonly string[]): void {
  for (const ns of [namespace, runnersNamespace]) {
    const metadata = { name: bundle, namespace: ns };
    apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'ca.crt': authorities.join('\n') } });
  }
}

/** Waits until the files of every pod contain exactly these CAs, and a little longer than the 5 s after which processes read them again. */
async function waitUntilTrusted(...authorities: readonly string[]): Promise<void> {
  const expected = authorities.join('\n').trim();
  const files = async () =>
    readdirSync(kubeletPods)
      .map((pod) => join(kubeletPods, pod, 'volumes/kubernetes.io~projected/tls/ca.crt'))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8').trim() === expected);
  await waitUntil(
    `the ${authorities.length} CAs in each pod`,
    180,
    files,
    (all) => all.length > 0 && all.every((current) => current),
    1000,
  );
  await new Promise((done) => setTimeout(done, 6000));
}

interface IssuedCertificate {
  readonly part: string;
  readonly serial: string;
  readonly text: string;
}

/** Returns the certificates in the secrets of all parts. */
async function readCertificates(): Promise<IssuedCertificate[]> {
  return Promise.all(
    [...servers, ...clients].map(async (part) => {
      const ns = part === 'runner' ? runnersNamespace : namespace;
      const text = await readSecret(ns, `${release}-tls-${part}`, 'tls.crt');
      return { part, serial: new X509Certificate(text).serialNumber, text };
    }),
  );
}

function isValidForAnHour({ text }: IssuedCertificate): boolean {
  const { validFrom, validTo } = new X509Certificate(text);
  return Date.parse(validTo) - Date.parse(validFrom) < 2 * 3600_000;
}

/** Returns the serial number of the certificate that the pod at this address presents. */
function readPresentedSerial(address: string): Promise<string> {
  return new Promise((done, reject) => {
    const socket = connect({ host: address, port: 50051, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    socket.setTimeout(5000, () => socket.destroy(new Error(`${address} does not respond`)));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      done(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
  });
}

/**
 * Changes certificates under constant read load, and waits until every service presents the certificate in its secret, issued by this CA.
 * Returns a summary. Throws if a request failed or a pod was replaced.
 */
async function changeUnderLoad(platform: Platform, authority: string, change: () => Promise<unknown>): Promise<string> {
  await waitUntilSteady(platform);
  const before = (await Promise.all(servers.map((server) => podsOf(server)))).flat();
  const load = await startLoad(platform, loadSeconds);
  const startedMs = Date.now();
  let presentedMs: number;
  let changedMs: number;
  let summary: string;
  try {
    await change();
    changedMs = Date.now() - startedMs;
    const ca = new X509Certificate(authority);
    await waitUntil('certificates issued by the CA', 180, readCertificates, (all) =>
      all.every(({ text }) => new X509Certificate(text).verify(ca.publicKey)),
    );
    await waitUntil(
      'every service presenting its newest certificate',
      240,
      async () => {
        const newest = new Map((await readCertificates()).map(({ part, serial }) => [part, serial]));
        const serials = await Promise.all(before.map(({ address }) => readPresentedSerial(address)));
        return before
          .filter(({ component }, index) => serials[index] !== newest.get(component))
          .map(({ name }) => name);
      },
      (outdated) => outdated.length === 0,
      2000,
    );
    presentedMs = Date.now() - startedMs;
  } finally {
    summary = await load.stop();
  }
  const names = new Set((await Promise.all(servers.map((server) => podsOf(server)))).flat().map(({ name }) => name));
  const replaced = before.filter(({ name }) => !names.has(name));
  if (replaced.length > 0) throw new Error(`replaced: ${replaced.map(({ name }) => name).join(', ')}`);
  return `changed in ${seconds(changedMs)}, presented by all after ${seconds(presentedMs)}; ${summary}`;
}
