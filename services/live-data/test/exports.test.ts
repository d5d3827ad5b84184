import type { DataExport__Output } from '@husky/contracts/types/live/v1/DataExport';
import { sha256Hex } from '@husky/match/commitment';
import { withoutSignature } from '@husky/match/file-signature';
import { RULES_VERSION } from '@husky/match/rules-version';
import { sql } from '@husky/runtime/database/sql';
import type { Caller } from '@husky/runtime/rpc/caller';
import type { DomainError } from '@husky/runtime/rpc/errors';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, expect, test } from 'vitest';
import { readArchive } from './archive.ts';
import { admin, anonymous, startLiveData, user } from './service.ts';
import { userIdOf } from './simulation.ts';

const live = await startLiveData();
afterAll(() => live.stop());

const members = ['ann', 'bob', 'cem', 'dee', 'eve', 'fay'];
const players = members.map((username) => ({ userId: userIdOf(username), username }));
let batches = 0;

/** Plays a batch of matches and makes it public. */
async function playBatch(matches: number, numRounds = 120) {
  batches += 1;
  const batchId = userIdOf(`batch ${batches}`);
  const played = [];
  for (let number = 0; number < matches; number++) {
    played.push(await live.finishMatch({ batchId, numRounds }, { bots: 10 * batches + number, chunkHands: 40 }));
  }
  await live.gateway.setBatchVisibility({ batchId, public: true }, { caller: admin });
  return { batchId, played };
}

const requestOf = (batchId: string, metadataJson = '') => ({
  scope: { batchId },
  players,
  batches: [{ batchId, batchNumber: 5, metadataJson }],
  site: 'http://site.test',
});

const start = (batchId: string, caller: Caller = user('zoe')) =>
  live.gateway.startExport(requestOf(batchId), { caller });

async function waitForEnd(id: string, caller: Caller = admin): Promise<DataExport__Output> {
  return await expect
    .poll(async () => (await live.gateway.getExport({ id }, { caller })).state, { timeout: 30_000 })
    .not.toMatch(/waiting|running/)
    .then(() => live.gateway.getExport({ id }, { caller }));
}

async function download(id: string, range: { offset?: number; length?: number } = {}, caller: Caller = anonymous) {
  const parts: Buffer[] = [];
  for await (const { bytes } of live.gateway.downloadExport({ id, ...range }, { caller })) parts.push(bytes);
  return Buffer.concat(parts);
}

test('exports a batch in steps, with every hand, result and action, and the model of each bot', async () => {
  const { batchId, played } = await playBatch(3);
  const metadata = {
    bots: { ann: { model: { name: 'model-x', version: '2' }, prompt: 'win', cost_usd: 1.5 }, bob: 7 },
  };
  const { id } = await live.gateway.startExport(requestOf(batchId, JSON.stringify(metadata)), { caller: user('zoe') });
  const ready = await waitForEnd(id, anonymous);
  expect(ready).toMatchObject({ state: 'ready', matches: 3, matchesDone: 3, batchNumber: 5, problem: '' });
  const bytes = await download(id);
  expect(bytes.length).toBe(ready.bytes);
  const { files, contents, table, manifest } = await readArchive(bytes);
  expect(manifest.signature).toBe(`export ${sha256Hex(withoutSignature(String(contents.get('manifest.json'))))}`);
  const hands = played.reduce((sum, { play }) => sum + play.records.length, 0);
  expect(manifest).toMatchObject({ matches: 3, hands, batch_number: 5 });
  const note = '3 of 4 matches counted; 1 deleted after they were played: record 17.';
  expect(manifest.counts).toMatchObject({ of: 'batch', planned: 4, counted: 3, deletedAfterPlay: 1, note });
  expect(await table('hands')).toHaveLength(hands);
  expect(files.filter((path) => path.startsWith('hands/')).length).toBeGreaterThan(1);
  const matches = await table('matches');
  expect(matches.map(({ job_id }) => job_id).sort()).toEqual(played.map(({ match }) => match.jobId).sort());
  expect(matches[0]).toMatchObject({
    stacks: 'carry',
    rules_version: RULES_VERSION,
    batch_number: 5,
    seed: expect.any(String),
  });
  const results = await table('results');
  for (const { match, play } of played) {
    const own = results.filter(({ job_id }) => job_id === match.jobId);
    expect(own.map(({ final_stack }) => Number(final_stack))).toEqual(play.stacks);
    expect(own.map(({ username }) => username)).toEqual(members);
  }
  const acts = played.reduce(
    (sum, { play }) => sum + play.records.reduce((all, hand) => all + hand.actions.length, 0),
    0,
  );
  expect(await table('actions')).toHaveLength(acts);
  const bots = await table('bots');
  expect(bots.find(({ username }) => username === 'ann')).toMatchObject({
    model_name: 'model-x',
    model_version: '2',
    prompt: 'win',
    cost_usd: 1.5,
    provider: null,
    matches: 3,
  });
  expect(bots.reduce((sum, { delta }) => sum + Number(delta), 0)).toBe(0);
  expect(await download(id, { offset: 100, length: 50 })).toEqual(bytes.subarray(100, 150));
});

test('exports unchanged data once, and again when a match was added', async () => {
  const { batchId } = await playBatch(1, 20);
  const first = await start(batchId);
  await waitForEnd(first.id);
  expect((await start(batchId, user('ann'))).id).toBe(first.id);
  await live.finishMatch({ batchId, numRounds: 20 });
  const second = await start(batchId);
  expect(second.id).not.toBe(first.id);
  expect((await waitForEnd(second.id)).matches).toBe(2);
  const { exports } = await live.gateway.listExports({ scope: { batchId } }, { caller: anonymous });
  expect(exports.map(({ id }) => id)).toEqual([second.id, first.id]);
});

test('exports the public matches of a period', async () => {
  const { played } = await playBatch(1, 20);
  const day = new Date().toISOString().slice(0, 10);
  const scope = { from: day, to: day };
  const plan = await live.gateway.planExport(scope, { caller: anonymous });
  expect(plan.matches).toBeGreaterThan(0);
  const { id } = await live.gateway.startExport({ scope, players, site: 'http://site.test' }, { caller: user('yan') });
  expect((await waitForEnd(id)).scope).toMatchObject(scope);
  const { table } = await readArchive(await download(id));
  expect((await table('matches')).map(({ job_id }) => job_id)).toContain(played[0]?.match.jobId);
  for (const bad of [
    { from: day, to: '' },
    { from: '2026-02-30', to: day },
    { from: day, to: '2020-01-01' },
  ]) {
    expect(await refusal(live.gateway.planExport(bad, { caller: anonymous }))).toMatch('INVALID_ARGUMENT bad-period');
  }

  // A period of the ladder, whose matches are private, for admins.
  const { match } = await live.finishMatch({ numRounds: 20 });
  await live.database.admin.query(
    sql`UPDATE live_data.matches SET ladder = true, is_public = false WHERE job_id = ${match.jobId}::uuid`,
  );
  const ofLadder = { ...scope, ladder: true };
  const refused = await refusal(live.gateway.planExport(ofLadder, { caller: user('yan') }));
  expect(refused).toBe("PERMISSION_DENIED admins-only: Only admins export the ladder's matches.");
  const made = await live.gateway.startExport(
    { scope: ofLadder, players, site: 'http://site.test' },
    { caller: admin },
  );
  expect((await waitForEnd(made.id, admin)).scope).toMatchObject(ofLadder);
  expect(await refusal(live.gateway.getExport({ id: made.id }, { caller: user('yan') }))).toMatch('export-not-found');
  const archive = await readArchive(await download(made.id, {}, admin));
  expect((await archive.table('matches')).map(({ job_id }) => job_id)).toEqual([match.jobId]);
  expect(await archive.table('standings')).not.toEqual([]);
});

test('shows nothing of a private batch, and drops its export when it is made private', async () => {
  const { batchId } = await playBatch(1, 20);
  const { id } = await start(batchId);
  await waitForEnd(id);
  await live.gateway.setBatchVisibility({ batchId, public: false }, { caller: admin });
  for (const caller of [anonymous, user('zoe')]) {
    const { state, problem, scope, matches } = await live.gateway.getExport({ id }, { caller });
    expect({ state, scope, matches }).toEqual({ state: 'dropped', scope: null, matches: 0 });
    expect(problem).toBe('A match of this export was made private.');
    expect(await refusal(download(id, {}, caller))).toMatch('FAILED_PRECONDITION export-ended');
    const unknown = 'NOT_FOUND batch-not-found: Batch not found';
    expect(await refusal(live.gateway.planExport({ batchId }, { caller }))).toBe(unknown);
    expect(await refusal(live.gateway.listExports({ scope: { batchId } }, { caller }))).toBe(unknown);
  }
  expect(await refusal(start(batchId))).toBe('NOT_FOUND batch-not-found: Batch not found');
  const own = await start(batchId, admin);
  await waitForEnd(own.id);
  expect(await refusal(live.gateway.getExport({ id: own.id }, { caller: user('zoe') }))).toMatch('export-not-found');
  expect((await download(own.id, {}, admin)).length).toBeGreaterThan(1000);
  await live.gateway.setBatchVisibility({ batchId, public: true }, { caller: admin });
  expect((await download(own.id)).length).toBeGreaterThan(1000);
});

test('continues an interrupted export after its last step, in another replica', async () => {
  const { batchId } = await playBatch(3);
  const { admin: database } = live.database;
  await database.query(`
    CREATE FUNCTION interrupt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'interrupted'; END $$;
    CREATE TRIGGER interrupt BEFORE INSERT ON live_data.export_parts FOR EACH ROW WHEN (NEW.start > 0) EXECUTE FUNCTION interrupt()`);
  const { id } = await start(batchId);
  const firstStep = async () => {
    const statement = sql`SELECT p.xmin, e.steps_done, e.failures FROM live_data.exports e
      JOIN live_data.export_parts p ON p.export_id = e.id AND p.start = 0 WHERE e.id = ${id}`;
    return (await database.query<{ xmin: string; steps_done: number; failures: number }>(statement)).rows[0];
  };
  await expect.poll(firstStep, { timeout: 30_000 }).toMatchObject({ steps_done: 1, failures: 1 });
  const before = await firstStep();
  await database.query('DROP TRIGGER interrupt ON live_data.export_parts');
  const replica = await live.startReplica();
  expect(await waitForEnd(id)).toMatchObject({ state: 'ready', matches: 3, matchesDone: 3 });
  await replica.stop();
  expect((await firstStep())?.xmin).toBe(before?.xmin);
  const { table, manifest } = await readArchive(await download(id));
  expect(await table('hands')).toHaveLength(Number(manifest.hands));
});

test('keeps a finished export of version 1, and ends one that version 1 has begun', async () => {
  const { batchId } = await playBatch(1, 20);
  const { id } = await start(batchId, user('yve'));
  await waitForEnd(id);
  const bytes = await download(id);
  const { admin: database } = live.database;
  await database.query(sql`UPDATE live_data.exports SET input = input - 'license' WHERE id = ${id}`);
  expect(await download(id)).toEqual(bytes);
  const begun = sql`UPDATE live_data.exports SET state = 'running', steps_done = 1 WHERE id = ${id}`;
  await database.query(begun);
  await start((await playBatch(1, 10)).batchId, user('yve'));
  expect(await waitForEnd(id)).toMatchObject({
    state: 'failed',
    problem: 'The platform was updated while this export was made. Please start it again.',
  });
});

test('makes another export when the license of the data has changed', async () => {
  const { batchId } = await playBatch(2, 20);
  const licenseOf = async (license: string) => {
    const { id } = await live.gateway.startExport({ ...requestOf(batchId), license }, { caller: user('yve') });
    await waitForEnd(id);
    const { manifest, contents } = await readArchive(await download(id));
    expect(String(contents.get('CITATION.cff'))).toContain(`license: ${(manifest.license as { name: string }).name}`);
    return manifest.license;
  };
  // A gateway of the version before names none.
  expect(await licenseOf('')).toMatchObject({ name: 'CC-BY-4.0' });
  expect(await licenseOf('CC0-1.0')).toMatchObject({ name: 'CC0-1.0', text: expect.stringContaining('CC0-1.0') });
});

test('drops the export of a match that is deleted while it is downloaded', async () => {
  const { batchId, played } = await playBatch(2, 20);
  const { id } = await start(batchId);
  await waitForEnd(id);
  await live.runner.purgeMatch({ jobId: played[0]?.match.jobId ?? '' });
  expect(await live.gateway.getExport({ id }, { caller: anonymous })).toMatchObject({
    state: 'dropped',
    problem: 'A match of this export was deleted.',
  });
  const parts = sql`SELECT 1 FROM live_data.export_parts WHERE export_id = ${id}`;
  await expect.poll(async () => (await live.database.admin.query(parts)).rows, { timeout: 10_000 }).toEqual([]);
});

test('limits the exports that an account may start; all others of an address share one limit and start those of public data only', async () => {
  const { batchId } = await playBatch(1, 10);
  const hidden = userIdOf('private batch of exports');
  await live.finishMatch({ batchId: hidden, numRounds: 10 });
  expect(await refusal(start(hidden, anonymous))).toMatch('NOT_FOUND');
  const unverified: Caller = { ...(user('new') as Caller & { kind: 'user' }), verified: false };
  for (let made = 0; made < 10; made++) {
    await live.finishMatch({ batchId, numRounds: 10 });
    await waitForEnd((await start(batchId, made % 2 === 0 ? anonymous : unverified)).id);
  }
  await live.finishMatch({ batchId, numRounds: 10 });
  const refused = await start(batchId, anonymous).catch((error: unknown) => error);
  expect((await start(batchId, user('many'))).state, 'an account has its own limit').toMatch(/waiting|running/);
  expect(refused).toMatchObject({ code: 'RESOURCE_EXHAUSTED', reason: 'too-many-exports' });
  const { retryAfterS } = refused as DomainError;
  expect(retryAfterS, 'when the first of the ten is a day old').toBeGreaterThan(86_400 - 600);
  expect(retryAfterS).toBeLessThanOrEqual(86_400);
});

test('reports that there is no space for the archive, and offers no download', async () => {
  const { batchId } = await playBatch(1, 10);
  await live.database.admin.query(`
    CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER disk_full BEFORE INSERT ON live_data.export_parts FOR EACH ROW EXECUTE FUNCTION disk_full()`);
  const { id } = await start(batchId);
  const failed = await waitForEnd(id);
  await live.database.admin.query('DROP TRIGGER disk_full ON live_data.export_parts');
  expect(failed).toMatchObject({
    state: 'failed',
    bytes: 0,
    problem: 'There was no space left to store the export.',
  });
  expect(await refusal(download(id))).toMatch('FAILED_PRECONDITION export-ended');
});
