// Clients that send request bodies over connections of their own, and a gateway with doubles of the services.
import { connect, type Socket } from 'node:net';
import { authService, simulationService, submissionService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/rpc/access';
import { startDouble } from '@husky/testkit/service-double';
import { expect, onTestFinished } from 'vitest';
import { startEdge } from './edge.ts';

export const KiB = 1024;
// A body of more than 128 KiB takes 256 KiB, of which 4 are not counted. An address may hold 16 MiB.
export const bigBytes = 200 * KiB;
export const bigOfAddress = Math.floor((16 * KiB) / (256 - 4));

/** Starts a gateway behind a proxy that reports the address of each client. Uploads and mails are answered after `release`, callers identified after `identified`. */
export async function start(identified = Promise.resolve()) {
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
      const isSlow = requirementsFile.toString() === 'slow';
      return { id: 'saved', state: isSlow ? 'preparing' : 'ready' };
    },
  });
  const simulation = await startDouble(simulationService, anyone, {
    async createTestRun({ playerFile, requirementsFile }) {
      uploads.push({ playerFile, requirementsFile });
      await released;
      return { id: 'job', status: 'PENDING' };
    },
  });
  const edge = await startEdge(
    { auth: auth.address, submission: submission.address, simulation: simulation.address },
    { settings: { TRUSTED_PROXIES: 1, headersTimeoutMs: 60_000, requestTimeoutMs: 60_000 } },
  );
  const sockets = new Set<Socket>();
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    release();
    await edge.stop();
    await Promise.all([auth.stop(), submission.stop(), simulation.stop()]);
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
  /** Signs in. After it the account of the session is known, so that its bodies use up what is reserved for it. */
  const signIn = (address: string) =>
    post(address, '/auth/login', JSON.stringify({ username: 'ann', password: 'long' }), {
      ...session,
      connection: 'close',
    });
  return {
    ...edge,
    send,
    post,
    uploads,
    release: () => release(),
    signIn,
    /** Sends a body of 200 KiB, which no route accepts: 422 if it is read. */
    postBig: (address: string, headers?: Record<string, string>) =>
      post(address, '/auth/login', JSON.stringify('x'.repeat(bigBytes)), headers),
    slowJson,
    upload: (address: string, form: FormData) => post(address, '/submission/upload', form),
    get: (address: string) => fetch(`${edge.origin}/healthz`, { headers: { 'x-forwarded-for': address } }),
    /** Opens slow bodies until `refused` more than fit have been refused. */
    async fill(address: string, refused: number) {
      await signIn(address);
      const open = Array.from({ length: bigOfAddress + refused }, () => slowJson(address));
      const refusals = () => open.filter(({ text }) => text !== '');
      await expect.poll(() => refusals().length).toBe(refused);
      return { open, refusals };
    },
  };
}

export function chunk(socket: Socket, data: string | Buffer): void {
  socket.write(`${data.length.toString(16)}\r\n`);
  socket.write(data);
  socket.write('\r\n');
}

export const filePart = (field: string, name: string) =>
  `--b\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n`;

export function botForm(player: string | Buffer, requirements: string | Buffer): FormData {
  const form = new FormData();
  form.append('playerFile', new Blob([Buffer.from(player)]), 'player.py');
  form.append('requirementsFile', new Blob([Buffer.from(requirements)]), 'requirements.txt');
  return form;
}
