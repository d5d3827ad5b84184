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

test('holds replies back while half-open and delivers them afterwards', async () => {
  const { socket, received } = await open();
  proxy.holdReplies();
  socket.write('hello');
  await expect.poll(() => requested).toBe('hello');
  expect(received()).toBe('');
  proxy.releaseReplies();
  await expect.poll(received).toBe('hello');
});

test('resets all connections, and new ones work', async () => {
  const first = await open();
  proxy.cut();
  await expect.poll(first.ended).toBe('ECONNRESET');
  const second = await open();
  second.socket.write('back');
  await expect.poll(second.received).toBe('back');
});
