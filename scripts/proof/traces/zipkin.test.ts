import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { ReceivedSpan } from './otlp.ts';
import { sendToZipkin, toZipkin } from './zipkin.ts';

const span: ReceivedSpan = {
  service: 'leaderboard',
  resource: {},
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentId: 'c'.repeat(16),
  name: 'consume husky.simulation.job_ended',
  kind: 5,
  startMs: 1_000_000.25,
  endMs: 1_000_003.5,
  failed: true,
  attributes: { 'husky.attempt': 1 },
  links: ['d'.repeat(32)],
};

test('converts a span to the JSON of Zipkin', () => {
  expect(toZipkin(span)).toEqual({
    traceId: 'a'.repeat(32),
    id: 'b'.repeat(16),
    parentId: 'c'.repeat(16),
    name: 'consume husky.simulation.job_ended',
    kind: 'CONSUMER',
    timestamp: 1_000_000_250,
    duration: 3250,
    localEndpoint: { serviceName: 'leaderboard' },
    tags: { 'husky.attempt': '1', error: 'true', 'linked traces': 'd'.repeat(32) },
  });
  const root = toZipkin({ ...span, parentId: '', kind: 1, endMs: span.startMs, failed: false, links: [] });
  expect(Object.keys(root)).not.toContain('parentId');
  expect(root).toMatchObject({ duration: 1, tags: { 'husky.attempt': '1' } });
});

test('sends spans in several requests and reports a refusal', async () => {
  const received: unknown[][] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(JSON.parse(body));
      response.writeHead(received.length < 3 ? 202 : 400).end('no');
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  await sendToZipkin(origin, Array(501).fill(span));
  expect(received.map(({ length }) => length)).toEqual([500, 1]);
  await expect(sendToZipkin(origin, [span])).rejects.toThrow(`Zipkin at ${origin} returned 400: no`);
});
