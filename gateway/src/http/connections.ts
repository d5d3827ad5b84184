import type { Server as HttpServer } from 'node:http';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { metrics } from '@opentelemetry/api';

/**
 * libuv accepts one connection of each listening socket in a pass of the event loop (since 1.46). While passes take 100 ms, one socket
 * would let ten visitors a second in.
 */
const listeners = 32;

export interface Listening {
  /** Ends when no connection is left. Idle ones are closed at once, all after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/**
 * Listens with several sockets on one port (SO_REUSEPORT), between which the kernel distributes connections; with one, where the system
 * does not support that. Rejects with EADDRINUSE when any other process listens there. Exports the number of open connections.
 */
export async function listen(server: HttpServer, host: string, port: number): Promise<Listening> {
  const probe = createServer();
  // Bound without SO_REUSEPORT, because with it the port could be shared with another gateway unnoticed.
  await open(probe, { host, port });
  await closed(probe);
  const opened: Server[] = [server];
  try {
    // The HTTP server listens itself: without that its timeouts for headers and requests do not work.
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
