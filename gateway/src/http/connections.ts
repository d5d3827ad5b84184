import type { Server } from 'node:http';
import { metrics } from '@opentelemetry/api';

/** Exports the number of open connections of browsers. */
export function measureConnections(server: Server): void {
  metrics
    .getMeter('husky.http')
    .createObservableGauge('http.server.open_connections', { description: 'Open connections of clients' })
    .addCallback(async (result) => {
      const count = await new Promise<number>((resolve) => server.getConnections((error, n) => resolve(error ? 0 : n)));
      result.observe(count);
    });
}
