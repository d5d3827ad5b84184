// `make bench-logins`: measures the latency of reads, sign-ins and uploads of an honest user, without and with floods of sign-ins and of uploads.
// FLOOD_SECONDS: duration of each phase (default 20); FLOOD_PER_MINUTE: sign-ins per minute (default 10,000).
import { setTimeout as wait } from 'node:timers/promises';
import { startOwnPlatform } from '../../up/own-platform.ts';
import { BenchRun } from './bench-run.ts';
import { quantile } from './spread.ts';
import { measureUploads } from './upload-flood.ts';

const seconds = Number(process.env.FLOOD_SECONDS ?? 20);
const perMinute = Number(process.env.FLOOD_PER_MINUTE ?? 10_000);
const password = 'a long enough passphrase';

interface Latencies {
  readonly reads: number[];
  readonly signIns: number[];
}

interface Flood {
  readonly label: string;
  readonly nameOf: (index: number) => string;
  readonly addressOf: (index: number) => string;
}

const honestAddress = '192.0.2.7';

function post(origin: string, path: string, body: object, address = honestAddress): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
  return fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Adds the duration of a request to the list. A refused request counts as infinite, so that it affects the quantiles. */
async function recordDuration(durations: number[], send: () => Promise<Response>): Promise<void> {
  const started = performance.now();
  const response = await send();
  await response.arrayBuffer();
  durations.push(response.ok ? performance.now() - started : Number.POSITIVE_INFINITY);
}

/** Acts as an honest user, who reads ten times and signs in once per second. Returns the latencies in ms. */
async function measure(origin: string, token: string): Promise<Latencies> {
  const reads: number[] = [];
  const signIns: number[] = [];
  const deadline = Date.now() + seconds * 1000;
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': honestAddress };
  const read = async () => {
    while (Date.now() < deadline) {
      for (const path of ['/auth/whoami', '/leaderboard/top/20', '/live/public-job-ids']) {
        await recordDuration(reads, () => fetch(`${origin}${path}`, { headers }));
      }
      await wait(100);
    }
  };
  const signIn = async () => {
    while (Date.now() < deadline) {
      await recordDuration(signIns, () => post(origin, '/auth/login', { username: 'honest', password }));
      await wait(1000);
    }
  };
  await Promise.all([read(), signIn()]);
  return { reads, signIns };
}

/** Sends sign-ins with a wrong password at `perMinute` until `signal` aborts. Returns the number of responses by status. */
async function flood(origin: string, from: Flood, signal: AbortSignal): Promise<Map<number, number>> {
  const responses = new Map<number, number>();
  const open = new Set<Promise<void>>();
  const started = Date.now();
  for (let sent = 0; !signal.aborted; sent++) {
    const due = started + (sent * 60_000) / perMinute;
    if (due > Date.now()) await wait(due - Date.now());
    // Above a thousand pending requests this process would be the bottleneck.
    if (open.size > 1000) await Promise.race(open);
    const body = { username: from.nameOf(sent), password: 'wrong wrong wrong' };
    const one: Promise<void> = post(origin, '/auth/login', body, from.addressOf(sent))
      .then(async (response) => {
        await response.arrayBuffer();
        responses.set(response.status, (responses.get(response.status) ?? 0) + 1);
      })
      .catch(() => void responses.set(0, (responses.get(0) ?? 0) + 1))
      .finally(() => open.delete(one));
    open.add(one);
  }
  await Promise.all(open);
  return responses;
}

const oneAddress = () => '203.0.113.1';
const manyAddresses = (index: number) => `198.18.${Math.floor(index / 250) % 8}.${index % 250}`;
const floods: readonly Flood[] = [
  { label: 'one account, one address', nameOf: () => 'admin', addressOf: oneAddress },
  { label: 'one account, 2,000 addresses', nameOf: () => 'admin', addressOf: manyAddresses },
  { label: 'many accounts, one address', nameOf: (index) => `nobody_${index % 5000}`, addressOf: oneAddress },
  { label: 'many accounts, 2,000 addresses', nameOf: (index) => `nobody_${index % 5000}`, addressOf: manyAddresses },
];

/** Returns the columns of one kind of request: latencies and their ratios to those without a flood. */
function columns(quiet: readonly number[], flooded: readonly number[]): string {
  const quantiles = [0.5, 0.95].map((share) => {
    const [before, now] = [quantile(quiet, share), quantile(flooded, share)];
    return `${before.toFixed(1)}, ${now.toFixed(1)} ms: ${(now / before).toFixed(2)}`;
  });
  return quantiles.join(' | ');
}

async function main(): Promise<void> {
  // Client addresses are sent in X-Forwarded-For, as by a proxy. All limits have their defaults.
  const run = await BenchRun.start('A flood of sign-ins');
  const lines = [
    `${perMinute} sign-ins a minute for ${seconds} s each; latencies without and with the flood: ratio`,
    '',
    '| flood | responses | reads, median | reads, p95 | sign-ins, median | sign-ins, p95 |',
    '| --- | --- | --- | --- | --- | --- |',
  ];
  const { origin, admin, stop } = await startOwnPlatform({ TRUSTED_PROXIES: '1' });
  try {
    const registered = await post(origin, '/auth/register', {
      username: 'honest',
      email: 'honest@test.invalid',
      password,
    });
    const { access_token: token } = (await registered.json()) as { access_token: string };
    await measure(origin, token);
    const quiet = await measure(origin, token);
    for (const from of floods) {
      const stopFlood = new AbortController();
      const flooding = flood(origin, from, stopFlood.signal);
      const flooded = await measure(origin, token).finally(() => stopFlood.abort());
      const responses = [...(await flooding)].map(([status, count]) => `${count} x ${status}`).join(', ');
      const figures = [columns(quiet.reads, flooded.reads), columns(quiet.signIns, flooded.signIns)];
      lines.push(`| ${from.label} | ${responses} | ${figures.join(' | ')} |`);
    }
    lines.push(...(await measureUploads(origin, admin, seconds)));
  } finally {
    await stop();
  }
  await run.finish(lines.join('\n'));
}

await main();
