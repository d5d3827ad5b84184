import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LinkProxy } from './proxy.ts';

let echo: Server;
/** The bytes that the server has received. */
let requested = '';
let proxy: LinkProxy;
const clients: Socket[] = [];

beforeEach(async () => {
  requested = '';
  echo = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('data', (data) => {
        requested += data.toString();
        socket.write(data);
      });
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  proxy = await LinkProxy.listen();
  const address = echo.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  proxy.setTarget(`127.0.0.1:${address.port}`);
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await proxy.close();
  await new Promise((resolve) => echo.close(resolve));
});

/** Opens a connection through the proxy. `received` returns the bytes so far, `ended` the error that ended it. */
async function open(): Promise<{ socket: Socket; received: () => string; ended: () => string }> {
  const [host = '', port = ''] = proxy.address.split(':');
  let received = '';
  let ended = '';
  const socket = connect(Number(port), host);
  clients.push(socket);
  socket.on('data', (data) => {
    received += data.toString();
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    ended = error.code ?? error.message;
  });
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  return { socket, received: () => received, ended: () => ended };
}

test('forwards bytes in both directions', async () => {
  const { socket, received } = await open();
  socket.write('hello');
  await expect.poll(received).toBe('hello');
});

test('delays every chunk', async () => {
  const { socket, received } = await open();
  proxy.disturb({ kind: 'delay', ms: 100 });
  const startedMs = performance.now();
  socket.write('hello');
  await expect.poll(received, { interval: 5 }).toBe('hello');
  expect(performance.now() - startedMs).toBeGreaterThan(190);
});

test('keeps the order of chunks with losses', async () => {
  const { socket, received } = await open();
  let draws = 0;
  proxy.disturb({ kind: 'loss', probability: 0.5, ms: 50, random: () => (draws++ % 2 === 0 ? 0 : 1) });
  for (let digit = 0; digit < 10; digit++) socket.write(String(digit));
  await expect.poll(received).toBe('0123456789');
});

test('holds replies back while half-open and delivers them afterwards', async () => {
  const { socket, received } = await open();
  proxy.disturb({ kind: 'half-open' });
  socket.write('hello');
  await expect.poll(() => requested).toBe('hello');
  expect(received()).toBe('');
  proxy.disturb({ kind: 'none' });
  await expect.poll(received).toBe('hello');
});

test('resets a connection in the middle of a message', async () => {
  const { socket, received, ended } = await open();
  proxy.cutAfter(7);
  socket.write('hello');
  await expect.poll(received).toBe('hello');
  socket.write('world');
  await expect.poll(ended).toBe('ECONNRESET');
  expect('hellowo'.startsWith(received())).toBe(true);
});

test('resets all connections, and new ones while it refuses', async () => {
  const first = await open();
  proxy.disturb({ kind: 'refuse' });
  await expect.poll(first.ended).toBe('ECONNRESET');
  const second = await open();
  await expect.poll(second.ended).toBe('ECONNRESET');
  proxy.disturb({ kind: 'none' });
  const third = await open();
  third.socket.write('back');
  await expect.poll(third.received).toBe('back');
});
