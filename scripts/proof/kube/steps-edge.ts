// The site through a real controller of Ingress and Gateway API: Traefik, beside the cluster (scripts/proof/cluster/traefik.sh).
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { join } from 'node:path';
import { createAuthority, issueCertificate } from '@husky/runtime/rpc/certificates';
import { registerVerified } from '../../demo/accounts.ts';
import { apply, call, machine, namespace, release, root, tryKubectl, waitUntil } from './cluster.ts';
import { allPods } from './nodes.ts';
import { type Platform, readProjectFile, startMatches } from './platform.ts';
import { type Step, seconds } from './steps.ts';
import { upgradeWithin } from './steps-chart.ts';

const host = 'holdem.test';
const tlsSecret = `${release}-edge-tls`;
/** The largest bot that the platform accepts has 1 MiB. */
const botBytes = 1_000_000;

/** The address at which the controller serves the site; `ca`: HTTPS with this certificate. */
interface Edge {
  readonly ca?: string;
}

interface Sent {
  readonly method?: string;
  readonly token?: string;
  readonly accept?: string;
  readonly body?: { readonly type: string; readonly bytes: Uint8Array };
}

/** Sends a request for `host` to the controller, which no name server knows. Resolves with the beginning of the response. */
function send(
  { ca }: Edge,
  path: string,
  { method = 'GET', token, accept, body }: Sent = {},
): Promise<IncomingMessage> {
  const headers = {
    host,
    accept: accept ?? 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': body.type, 'content-length': String(body.bytes.length) }),
  };
  const options = { host: machine, path, method, headers, timeout: 60_000 };
  return new Promise((resolve, reject) => {
    const call =
      ca === undefined ? requestPlain(options, resolve) : requestSecure({ ...options, ca, servername: host }, resolve);
    call.once('timeout', () => call.destroy(new Error(`${method} ${path}: no byte for 60 s`)));
    call.once('error', reject);
    call.end(body?.bytes);
  });
}

async function read(edge: Edge, path: string, sent?: Sent): Promise<{ status: number; type: string; text: string }> {
  const response = await send(edge, path, sent);
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text };
}

async function expectOk(edge: Edge, path: string, sent?: Sent): Promise<string> {
  const { status, text } = await read(edge, path, sent);
  if (status !== 200) throw new Error(`${path} returned ${status}: ${text.slice(0, 200)}`);
  return text;
}

export const edgeSteps = (platform: Platform): Step[] => [
  {
    name: 'edge: Traefik serves the Ingress: pages, sign-in, an upload of 1 MB, an event stream while the match is played',
    minutes: 30,
    async run() {
      await call(join(root, 'scripts/proof/cluster/traefik.sh'), ['start'], 25 * 60_000);
      const ingress = `ingress.enabled=true,ingress.className=traefik,ingress.host=${host},publicUrl=http://${host}`;
      await change(`${ingress},gateway.trustedProxies=1`);
      return verifySite(platform, {});
    },
  },
  {
    name: 'edge: Traefik serves the Gateway API: the same over HTTPS, and HTTP is redirected',
    minutes: 15,
    async run() {
      const ca = await createTlsSecret();
      const gateway = `httpRoute.gateway.className=traefik,httpRoute.gateway.tlsSecret=${tlsSecret}`;
      const route = `httpRoute.enabled=true,httpRoute.hostnames={${host}},publicUrl=https://${host}`;
      await change(`${route},${gateway},gateway.trustedProxies=1`);
      const summary = await verifySite(platform, { ca });
      const redirect = await send({}, '/rules?page=2', { accept: 'text/html' });
      redirect.resume();
      const { location } = redirect.headers;
      if (redirect.statusCode !== 301 || location !== `https://${host}/rules?page=2`) {
        throw new Error(`HTTP returned ${redirect.statusCode} to ${location}`);
      }
      return summary;
    },
  },
  {
    name: 'edge: without both the site is served by its Service again',
    async run() {
      try {
        await upgradeWithin('5m');
      } finally {
        tryKubectl('-n', namespace, 'delete', 'secret', tlsSecret, '--ignore-not-found');
        await call(join(root, 'scripts/proof/cluster/traefik.sh'), ['stop'], 120_000);
      }
      await platform.containers();
    },
  },
];

/** Changes values and waits until the replaced gateways have ended, because each ends the event streams that it serves. */
async function change(values: string): Promise<void> {
  await upgradeWithin('5m', '--set', values);
  await waitUntil(
    'the end of the replaced gateways',
    60,
    async () => (await allPods()).filter((pod) => pod.component === 'gateway'),
    (gateways) => gateways.length === 1,
  );
}

/** Creates the secret of a certificate for `host`. Returns the certificate of its CA, PEM. */
async function createTlsSecret(): Promise<string> {
  const authority = await createAuthority('husky-e2e edge');
  const { certificate, privateKey } = await issueCertificate(authority, [host]);
  const metadata = { name: tlsSecret, namespace };
  const stringData = { 'tls.crt': certificate, 'tls.key': privateKey };
  apply({ apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', metadata, stringData });
  return authority.certificate;
}

async function verifySite(platform: Platform, edge: Edge): Promise<string> {
  const sinceMs = Date.now();
  await waitUntil(
    'the site through the controller',
    60,
    () => read(edge, '/healthz'),
    ({ status }) => status === 200,
  );
  const reachedMs = Date.now() - sinceMs;
  const page = await read(edge, '/', { accept: 'text/html' });
  if (page.status !== 200 || !page.type.startsWith('text/html')) throw new Error(`/ returned ${page.status}`);
  const username = `edge-${edge.ca === undefined ? 'ingress' : 'gateway'}-${Date.now().toString(36)}`;
  const token = await signIn(platform, edge, username);
  await uploadLargeBot(edge, token);
  const [job = ''] = await startMatches(platform, 1);
  const stream = await readStream(edge, job, await platform.token());
  await platform.verifyMatches([job], 60);
  return `reachable after ${seconds(reachedMs)}; ${botBytes} bytes uploaded; ${stream}`;
}

/** Registers a verified user, who signs in through the controller. Returns the token. */
async function signIn(platform: Platform, edge: Edge, username: string): Promise<string> {
  const password = randomUUID();
  await registerVerified(await platform.admin(), username, password);
  const bytes = Buffer.from(JSON.stringify({ username, password }));
  const login = await expectOk(edge, '/auth/login', { method: 'POST', body: { type: 'application/json', bytes } });
  const { access_token: token } = JSON.parse(login) as { access_token: string };
  const own = JSON.parse(await expectOk(edge, '/auth/whoami', { token })) as { username: string };
  if (own.username !== username) throw new Error(`/auth/whoami names ${own.username}`);
  return token;
}

async function uploadLargeBot(edge: Edge, token: string): Promise<void> {
  const text = readProjectFile('services/runner/bots/calling-station/player.py');
  const form = new FormData();
  form.set('playerFile', new File([`${text}\n# ${'a'.repeat(botBytes - text.length - 3)}`], 'player.py'));
  form.set('requirementsFile', new File([''], 'requirements.txt'));
  const encoded = new Response(form);
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  const body = { type: encoded.headers.get('content-type') ?? '', bytes };
  await expectOk(edge, '/submission/upload', { method: 'POST', token, body });
}

/** Reads the event stream of a match to its end. Throws unless it has each hand once and arrives while the match is played. */
async function readStream(edge: Edge, job: string, token: string): Promise<string> {
  const response = await send(edge, `/live/job/${job}/events`, { token, accept: 'text/event-stream' });
  if (response.statusCode !== 200) throw new Error(`the event stream returned ${response.statusCode}`);
  let text = '';
  const arrivalsMs: number[] = [];
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    arrivalsMs.push(performance.now());
  }
  if (!text.includes('event: end')) throw new Error(`the event stream ended without its end: ${text.slice(-200)}`);
  const hands = [...text.matchAll(/^id: (\d+):(\d+)$/gm)]
    .map(([, , number]) => Number(number))
    .filter((hand) => hand > 0);
  if (hands.some((hand, index) => hand !== index + 1)) throw new Error(`the event stream has hands ${hands.join(' ')}`);
  const lastedMs = (arrivalsMs.at(-1) ?? 0) - (arrivalsMs[0] ?? 0);
  if (lastedMs < 2000)
    throw new Error(`the event stream arrived within ${Math.round(lastedMs)} ms, not while the match was played`);
  return `${hands.length} hands by an event stream in ${seconds(lastedMs)}`;
}
