import type { Server as HttpServer, ServerResponse } from 'node:http';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { createAdmission } from '@husky/runtime/rpc/admission';
import { metrics } from '@opentelemetry/api';
import { addressKey } from './rate-limits.ts';

/**
 * Number of listening sockets. Since version 1.46 libuv accepts one connection per listening socket in a pass of the event loop: while
 * passes take 100 ms, one socket would accept ten connections a second.
 */
const listeners = 32;

export interface Listening {
  /**
   * Stops listening and waits until no connection is left. Ends idle connections and event streams, whose readers come back, immediately;
   * the others with their response, at the latest after `graceMs`.
   */
  close(graceMs: number): Promise<void>;
}

/**
 * Listens with several sockets on one port (SO_REUSEPORT); the kernel distributes connections among them. Uses one socket where the
 * system does not support that. Rejects with EADDRINUSE when another process listens there. Exports the number of open connections.
 */
export async function listen(server: HttpServer, host: string, port: number): Promise<Listening> {
  const probe = createServer();
  // Bound without SO_REUSEPORT: with it, the port could be shared with another gateway unnoticed.
  await open(probe, { host, port });
  await closed(probe);
  const opened: Server[] = [server];
  try {
    // The HTTP server must listen itself, otherwise its timeouts for headers and requests do not work.
    await open(server, { host, port, reusePort: true });
    while (opened.length < listeners) {
      const further = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        server.emit('connection', socket),
      );
      await open(further, { host, port, reusePort: true });
      opened.push(further);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTSUP') throw error;
    await open(server, { host, port });
  }
  measureConnections(opened);
  const responses = new Set<ServerResponse>();
  server.prependListener('request', (_, response: ServerResponse) => {
    responses.add(response);
    response.once('close', () => responses.delete(response));
  });
  return {
    async close(graceMs) {
      const done = Promise.all(opened.map(closed));
      server.prependListener('request', (_, response: ServerResponse) => endWith(response));
      for (const response of responses) {
        if (String(response.getHeader('Content-Type')).startsWith('text/event-stream')) response.destroy();
        else endWith(response);
      }
      // A response whose head was sent before leaves an idle connection.
      const idle = setInterval(() => server.closeIdleConnections(), 100);
      const grace = setTimeout(() => server.closeAllConnections(), graceMs);
      await done;
      clearInterval(idle);
      clearTimeout(grace);
    },
  };
}

/** Lets a connection end with a response, so that its client does not send the next request on it. */
function endWith(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

function open(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

const openConnections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));

/** Read at each use: a meter made before telemetry starts counts nothing. */
const meter = () => metrics.getMeter('husky.http');

function measureConnections(servers: readonly Server[]): void {
  meter()
    .createObservableGauge('http.server.open_connections', { description: 'Open connections of clients' })
    .addCallback(async (result) => {
      const counts = await Promise.all(servers.map(openConnections));
      result.observe(counts.reduce((sum, count) => sum + count, 0));
    });
}

const refusalBody = JSON.stringify({
  detail: 'Too many connections are open on this server: please try again',
  reason: 'overloaded',
});
const refusal = `HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 10\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(refusalBody)}\r\n\r\n${refusalBody}`;

/**
 * Refuses connections beyond `max` open ones (0: no limit), and beyond `share` of them from one address, with 503 and counts them: each costs
 * memory, whether it sends a request or not. Behind proxies, whose addresses are not those of clients, there is no share.
 * Node's `maxConnections` counts those of one listening socket only.
 */
export function limitConnections(server: HttpServer, max: number, share = Infinity): void {
  const refused = meter().createCounter('http.connections.refused', {
    description: 'Connections refused because too many were open',
  });
  refused.add(0);
  const places = createAdmission({ limit: () => max || Infinity, share: { account: Infinity, address: share } });
  // Before the listener of the server itself, so that nothing is read from a refused connection.
  server.prependListener('connection', (socket: Socket) => {
    const leave = places.take('connections', { account: '', address: addressKey(socket.remoteAddress ?? '') });
    if (typeof leave !== 'string') return void socket.once('close', leave);
    refused.add(1);
    socket.write(refusal);
    socket.destroy();
  });
}
