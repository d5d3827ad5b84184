import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { setImmediate as nextPass } from 'node:timers/promises';
import { freePort } from '@husky/platform/free-port';
import { expect, onTestFinished, test } from 'vitest';
import { limitConnections, listen } from '../src/http/connections.ts';

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

test('refuses connections beyond the limit, on all sockets together, and accepts again when some have ended', async () => {
  const server = createServer((_request, response) => response.end('answered'));
  limitConnections(server, 20);
  const port = await freePort();
  const listening = await listen(server, '127.0.0.1', port);
  const clients: Socket[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.destroy();
    await listening.close(0);
  });
  const open = async () => {
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    clients.push(client);
    const closed = new Promise((resolve) => client.once('close', () => resolve('refused')));
    const text = new Promise((resolve) => client.once('data', (data) => resolve(data.toString())));
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return Promise.race([text, closed]);
  };
  for (let count = 0; count < 20; count++) expect(await open()).toMatch(/^HTTP\/1.1 200/);
  for (let count = 0; count < 40; count++) {
    const answer = await open();
    // The kernel may drop what was written before a connection is reset.
    if (answer !== 'refused') expect(answer).toMatch(/^HTTP\/1.1 503 [\s\S]*\r\nRetry-After: \d+\r\n/);
  }
  clients[0]?.destroy();
  await expect.poll(open, { timeout: 20_000 }).toMatch(/^HTTP\/1.1 200/);
});
