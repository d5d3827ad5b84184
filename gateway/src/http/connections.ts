import type { Server as HttpServer } from 'node:http';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { metrics } from '@opentelemetry/api';

/**
 * Number of listening sockets. Since version 1.46 libuv accepts one connection per listening socket in a pass of the event loop: while
 * passes take 100 ms, one socket would accept ten connections a second.
 */
const listeners = 32;

export interface Listening {
  /** Stops listening and waits until no connection is left. Closes idle connections immediately, all others after `graceMs`. */
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
  return {
    async close(graceMs) {
      const done = Promise.all(opened.map(closed));
      server.closeIdleConnections();
      const grace = setTimeout(() => server.closeAllConnections(), graceMs).unref();
      await done;
      clearTimeout(grace);
    },
  };
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

function measureConnections(servers: readonly Server[]): void {
  metrics
    .getMeter('husky.http')
    .createObservableGauge('http.server.open_connections', { description: 'Open connections of clients' })
    .addCallback(async (result) => {
      const counts = await Promise.all(servers.map(openConnections));
      result.observe(counts.reduce((sum, count) => sum + count, 0));
    });
}
