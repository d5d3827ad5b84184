import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { metrics } from '@opentelemetry/api';
import { addressKey } from './rate-limits.ts';

const retryAfterS = 10;
const body = JSON.stringify({
  detail: 'Too many connections are open on this server: please try again',
  reason: 'overloaded',
});
const refusal = [
  'HTTP/1.1 503 Service Unavailable',
  'Connection: close',
  `Retry-After: ${retryAfterS}`,
  'Content-Type: application/json; charset=utf-8',
  `Content-Length: ${Buffer.byteLength(body)}`,
  '',
  body,
].join('\r\n');

/**
 * Refuses connections beyond `max` open ones (0: no limit), and beyond `share` of them from one address, with 503 and counts them: each costs
 * memory, whether it sends a request or not. Behind proxies, whose addresses are not those of clients, `share` is 1.
 * Node's `maxConnections` counts those of one listening socket only (connections.ts).
 */
export function limitConnections(server: Server, max: number, share = 1): void {
  const refused = metrics.getMeter('husky.http').createCounter('http.connections.refused', {
    description: 'Connections refused because too many were open',
  });
  refused.add(0);
  if (max === 0) return;
  let open = 0;
  const openOf = new Map<string, number>();
  // Before the listener of the server itself, so that nothing is read from a refused connection.
  server.prependListener('connection', (socket: Socket) => {
    const address = addressKey(socket.remoteAddress ?? '');
    const ofAddress = openOf.get(address) ?? 0;
    if (open >= max || ofAddress >= Math.ceil(share * max)) {
      refused.add(1);
      socket.write(refusal);
      socket.destroy();
      return;
    }
    open += 1;
    openOf.set(address, ofAddress + 1);
    socket.once('close', () => {
      open -= 1;
      const left = (openOf.get(address) ?? 1) - 1;
      if (left > 0) openOf.set(address, left);
      else openOf.delete(address);
    });
  });
}
