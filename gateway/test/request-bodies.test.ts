// The memory of request bodies is bounded, over real connections to a gateway, with doubles of the services.
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { authService, submissionService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/access';
import { startTelemetry } from '@husky/runtime/telemetry';
import { startDouble } from '@husky/testkit/service-double';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startEdge } from './edge.ts';

const telemetry = await startTelemetry('test', { edge: true });
afterAll(() => telemetry.shutdown());

/** Returns the sum of a counter's series that match. */
async function countOf(metric: string, labels: RegExp): Promise<number> {
  const series = (await telemetry.metricsText()).matchAll(new RegExp(`^${metric}\\{(.*)\\} (\\d+)`, 'gm'));
  return [...series].filter(([, text = '']) => labels.test(text)).reduce((sum, [, , value]) => sum + Number(value), 0);
}
const refusedSignIns = () => countOf('http_requests_refused_total', /class="sign-ins"/);
const answered = (status: number) => countOf('http_server_duration_count', new RegExp(`status="${status}"`));

const KiB = 1024;
const overloaded =
  /^HTTP\/1\.1 503 [\s\S]*More requests arrive than can be answered in time: please try again in some seconds/;
// A body of more than 128 KiB takes 256 KiB, of which 4 are not counted. An address may hold 16 MiB.
const bigBytes = 200 * KiB;
const bigOfAddress = Math.floor((16 * KiB) / (256 - 4));
const fullAddresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'];

/** Starts a gateway behind a proxy that reports the address of each client. Uploads and mails are answered after `release`, callers identified after `identified`. */
async function start(identified = Promise.resolve()) {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const uploads: { playerFile: Buffer; requirementsFile: Buffer }[] = [];
  const auth = await startDouble(authService, anyone, {
    async identify() {
      await identified;
      return { id: 'u1', username: 'ann', isVerified: true };
    },
    login: async () => ({ accessToken: 'token', expiresIn: 60 }),
    async resendVerification() {
      await released;
      return { message: 'sent' };
    },
  });
  const submission = await startDouble(submissionService, anyone, {
    async upload({ playerFile, requirementsFile }) {
      uploads.push({ playerFile, requirementsFile });
      await released;
      return { id: 'saved' };
    },
  });
  const edge = await startEdge(
    { auth: auth.address, submission: submission.address },
    { settings: { TRUSTED_PROXIES: 1, HTTP_HEADERS_TIMEOUT_MS: 60_000, HTTP_REQUEST_TIMEOUT_MS: 60_000 } },
  );
  const sockets = new Set<Socket>();
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    release();
    await edge.stop();
    await Promise.all([auth.stop(), submission.stop()]);
  });
  const port = Number(new URL(edge.origin).port);

  /** Sends a chunked request without its end. */
  function send(address: string, path: string, type: string, body: string | Buffer) {
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    const answer = Promise.withResolvers<string>();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const request = { socket, text: '', answer: answer.promise, closed };
    socket.on('data', (data) => {
      request.text += data.toString('utf8');
      answer.resolve(request.text);
    });
    // The gateway may close the connection while the body is being sent.
    socket.on('error', () => undefined);
    const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', `X-Forwarded-For: ${address}`, `Content-Type: ${type}`];
    head.push('Authorization: Bearer session', 'Transfer-Encoding: chunked');
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    if (body.length > 0) chunk(socket, body);
    return request;
  }

  const slowJson = (address: string) => send(address, '/auth/login', 'application/json', `"${'x'.repeat(bigBytes)}`);
  const session = { authorization: 'Bearer session' };
  const post = (address: string, path: string, body: string | FormData, headers: Record<string, string> = session) =>
    fetch(`${edge.origin}${path}`, {
      method: 'POST',
      headers: {
        'x-forwarded-for': address,
        ...headers,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
      body,
    });
  return {
    ...edge,
    send,
    uploads,
    release: () => release(),
    signIn: (address: string) => post(address, '/auth/login', JSON.stringify({ username: 'ann', password: 'long' })),
    /** Sends a body of 200 KiB, which no route accepts: 422 if it is read. */
    postBig: (address: string, headers?: Record<string, string>) =>
      post(address, '/auth/login', JSON.stringify('x'.repeat(bigBytes)), headers),
    slowJson,
    upload: (address: string, form: FormData) => post(address, '/submission/upload', form),
    get: (address: string) => fetch(`${edge.origin}/healthz`, { headers: { 'x-forwarded-for': address } }),
    /** Opens slow bodies until `refused` more than fit have been refused. */
    async fill(address: string, refused: number) {
      const open = Array.from({ length: bigOfAddress + refused }, () => slowJson(address));
      const refusals = () => open.filter(({ text }) => text !== '');
      await expect.poll(() => refusals().length).toBe(refused);
      return { open, refusals };
    },
  };
}

function chunk(socket: Socket, data: string | Buffer): void {
  socket.write(`${data.length.toString(16)}\r\n`);
  socket.write(data);
  socket.write('\r\n');
}

const filePart = (field: string, name: string) =>
  `--b\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n`;

function botForm(player: string | Buffer, requirements: string | Buffer): FormData {
  const form = new FormData();
  form.append('playerFile', new Blob([Buffer.from(player)]), 'player.py');
  form.append('requirementsFile', new Blob([Buffer.from(requirements)]), 'requirements.txt');
  return form;
}

test('refuses slow bodies of one address beyond its quarter of the budget, and answers everybody else', async () => {
  const { fill, get, signIn, postBig } = await start();
  const before = await refusedSignIns();
  const { refusals } = await fill('10.0.0.1', 5);
  expect(await refusedSignIns()).toBe(before + 5);
  for (const { closed, text } of refusals()) {
    expect(text).toMatch(overloaded);
    expect(text).toMatch(/\r\nRetry-After: [234]\r\n/);
    await closed;
  }
  expect((await postBig('10.0.0.1')).status).toBe(503);
  for (const address of ['10.0.0.1', '10.0.0.2']) {
    expect((await get(address)).status).toBe(200);
    expect((await signIn(address)).status).toBe(200);
  }
  expect((await postBig('10.0.0.2')).status).toBe(422);
  expect(refusals().length).toBe(5);
});

test('refuses bodies of every address while the budget is used up, and still answers reads and sign-ins', async () => {
  const { fill, get, signIn, postBig } = await start();
  const filled = await Promise.all(fullAddresses.map((address) => fill(address, 1)));
  const refused = await postBig('10.0.0.9');
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ reason: 'overloaded' });
  expect((await get('10.0.0.9')).status).toBe(200);
  expect((await signIn('10.0.0.9')).status).toBe(200);
  for (const { open } of filled) for (const { socket } of open) socket.destroy();
  await expect.poll(async () => (await postBig('10.0.0.9')).status).toBe(422);
});

test('frees exactly what a body has taken when its client disconnects or its request has been answered', async () => {
  const { fill, connections } = await start();
  for (let round = 0; round < 5; round += 1) {
    const { open } = await fill('10.0.0.1', 1);
    for (const { socket } of open) socket.destroy();
    await expect.poll(connections).toBe(0);
  }
  expect(await answered(499)).toBeGreaterThanOrEqual(5 * bigOfAddress);
  expect(await answered(500)).toBe(0);
  for (let round = 0; round < 2; round += 1) {
    const { open, refusals } = await fill('10.0.0.1', 1);
    for (const request of open) {
      if (request.text === '') request.socket.write('1\r\n"\r\n0\r\n\r\n');
    }
    const answers = await Promise.all(open.map(({ answer }) => answer));
    expect(refusals().length).toBe(open.length);
    expect(answers.filter((text) => text.startsWith('HTTP/1.1 422 ')).length).toBe(bigOfAddress);
  }
});

test('reads and counts bodies while their callers are identified', async () => {
  const identified = Promise.withResolvers<void>();
  const { slowJson, postBig } = await start(identified.promise);
  const slow = Array.from({ length: bigOfAddress }, () => slowJson('10.0.0.1'));
  const withoutSession = async () => (await postBig('10.0.0.1', {})).status;
  await expect.poll(withoutSession).toBe(503);
  expect((await postBig('10.0.0.1')).status).toBe(503);
  identified.resolve();
  for (const { socket } of slow) socket.destroy();
  await expect.poll(withoutSession).toBe(422);
});

test('answers the refused caller of a body before its end, discards the rest and keeps the connection', async () => {
  const { send } = await start();
  const request = send('10.0.0.1', '/admin/settings', 'application/json', '"');
  expect(await request.answer).toMatch(/^HTTP\/1\.1 403 /);
  // More than the body's limit and the buffers of the connection take.
  for (let part = 0; part < 32; part += 1) chunk(request.socket, Buffer.alloc(KiB * KiB));
  request.socket.write('0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(() => request.text).toMatch(/HTTP\/1\.1 200 /);
});

test('keeps nothing of the bodies of refused callers', async () => {
  const identified = Promise.withResolvers<void>();
  const { send, postBig } = await start(identified.promise);
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heldMiB = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers / 2 ** 20;
  };
  const body = `"${'x'.repeat(bigBytes)}`;
  const requests = Array.from({ length: bigOfAddress }, () =>
    send('10.0.0.1', '/admin/settings', 'application/json', body),
  );
  await expect.poll(async () => (await postBig('10.0.0.1', {})).status).toBe(503);
  const held = heldMiB();
  identified.resolve();
  for (const { answer } of requests) expect(await answer).toMatch(/^HTTP\/1\.1 403 /);
  // They had 16 MiB.
  await expect.poll(() => held - heldMiB()).toBeGreaterThan(12);
});

test('discards a body of the wrong type while its caller is identified', async () => {
  const identified = Promise.withResolvers<void>();
  const { send } = await start(identified.promise);
  const request = send('10.0.0.1', '/submission/upload', 'text/plain', 'x');
  for (let part = 0; part < 32; part += 1) chunk(request.socket, Buffer.alloc(KiB * KiB));
  await new Promise((resolve) => request.socket.write('0\r\n\r\n', resolve));
  identified.resolve();
  expect(await request.answer).toMatch(/^HTTP\/1\.1 415 /);
});

test('counts an upload until it has been handled, also when its client has left', async () => {
  const { upload, uploads, release, send } = await start();
  const content = Buffer.alloc(KiB * KiB - 1, '#');
  // Two files of 1 MiB, less the 4 KiB that are not counted.
  const fitting = 8;
  const parts = [
    filePart('playerFile', 'player.py'),
    content,
    `\r\n${filePart('requirementsFile', 'requirements.txt')}`,
  ];
  const body = Buffer.concat([...parts, content, '\r\n--b--\r\n'].map((part) => Buffer.from(part)));
  const clients = Array.from({ length: fitting }, () => {
    const client = send('10.0.0.1', '/submission/upload', 'multipart/form-data; boundary=b', body);
    client.socket.write('0\r\n\r\n');
    return client;
  });
  await expect.poll(() => uploads.length).toBe(fitting);
  for (const { socket } of clients) socket.destroy();
  expect((await upload('10.0.0.1', botForm(content, ''))).status).toBe(503);
  release();
  await expect.poll(async () => (await upload('10.0.0.1', botForm(content, ''))).status).toBe(200);
});

test('accepts an upload of two files with every byte', async () => {
  const { upload, uploads, release } = await start();
  release();
  const player = Buffer.from(Array.from({ length: 900 * KiB }, (_, index) => (index * 31) % 251));
  const response = await upload('10.0.0.1', botForm(player, 'numpy\n'));
  expect([response.status, await response.json()]).toMatchObject([200, { submission_id: 'saved' }]);
  expect(uploads[0]?.playerFile.equals(player)).toBe(true);
  expect(uploads[0]?.requirementsFile.toString()).toBe('numpy\n');
});

test('reads a body that arrives byte by byte', async () => {
  const { send } = await start();
  const { socket, answer } = send('10.0.0.1', '/auth/login', 'application/json', '');
  for (const character of JSON.stringify({ username: 'ann', password: 'a'.repeat(900) })) chunk(socket, character);
  socket.write('0\r\n\r\n');
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
});

test('refuses a chunked form that grows beyond 3 MiB, and closes its connection', async () => {
  const { send, uploads } = await start();
  const field = '--b\r\nContent-Disposition: form-data; name="note"\r\n\r\n';
  const form = send('10.0.0.1', '/submission/upload', 'multipart/form-data; boundary=b', field);
  const more = Buffer.alloc(64 * KiB, 'x');
  const sending = setInterval(() => {
    if (form.socket.writable) chunk(form.socket, more);
  }, 1);
  await form.closed;
  clearInterval(sending);
  expect(form.text).toMatch(/^HTTP\/1\.1 413 [\s\S]*The upload is larger than 1 MiB/);
  expect(uploads).toEqual([]);
});

test('ignores up to six other files, and refuses a form with more', async () => {
  const { upload, release } = await start();
  release();
  const form = botForm('# bot', '');
  for (let number = 1; number <= 6; number++) form.append(`other${number}`, new Blob(['more']), 'more.py');
  expect((await upload('10.0.0.1', form)).status).toBe(200);
  form.append('other7', new Blob(['more']), 'more.py');
  const response = await upload('10.0.0.1', form);
  expect([response.status, await response.json()]).toMatchObject([
    422,
    { detail: 'The form could not be read: too many files' },
  ]);
});

test('keeps no file of another field', async () => {
  const { send, upload, release } = await start();
  release();
  const body = `${filePart('other', 'other.py')}${'x'.repeat(900 * KiB)}`;
  const forms = Array.from({ length: 30 }, () =>
    send('10.0.0.1', '/submission/upload', 'multipart/form-data; boundary=b', body),
  );
  const player = Buffer.alloc(KiB * KiB - 1, '#');
  expect((await upload('10.0.0.1', botForm(player, ''))).status).toBe(200);
  for (const { socket, answer } of forms) {
    chunk(socket, '\r\n--b--\r\n');
    socket.write('0\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 422 [\s\S]*must be provided/);
  }
});

test('discards a body that the call does not read, while it is handled', async () => {
  const { send, release } = await start();
  const { socket, answer } = send('10.0.0.1', '/auth/resend-verification', 'text/plain', 'x');
  // More than the buffers of the connection take.
  for (let part = 0; part < 32; part += 1) chunk(socket, Buffer.alloc(KiB * KiB));
  await new Promise((resolve) => socket.write('1\r\nx\r\n', resolve));
  release();
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
});
