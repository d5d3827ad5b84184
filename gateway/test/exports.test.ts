import { authService, liveDataService, simulationService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/rpc/access';
import { DomainError } from '@husky/runtime/rpc/errors';
import { startDouble } from '@husky/testkit/service-double';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { parseRange } from '../src/routes/exports/schema.ts';
import { startEdge } from './edge.ts';

test.each([
  ['', 0, 100, false],
  ['bytes=0-', 0, 100, true],
  ['bytes=10-19', 10, 10, true],
  ['bytes=90-200', 90, 10, true],
  ['bytes=-30', 70, 30, true],
  ['bytes=-300', 0, 100, true],
  ['bytes=20-10', 0, 100, false],
  ['bytes=0-1,5-6', 0, 100, false],
  ['hands=1-2', 0, 100, false],
])('reads the range "%s" of 100 bytes', (header, offset, length, partial) => {
  expect(parseRange(header, 100)).toEqual({ offset, length, partial });
});

test('refuses a license of the data that is not in the SPDX list', () => {
  for (const license of ['my license', 'CC BY 4.0', 'cc-by-4.0'])
    expect(() => readConfig({ DATA_LICENSE: license })).toThrow(/DATA_LICENSE must be an id of the SPDX license list/);
});

test.each(['bytes=100-', 'bytes=100-120', 'bytes=-0'])('refuses the range %s of 100 bytes', (header) => {
  expect(() => parseRange(header, 100)).toThrow('The file has 100 bytes.');
});

const archive = Buffer.from(Array.from({ length: 100 }, (_, byte) => byte));
const ready = {
  id: 'ready',
  state: 'ready',
  scope: { batchId: 'b' },
  batchNumber: 3,
  matches: 2,
  bytes: archive.length,
};

/** Starts a gateway with a ready export of 100 bytes, one that is not ready, and one that is dropped during its download. */
async function startExports() {
  const auth = await startDouble(authService, anyone, {
    getNames: async ({ ids }) => ({ names: ids.map((id) => ({ id, username: `name-${id}` })) }),
    identify: async () => ({ id: 'u1', username: 'ann', isVerified: true }),
  });
  const requests: unknown[] = [];
  const liveData = await startDouble(liveDataService, anyone, {
    planExport: async () => ({ playerIds: ['u1', 'u2'], batchIds: ['b'], matches: 2, hands: 20 }),
    async startExport(request) {
      requests.push(request);
      return { ...ready, state: 'waiting', bytes: 0 };
    },
    listExports: async () => ({ exports: [ready] }),
    async getExport({ id }) {
      if (id === 'unknown') throw new DomainError('NOT_FOUND', 'export-not-found', 'Export not found');
      return { ...ready, id, state: id === 'early' ? 'running' : 'ready' };
    },
    async *downloadExport({ id, offset, length }) {
      const end = offset + length;
      yield { bytes: archive.subarray(offset, Math.min(end, offset + 40)) };
      if (id === 'dropped') throw new DomainError('FAILED_PRECONDITION', 'export-ended', 'A match was deleted.');
      if (end > offset + 40) yield { bytes: archive.subarray(offset + 40, end) };
    },
  });
  const simulation = await startDouble(simulationService, anyone, {
    findBatch: async ({ batchNumber = 0 }) => ({ id: 'b', batchNumber }),
    listBatchNumbers: async () => ({ batches: [{ batchId: 'b', batchNumber: 3 }] }),
    getBatchMetadata: async () => ({ batchId: 'b', metadataJson: '{"bots":{}}' }),
  });
  const doubles = { auth, liveData, simulation };
  const addresses = { auth: auth.address, liveData: liveData.address, simulation: simulation.address };
  const edge = await startEdge(addresses);
  onTestFinished(async () => {
    await edge.stop();
    await Promise.all(Object.values(doubles).map((double) => double.stop()));
  });
  return {
    requests,
    send: (path: string, init: RequestInit = {}) => fetch(`${edge.origin}${path}`, init),
  };
}

test('sends an archive whole and in ranges, with its length and tag', async () => {
  const { send } = await startExports();
  const whole = await send('/live/exports/ready/download');
  expect([whole.status, whole.headers.get('content-length'), whole.headers.get('etag')]).toEqual([
    200,
    '100',
    '"ready"',
  ]);
  expect(whole.headers.get('content-disposition')).toBe('attachment; filename="husky-holdem-batch-3.zip"');
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(archive);
  const part = await send('/live/exports/ready/download', { headers: { range: 'bytes=30-89', 'if-range': '"ready"' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 30-89/100']);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(archive.subarray(30, 90));
  const other = await send('/live/exports/ready/download', {
    headers: { range: 'bytes=30-89', 'if-range': '"other"' },
  });
  expect((await other.arrayBuffer()).byteLength).toBe(100);
  expect((await send('/live/exports/ready/download', { headers: { range: 'bytes=100-' } })).status).toBe(416);
});

test('refuses an export that is not ready or unknown, and cuts the download of one that is dropped', async () => {
  const { send } = await startExports();
  const early = await send('/live/exports/early/download');
  expect([early.status, ((await early.json()) as { reason: string }).reason]).toEqual([409, 'export-not-ready']);
  expect((await send('/live/exports/unknown/download')).status).toBe(404);
  const dropped = await send('/live/exports/dropped/download');
  await expect(dropped.arrayBuffer()).rejects.toThrow('terminated');
});

test('starts an export with names and metadata, also for visitors', async () => {
  const { send, requests } = await startExports();
  const started = await send('/batches/3/exports', { method: 'POST' });
  expect(started.status).toBe(202);
  expect(await started.json()).toMatchObject({ batch_number: 3, period: null, state: 'waiting', problem: null });
  expect(requests).toMatchObject([
    {
      scope: { batchId: 'b' },
      players: [
        { userId: 'u1', username: 'name-u1' },
        { userId: 'u2', username: 'name-u2' },
      ],
      batches: [{ batchId: 'b', batchNumber: 3, metadataJson: '{"bots":{}}' }],
      site: 'http://localhost/batches/3',
    },
  ]);
  const listed = (await (await send('/batches/3/exports')).json()) as { exports: { id: string }[] };
  expect(listed.exports.map(({ id }) => id)).toEqual(['ready']);
});
