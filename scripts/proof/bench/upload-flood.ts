import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from './spread.ts';

const password = 'a long enough passphrase';
// Its check takes a second of processor time.
const dear = 'if a: b\n'.repeat(40_000);
const uploadsAtOnce = 12;

interface Client {
  readonly token: string;
  readonly address: string;
}

async function send(origin: string, path: string, { token, address }: Client, body: FormData | object = {}) {
  const isForm = body instanceof FormData;
  const headers = {
    'x-forwarded-for': address,
    authorization: `Bearer ${token}`,
    ...(isForm ? {} : { 'content-type': 'application/json' }),
  };
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers,
    body: isForm ? body : JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as { access_token?: string } };
}

/** Uploads a file that is no bot, so that the quota does not count it. Returns the status: 400 once it has been checked. */
async function upload(origin: string, client: Client, source: string): Promise<number> {
  const form = new FormData();
  form.append('playerFile', new Blob([source]), 'player.py');
  form.append('requirementsFile', new Blob(['']), 'requirements.txt');
  return (await send(origin, '/submission/upload', client, form)).status;
}

/** Registers and verifies a user. Repeats a registration that a flood before has caused to be refused. */
async function signUp(origin: string, adminToken: string, username: string, address: string): Promise<Client> {
  const body = { username, email: `${username}@test.invalid`, password };
  for (;;) {
    const { status, json } = await send(origin, '/auth/register', { token: '', address }, body);
    if (json.access_token !== undefined) {
      await send(origin, `/admin/verify-user/${username}`, { token: adminToken, address: '192.0.2.1' });
      return { token: json.access_token, address };
    }
    if (status !== 429 && status !== 503) throw new Error(`${username} was not registered: ${status}`);
    await wait(2000);
  }
}

/** Uploads every half second. A refused upload counts as infinite. Returns the latencies in ms. */
async function measure(origin: string, client: Client, seconds: number): Promise<number[]> {
  const durations: number[] = [];
  for (const until = Date.now() + 1000 * seconds; Date.now() < until; await wait(500)) {
    const started = performance.now();
    const status = await upload(origin, client, 'x = 1\n');
    durations.push(status === 400 ? performance.now() - started : Number.POSITIVE_INFINITY);
  }
  return durations;
}

/** Measures the uploads of an honest user without and with floods of dear ones. Returns a table. */
export async function measureUploads(
  origin: string,
  admin: { readonly username: string; readonly password: string },
  seconds: number,
): Promise<string[]> {
  const { json } = await send(origin, '/auth/login', { token: '', address: '192.0.2.1' }, admin);
  const newClient = (name: string, address: string) => signUp(origin, json.access_token ?? '', name, address);
  const honest = await newClient('uploader', '192.0.2.8');
  const floods: [string, Client[]][] = [
    ['one account', [await newClient('flood', '203.0.113.2')]],
    [
      '20 accounts, one address',
      await Promise.all(Array.from({ length: 20 }, (_, index) => newClient(`flood_${index}`, '203.0.113.3'))),
    ],
  ];
  await measure(origin, honest, 3);
  const quiet = await measure(origin, honest, seconds);
  const lines = [
    '',
    '| flood of dear uploads | responses | uploads, median | uploads, p95 |',
    '| --- | --- | --- | --- |',
  ];
  for (const [label, clients] of floods) {
    const responses = new Map<number, number>();
    let flooding = true;
    const workers = clients.flatMap((client) =>
      Array.from({ length: Math.ceil(uploadsAtOnce / Math.sqrt(clients.length)) }, async () => {
        while (flooding) {
          const status = await upload(origin, client, dear);
          responses.set(status, (responses.get(status) ?? 0) + 1);
          if (status !== 400) await wait(200);
        }
      }),
    );
    const flooded = await measure(origin, honest, seconds).finally(() => {
      flooding = false;
    });
    await Promise.all(workers);
    const columns = [0.5, 0.95].map((share) => {
      const [before, now] = [quantile(quiet, share), quantile(flooded, share)];
      return `${before.toFixed(0)}, ${now.toFixed(0)} ms: ${(now / before).toFixed(2)}`;
    });
    lines.push(
      `| ${label} | ${[...responses].map(([status, count]) => `${count} x ${status}`).join(', ')} | ${columns.join(' | ')} |`,
    );
  }
  return lines;
}
