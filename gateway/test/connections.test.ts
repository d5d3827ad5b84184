import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { setImmediate as nextPass } from 'node:timers/promises';
import { freePort } from '@husky/platform/free-port';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../src/http/connections.ts';

test('accepts many connections in one pass of the event loop', async () => {
  const server = createServer((_request, response) => response.end('served'));
  const port = await freePort();
  const listening = await listen(server, '127.0.0.1', port);
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });
  const clients: Socket[] = Array.from({ length: 120 }, () => connect(port, '127.0.0.1'));
  onTestFinished(async () => {
    for (const client of clients) client.destroy();
    await listening.close(0);
  });

  let passes = 0;
  while (accepted < clients.length && passes < 1000) {
    await nextPass();
    if (accepted > 0) passes += 1;
  }

  expect(accepted).toBe(clients.length);
  // With one listening socket it would take 120 passes.
  expect(passes).toBeLessThan(60);
});

test('responds on every socket, and closes when the last connection has ended', async () => {
  const server = createServer((_request, response) => response.end('served'));
  const port = await freePort();
  const listening = await listen(server, '127.0.0.1', port);
  for (let request = 0; request < 50; request += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
    expect(await response.text()).toBe('served');
  }
  await listening.close(3000);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
});

test('refuses a port on which another process listens, with one socket or with several', async () => {
  const port = await freePort();
  const other = createTcpServer();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  await expect(listen(createServer(), '127.0.0.1', port)).rejects.toThrow('EADDRINUSE');
  await new Promise((resolve) => other.close(resolve));

  const first = await listen(createServer(), '127.0.0.1', port);
  onTestFinished(() => first.close(0));
  await expect(listen(createServer(), '127.0.0.1', port)).rejects.toThrow('EADDRINUSE');
});
