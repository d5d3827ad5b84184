// Downloads over a real gateway, with doubles of the services.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authService, liveDataService, simulationService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/rpc/access';
import { DomainError } from '@husky/runtime/rpc/errors';
import { startDouble } from '@husky/testkit/service-double';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { StreamSettings } from '../src/streams.ts';
import { startEdge } from './edge.ts';

const action = (player: number, kind: string, amount: number) => ({ player, action: kind, amount, timestamp: 0 });
const game = {
  gameId: 'job',
  rounds: { 0: { action_sequence: [action(0, 'RAISE', 5), action(1, 'RAISE', 10), action(0, 'FOLD', 0)] } },
  playerNames: {},
  blinds: { small: 5, big: 10 },
  finalBoard: [],
  playerMoney: { startingMoney: { 1: 1000, 2: 1000 }, finalMoney: { 1: 995, 2: 1005 } },
  playerHands: { 0: ['Ah', 'Kd'], 1: ['2s', '2h'] },
  button: 0,
  smallBlindSeat: 0,
  bigBlindSeat: 1,
  verdicts: [{ round: 0, index: 2, code: 'timeout' }],
};
const publicInput = JSON.stringify({
  roster: [{ botHash: 'h1' }, { botHash: 'h2', packagesHash: 'p2' }],
  rulesVersion: 1,
});
const plan = { text: '{}', names: [{ userId: 'u2', name: '-planned-u2', salt: 's' }] };

/** Starts a gateway with matches of 32 hands. live-data never ends the export of the match `endless`. */
async function startDownloads(limits: Partial<StreamSettings> = {}) {
  let exports = 0;
  const identification = { begun: 0, release: Promise.withResolvers<void>() };
  const auth = await startDouble(authService, anyone, {
    async identify() {
      identification.begun += 1;
      await identification.release.promise;
      return { id: 'u1', username: '-name-u1' };
    },
    getNames: async ({ ids }) => ({ names: ids.map((id) => ({ id, username: `-name-${id}` })) }),
  });
  const liveData = await startDouble(liveDataService, anyone, {
    async *exportMatch({ jobId }, { signal }) {
      if (jobId === 'early') throw new DomainError('FAILED_PRECONDITION', 'match-not-finished', 'Not finished.');
      exports += 1;
      try {
        yield { match: { jobId, playerIds: ['u1', 'u2'], hands: 32, attempt: 1, digest: 'd', gameNumber: 1 } };
        yield { gameJson: Array<string>(16).fill(JSON.stringify(game)) };
        if (jobId === 'deleted') throw new DomainError('ABORTED', 'match-deleted', 'The match was deleted.');
        while (jobId === 'endless' && !signal.aborted) yield { gameJson: Array<string>(16).fill(JSON.stringify(game)) };
        if (jobId !== 'short') yield { gameJson: Array<string>(16).fill(JSON.stringify(game)) };
      } finally {
        exports -= 1;
      }
    },
    listMatches: async ({ batchId, publicOnly }) => {
      const ids = { whole: ['one', 'two'], broken: ['one', 'deleted'] }[batchId ?? ''] ?? [];
      expect(publicOnly).toBe(true);
      const matches = ids.map((jobId, index) => ({
        jobId,
        gameNumber: index + 1,
        firstGameCreatedAt: '2026-01-02T03:04:06Z',
      }));
      return { matches, total: matches.length };
    },
  });
  const simulation = await startDouble(simulationService, anyone, {
    getJob: async ({ jobId }) => {
      const input = jobId === 'planned' ? JSON.stringify({ ...JSON.parse(publicInput), plan: {} }) : publicInput;
      return { id: jobId, numRounds: 40, commitment: 'c', commitmentDetails: { publicInput: input } };
    },
    getPlan: async () => ({ ...plan, names: [...plan.names, { userId: 'u3', name: 'other', salt: 's' }] }),
    async getSeed({ jobId }) {
      if (jobId === 'one') return { jobId, seedHex: '5eed' };
      throw new DomainError('FAILED_PRECONDITION', 'seed-not-published', 'Later.');
    },
    async findBatch({ batchNumber = 0 }) {
      const id = ['', 'whole', 'broken', 'empty'][batchNumber];
      if (!id) throw new DomainError('NOT_FOUND', 'batch-not-found', 'Batch not found');
      return { id, batchNumber, totalJobs: 3 };
    },
    countMatches: async () => ({
      planned: 3,
      finished: 2,
      deleted: 1,
      deletedAfterPlay: 1,
      deletedMatches: [
        { jobHash: 'h', recordNumber: 17, commitment: 'c', gameNumber: 3, played: true, cause: 'owner' },
      ],
    }),
  });
  const doubles = { auth, liveData, simulation };
  const addresses = { auth: auth.address, liveData: liveData.address, simulation: simulation.address };
  const edge = await startEdge(addresses, { limits });
  onTestFinished(async () => {
    await edge.stop();
    await Promise.all(Object.values(doubles).map((double) => double.stop()));
  });
  return {
    exports: () => exports,
    identification,
    connections: edge.connections,
    get: (path: string, signal?: AbortSignal, headers = {}) =>
      fetch(`${edge.origin}${path}`, {
        headers: { accept: 'text/html,*/*', ...headers },
        ...(signal ? { signal } : {}),
      }),
  };
}

test('sends a match as JSON lines with a manifest first and an end mark last', async () => {
  const { get } = await startDownloads();
  const response = await get('/live/job/one/download');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="match-one.jsonl"');
  const lines = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.length).toBe(34);
  expect(lines[0]).toMatchObject({
    type: 'manifest',
    job_id: 'one',
    source: 'http://localhost/games/one',
    players: [
      { seat: 1, username: '-name-u1', user_id: 'u1', bot_hash: 'h1', packages_hash: null },
      { seat: 2, username: '-name-u2', user_id: 'u2', bot_hash: 'h2', packages_hash: 'p2' },
    ],
    hands: 32,
    rules_version: 1,
    digest: 'd',
    commitment: 'c',
    commitment_input: publicInput,
    seed: '5eed',
    license: { name: 'CC-BY-4.0', text: 'https://spdx.org/licenses/CC-BY-4.0.html' },
  });
  expect(lines[1]).toMatchObject({
    type: 'hand',
    hand: 1,
    game_data: { playerNames: { 0: '-name-u1', 1: '-name-u2' } },
  });
  expect(lines.at(-1)).toEqual({
    type: 'end',
    complete: true,
    hands: 32,
    play_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('names the players of a file as the plan that the match is committed to', async () => {
  const { get } = await startDownloads();
  const [first = '', second = ''] = (await (await get('/live/job/planned/download')).text()).split('\n');
  expect(JSON.parse(first)).toMatchObject({
    players: [{ username: '-name-u1' }, { username: '-planned-u2' }],
    plan: { text: '{}', names: [{ user_id: 'u2', name: '-planned-u2', salt: 's' }] },
  });
  expect(JSON.parse(second).game_data.playerNames).toEqual({ 0: '-name-u1', 1: '-planned-u2' });
});

test('sends a match as PHH and as CSV, without a seed that is not published', async () => {
  const { get } = await startDownloads();
  const phh = await (await get('/live/job/two/download?format=phh')).text();
  expect(phh).toMatch(/^# manifest {.*"seed":null.*}\n\n\[1]\nvariant = "NT"\n/);
  expect(phh).toMatch(/\n\[32]\n[^[]*"p2 f # timeout"|players = \["-name-u2", "-name-u1"]/);
  expect(phh).toMatch(/\n# end {"complete":true,"hands":32,"play_digest":"[0-9a-f]{64}"}\n$/);
  const csv = (await (await get('/live/job/two/download?format=csv')).text()).split('\r\n');
  expect(csv[0]).toMatch(/^# manifest {/);
  expect(csv[1]).toContain('job_id","hand"');
  expect(csv[2]).toBe(
    '"job",1,"1970-01-01T00:00:00.000Z",5,10,1,"",2,"-name-u2","2s 2h",1000,1005,5,"RAISE 10","","","",0,"",1,2',
  );
  expect(csv[3]).toContain('1000,995,-5,"RAISE 5; FOLD","","","",1,"timeout"');
  expect(csv.at(-2)).toMatch(/^# end {"complete":true,"hands":32,"play_digest":"[0-9a-f]{64}"}$/);
  expect(csv.at(-1)).toBe('');
  expect((await get('/live/job/two/download?format=xml')).status).toBe(422);
});

test('refuses a match that is not finished, with the sentence of live-data', async () => {
  const { get } = await startDownloads();
  const response = await get('/live/job/early/download');
  expect([response.status, await response.json()]).toEqual([
    409,
    { detail: 'Not finished.', reason: 'match-not-finished' },
  ]);
});

test.each(['/live/job/deleted/download', '/live/job/short/download', '/batches/2/download'])(
  'cuts the connection of %s when a match is deleted or ends early during the download',
  async (path) => {
    const { get } = await startDownloads();
    const response = await get(path);
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow('terminated');
  },
);

test('ends the export when the client disconnects, and then permits another download', async () => {
  const { get, exports } = await startDownloads({ STREAMS_MAX: 250 });
  const abort = new AbortController();
  const response = await get('/live/job/endless/download', abort.signal);
  expect(response.status).toBe(200);
  const second = await get('/live/job/one/download');
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '10']);
  expect(await second.json()).toMatchObject({ reason: 'too-many-downloads' });
  abort.abort();
  await vi.waitFor(() => expect(exports()).toBe(0), 20_000);
  const after = () => get('/live/job/one/download');
  await vi.waitFor(async () => expect((await after()).status).toBe(200), 20_000);
});

test('permits another download after a client that disconnects while it is identified', async () => {
  const { get, identification, connections } = await startDownloads({ STREAMS_MAX: 250 });
  const abort = new AbortController();
  const headers = { authorization: 'Bearer a.b.c' };
  const first = get('/live/job/endless/download', abort.signal, headers).catch(() => undefined);
  await vi.waitFor(() => expect(identification.begun).toBe(1), 20_000);
  abort.abort();
  await first;
  await vi.waitFor(async () => expect(await connections()).toBe(0), 20_000);
  identification.release.resolve();
  await vi.waitFor(async () => expect((await get('/live/job/one/download')).status).toBe(200), 20_000);
});

test('sends a batch as an archive with a file for each match and a manifest', async () => {
  const { get } = await startDownloads();
  const response = await get('/batches/1/download?format=phh');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="batch-1-phh.zip"');
  const folder = mkdtempSync(join(tmpdir(), 'batch-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'batch.zip');
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  const script =
    'import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))';
  const files = JSON.parse(execFileSync('python3', ['-c', script, file]).toString()) as Record<string, string>;
  expect(Object.keys(files)).toEqual(['game-1-one.phhs', 'game-2-two.phhs', 'manifest.json']);
  for (const name of ['game-1-one.phhs', 'game-2-two.phhs']) expect(files[name]).toMatch(/\n# end .*\n$/);
  expect(JSON.parse(files['manifest.json'] ?? '')).toMatchObject({
    batch_number: 1,
    format: 'phh',
    total_jobs: 3,
    finished_jobs: 2,
    counts: {
      planned: 3,
      counted: 2,
      deleted_after_play: 1,
      note: '2 of 3 matches counted; 1 deleted after they were played: record 17.',
      deleted_matches: [{ job_hash: 'h', record_number: 17, game_number: 3 }],
    },
    complete: true,
    matches: [
      { file: 'game-1-one.phhs', job_id: 'one', game_number: 1, hands: 32, digest: 'd' },
      { file: 'game-2-two.phhs', job_id: 'two' },
    ],
  });
  expect((await get('/batches/3/download')).status).toBe(409);
  expect((await get('/batches/9/download')).status).toBe(404);
});
