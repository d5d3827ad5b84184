import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { decodeTraces, type ReceivedSpan } from './otlp.ts';

/** A receiver of OTLP over HTTP with protobuf, like that of a collector. Keeps the spans and ignores metrics. */
export interface Receiver {
  /** Value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  stop(): Promise<void>;
}

/** Starts a receiver on a free loopback port. */
export async function startReceiver(): Promise<Receiver> {
  const spans: ReceivedSpan[] = [];
  const receive = async (request: IncomingMessage) => {
    const body = await buffer(request);
    if (request.url !== '/v1/traces') return;
    spans.push(...decodeTraces(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body));
  };
  const server = createServer((request, response) => {
    receive(request).then(
      () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(),
      (error: unknown) => response.writeHead(400).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
