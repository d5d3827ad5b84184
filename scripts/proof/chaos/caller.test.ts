import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Caller } from './caller.ts';
import { checkHistory } from './check-history.ts';
import { History } from './history.ts';
import { watchMatch } from './watcher.ts';

let platform: Server;
let history: History;
let caller: Caller;

beforeEach(async () => {
  // Resets each connection: in the middle of a response, of the second hand of a stream, or without a response.
  platform = createServer((request, response) => {
    const reset = () => void request.socket.resetAndDestroy();
    if (request.url?.startsWith('/admin')) return reset();
    if (!request.url?.endsWith('/events')) return response.writeHead(200, { 'content-length': 99 }).write('{', reset);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.write('id: 1:1\nevent: hand\ndata: {}\n\nid: 1:2\nevent: hand\nda', () => setTimeout(reset, 50));
  });
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  const address = platform.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  history = new History();
  caller = new Caller(`http://127.0.0.1:${address.port}`, history);
});

afterEach(async () => {
  platform.closeAllConnections();
  await new Promise((resolve) => platform.close(resolve));
});

const outcomes = () => history.calls.map(({ call, outcome, status }) => [call, outcome, status]);

test('records a call whose response is cut as unknown, which is no violation', async () => {
  await caller.send('POST', '/submission/upload', {}, () => ({ call: 'upload', user: 'ada' }));
  expect(await caller.download('/live/job/j/download')).toMatchObject({ status: 0 });
  await caller.send('POST', '/admin/toggle-job-public/j', {}, () => ({ call: 'make-public', jobId: 'j' }));
  expect(outcomes()).toEqual([
    ['upload', 'unknown', 0],
    ['other', 'unknown', 0],
    ['make-public', 'unknown', 0],
  ]);
  expect(checkHistory(history.calls)).toEqual([]);
});

test('keeps the complete hands of a watch whose stream is cut', async () => {
  const stop = new AbortController();
  const watching = watchMatch({ anonymous: caller, history }, 'j', stop.signal);
  await expect.poll(outcomes).toEqual([['watch', 'unknown', 200]]);
  stop.abort();
  await watching;
  expect(history.calls[0]).toMatchObject({ after: '0:0', hands: ['1:1'] });
  expect(checkHistory(history.calls)).toEqual([]);
});
