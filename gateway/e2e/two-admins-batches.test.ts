// Two admins change the same batch concurrently (see two-admins.test.ts).
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiResponse, type Body, expectStatus, get, post, remove } from './client.ts';
import {
  type Call,
  expectOneAccepted,
  expectRefused,
  newPlayer,
  newPlayers,
  type Person,
  TwoAdmins,
} from './two-admins.ts';

let admins: TwoAdmins;
let root: string;
let ann: Person;
let players: Person[];

beforeAll(async () => {
  admins = await TwoAdmins.begin();
  ({ root, ann } = admins);
  players = await newPlayers();
});
afterAll(() => admins.end());

async function createBatch(of = players): Promise<{ id: string; path: string }> {
  const names = of.map(({ username }) => username);
  const { batch_id: id } = expectStatus(await post('/llm/batch-run', names, root), 200);
  return { id, path: `/llm/batch/${id}` };
}

const batchOf = async (id: string): Promise<Body> => expectStatus(await get(`/llm/batch/${id}`, root), 200);

test('counts a batch once or not at all when it is added, removed, or added and removed concurrently', async () => {
  const { id, path } = await createBatch();
  await vi.waitFor(async () => expect((await batchOf(id)).job_statuses.FINISHED).toBe(1), {
    timeout: 120_000,
    interval: 250,
  });
  const { standings } = await batchOf(id);
  const zero = await admins.scores('llm-batch');
  const counts = async () => {
    const { on_leaderboard } = await batchOf(id);
    const { jobs_added } = expectStatus(await get(`${path}/arena-status`, root), 200);
    expect(jobs_added).toBe(on_leaderboard ? 1 : 0);
    const now = await admins.scores('llm-batch');
    for (const { username, delta } of standings) {
      expect((now.get(username) ?? 0) - (zero.get(username) ?? 0), username).toBeCloseTo(on_leaderboard ? delta : 0, 6);
    }
    return on_leaderboard as boolean;
  };
  const log = ['batch.created'];
  const add: Call = (token) => post(`/llm/process-batch/${id}`, undefined, token);
  const take: Call = (token) => post(`/llm/delete-batch-leaderboard/${id}`, undefined, token);
  const note = (responses: readonly ApiResponse[]) => {
    for (const { body } of responses) {
      if (body.jobs_added_now > 0) log.push('batch.added_to_leaderboard');
      if (body.jobs_removed > 0) log.push('batch.removed_from_leaderboard');
    }
  };
  const added = await admins.callBoth(add);
  note(added);
  expect(added.map((response) => expectStatus(response, 200).message).sort()).toEqual([
    '1 jobs added to the leaderboard',
    'No new finished jobs to add',
  ]);
  expect(await counts()).toBe(true);
  for (let round = 0; round < 3; round++) {
    const both = await admins.callBoth(add, take);
    for (const response of both) expectStatus(response, 200);
    note(both);
    await counts();
  }
  if (!(await counts())) note([await add(ann.token)]);
  const taken = await admins.callBoth(take);
  note(taken);
  expect(taken.map((response) => expectStatus(response, 200).message).sort()).toEqual([
    '1 jobs removed from the leaderboard',
    'The batch is not on the leaderboard',
  ]);
  expect(await counts()).toBe(false);

  const published = await admins.callBoth((token) => post(`${path}/public`, { public: true }, token));
  expect(published.map((response) => expectStatus(response, 200).affected_jobs).sort()).toEqual([0, 1]);
  log.push('batch.visibility_changed');
  const { metadata_id } = expectStatus(await post(`${path}/metadata`, { note: 'first' }, root), 200);
  const saved = await admins.callBoth(
    (token) => post(`${path}/metadata?expected_metadata_id=${metadata_id}`, { note: 'ann' }, token),
    (token) => post(`${path}/metadata?expected_metadata_id=${metadata_id}`, { note: 'bob' }, token),
  );
  expect(expectOneAccepted(saved, 409).detail).toMatch(/^Somebody else has saved this metadata/);
  const { batch_metadata } = expectStatus(await get(`${path}/metadata`, root), 200);
  expect(batch_metadata.note).toBe(saved[0].status === 200 ? 'ann' : 'bob');
  log.push('batch.metadata_saved', 'batch.metadata_saved');

  const [process, removed] = await admins.callBoth(add, (token) => remove(path, token));
  if (removed.status === 200) {
    expect(expectRefused(process, 404)).toBe('Batch not found');
  } else {
    expect(expectRefused(removed, 409)).toBe('This batch is on the leaderboard. Remove it there first.');
    note([process, await take(root)]);
    expectStatus(await remove(path, root), 200);
  }
  log.push('batch.deleted');
  expect((await get(path, root)).status).toBe(404);
  await admins.expectAudited(id, log);
});

test('accepts one of two concurrent pauses, cancellations, retries and deletions of a batch, and refuses the other with the reason', async () => {
  // A bot that starts slowly keeps the match running during the changes.
  const { id, path } = await createBatch([...players.slice(1), await newPlayer('slow-import')]);
  // The match is created in the background. A batch that is cancelled before has no failed match.
  await vi.waitFor(async () => expect((await batchOf(id)).job_statuses.RUNNING).toBe(1), 60_000);
  const change =
    (verb: string): Call =>
    (token) =>
      post(`${path}/${verb}`, undefined, token);
  expect(expectOneAccepted(await admins.callBoth(change('pause')), 400).detail).toBe('This batch is paused already.');
  expect(expectOneAccepted(await admins.callBoth(change('resume')), 400).detail).toBe('This batch is not paused.');
  const log = ['batch.created', 'batch.paused', 'batch.resumed'];
  const ending = 'This batch has ended: every match has been played, has failed or was cancelled.';
  const [paused, cancelled] = await admins.callBoth(change('pause'), change('cancel'));
  expectStatus(cancelled, 200);
  if (paused.status === 200) log.push('batch.paused');
  else expect(expectRefused(paused, 400)).toBe(ending);
  log.push('batch.cancelled');
  expect(await batchOf(id)).toMatchObject({
    state: 'Cancelled',
    paused: false,
    job_statuses: { FAILED: 1, RUNNING: 0 },
  });
  expect(expectRefused(await change('cancel')(root), 400)).toBe(ending);
  expect(expectOneAccepted(await admins.callBoth(change('retry')), 400).detail).toBe(
    'No match of this batch has failed.',
  );
  expect(expectOneAccepted(await admins.callBoth(change('cancel')), 400).detail).toBe(ending);
  log.push('batch.retried', 'batch.cancelled');
  const [retried, deleted] = await admins.callBoth(change('retry'), (token) => remove(path, token));
  expectStatus(deleted, 200);
  if (retried.status !== 200) expect(expectRefused(retried, 404)).toBe('Batch not found');
  await vi.waitFor(async () => expect(await admins.actionsOn(id)).toContain('batch.deleted'), 15_000);
  // The batch may be retried just before its deletion, and be deleted before the retry responds.
  const retries = (await admins.actionsOn(id)).filter((action) => action === 'batch.retried').length;
  expect(retries).toBeGreaterThanOrEqual(retried.status === 200 ? 2 : 1);
  if (retries > 1) log.push('batch.retried');
  expect(expectRefused(await remove(path, root), 404)).toBe('Batch not found');
  await admins.expectAudited(id, [...log, 'batch.deleted']);
});

test('the audit log has exactly the accepted changes of all tests above', () => admins.recheckAudit());
