// The plan of a batch in the chain, docs/verify_batch.py, and what every number says about a deleted match.
import { beforeAll, expect, inject, test, vi } from 'vitest';
import * as client from './client.ts';
import { type Change, sha256, verify, verifyTampered } from './verify-script.ts';

const bots = [
  'random-legal',
  'calling-station',
  'tight-aggressive',
  'position-aware',
  'pressure',
  'house',
  'random-legal',
];
const verifyBatch = (number: number) => verify('verify_batch.py', inject('platform').origin, [String(number)]);
let users_list: string[];
let admin: string;
let batch: { id: string; number: number; jobs: client.Body[] };
beforeAll(async () => {
  admin = await client.adminToken();
  users_list = await client.registerNamed(bots);
  const request = { users_list, num_rounds: 5, public: true };
  const { batch_id: id } = client.expectStatus(await client.post('/llm/batch-run', request, admin), 200);
  const detail = async () => client.expectStatus(await client.get(`/llm/batch/${id}`, admin), 200);
  const finished = async () => expect((await detail()).job_statuses.FINISHED).toBe(7);
  await vi.waitFor(finished, { timeout: 120_000, interval: 250 });
  const { jobs } = client.expectStatus(await client.get(`/llm/batch/${id}/jobs`, admin), 200);
  batch = { id, number: (await detail()).batch_number, jobs };
});

test('the script verifies the batch, whose plan anybody can read', async () => {
  const { code, text } = await verifyBatch(batch.number);
  expect(text).toContain('verified: all 7 matches of the plan');
  expect(code).toBe(0);
  const { plan, record, names } = client.expectStatus(await client.get(`/batches/${batch.number}/plan`), 200);
  expect(JSON.parse(plan)).toMatchObject({ kind: 'batch', matches: 7, public: true });
  expect(record).toMatchObject({ kind: 'plan', commitment: sha256(plan), job_hash: sha256(`plan:${batch.id}`) });
  expect(names.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(users_list));
  const ofJob = await client.get(`/live/job/${batch.jobs[0].job_id}/plan`);
  expect(client.expectStatus(ofJob, 200)).toMatchObject({ plan, record });
  const page = client.expectStatus(await client.get(`/batches/${batch.number}`), 200);
  expect(page).toMatchObject({ plan_record: record, counts: { note: '7 of 7 matches counted.' } });
});

const inFacts = (change: (facts: client.Body) => void): Change => {
  return (path, body) => {
    if (path !== `/live/job/${batch.jobs[2].job_id}/commitment`) return;
    const facts = JSON.parse(body.public_input);
    change(facts);
    body.public_input = JSON.stringify(facts);
  };
};
const inPlan = (change: (body: client.Body) => void): Change => {
  return (path, body) => {
    if (path.endsWith('/plan')) change(body);
  };
};
test.each<[string, Change, RegExp]>([
  [
    'a bot exchanged after the plan',
    inFacts((facts) => {
      facts.roster[3].botHash = sha256('another bot');
    }),
    /match 3 \(\S+\): the bot in seat 4 was exchanged after the plan\n1 findings/,
  ],
  [
    'other seats than planned',
    inFacts((facts) => {
      facts.roster.reverse();
    }),
    /match 3 \(\S+\): the bot in seat 1 was exchanged after the plan/,
  ],
  ['a match of another plan', inFacts((facts) => delete facts.plan), /match \S+ is not one of the plan/],
  [
    'a match that takes the place of another',
    inFacts((facts) => {
      facts.plan.game = 1;
    }),
    /match 1 is there twice[\s\S]*match 3 of the plan is missing: not shown/,
  ],
  [
    'other rules',
    inFacts((facts) => {
      facts.hands = 6;
    }),
    /match 3 \(\S+\) has other rules than the plan/,
  ],
  [
    'another plan',
    inPlan((body) => {
      body.plan = body.plan.replace('"public":true', '"public":false');
    }),
    /the plan is not the one in the chain/,
  ],
  [
    'a name swapped',
    inPlan((body) => {
      [body.names[0].name, body.names[1].name] = [body.names[1].name, body.names[0].name];
    }),
    /is not the name in the plan/,
  ],
  [
    'two names swapped in the list of matches',
    (path, body) => {
      const job =
        path.includes('/paginated') && body.jobs.find((one: client.Body) => one.job_id === batch.jobs[2].job_id);
      if (job) [job.players[0], job.players[1]] = [job.players[1], job.players[0]];
    },
    /match 3 \(\S+\): (\S+) in seat 1 is shown as (\S+)\nmatch 3 \(\S+\): \2 in seat 2 is shown as \1\n2 findings/,
  ],
])('the script finds %s', async (_, change, failure) => {
  const { code, text } = await verifyTampered('verify_batch.py', String(batch.number), change);
  expect(text).toMatch(failure);
  expect(code).toBe(1);
});

test('the script finds a deleted match, and every number says that it is missing', async () => {
  const [job] = batch.jobs;
  const { record } = client.expectStatus(await client.get(`/live/job/${job.job_id}/commitment`), 200);
  client.expectStatus(await client.remove(`/sim/job/${job.job_id}`, admin), 200);
  const note = `6 of 7 matches counted; 1 deleted after they were played: record ${record.number}.`;
  const { code, text } = await verifyBatch(batch.number);
  expect(text).toContain(`match 1 of the plan is missing: deleted after it was played by owner at`);
  expect(text).toContain(note);
  expect(code).toBe(1);

  const job_statuses = { PENDING: 0, RUNNING: 0, FINISHED: 6, FAILED: 0, DELETED: 1 };
  const detail = client.expectStatus(await client.get(`/llm/batch/${batch.id}`, admin), 200);
  expect(detail).toMatchObject({ job_statuses, counts: { note } });
  await expect
    .poll(async () => (await client.get(`/batches/${batch.number}`)).body)
    .toMatchObject({ job_statuses, matches: 6, counts: { note, deleted_after_play: 1 } });
  const retried = await client.post(`/llm/batch/${batch.id}/retry`, undefined, admin);
  expect(retried).toMatchObject({ status: 400 });
  expect(retried.body.detail).toContain('1 deleted one is not played again.');
  await expect
    .poll(async () => (await client.get(`/live/standings?batch=${batch.number}`)).body, { timeout: 60_000 })
    .toMatchObject({ state: 'ready', matches: 6, counts: { note }, notes: expect.arrayContaining([note]) });
  const csv = await (await fetch(`${inject('platform').origin}/live/standings.csv?batch=${batch.number}`)).text();
  expect(csv.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/,"matches_counted","matches_planned","matches_deleted"\r?$/),
    expect.stringMatching(/,6,7,1\r?$/),
  ]);
  const everywhere = expect.stringMatching(
    /deleted after (it was|they were) played: records? [\s\S]*No figure contains/,
  );
  const name = users_list[0] ?? '';
  for (const path of [
    `/players/${name}`,
    `/players/${name}/versus/${users_list[1]}`,
    `/live/players/${name}/statistics`,
  ]) {
    await expect
      .poll(async () => (await client.get(path)).body.deletions_note, { timeout: 20_000 })
      .toEqual(everywhere);
  }
  await expect
    .poll(async () => (await client.get('/live/standings')).body.counts.deleted_after_play)
    .toBeGreaterThanOrEqual(1);
  const processed = await client.post(`/llm/process-batch/${batch.id}`, undefined, admin);
  expect(client.expectStatus(processed, 200)).toMatchObject({
    message: '6 jobs added to the leaderboard. 1 of the 7 planned jobs were deleted and are not on it',
    jobs_unfinished: 0,
    jobs_deleted: 1,
    all_added: true,
  });
  await expect
    .poll(async () => (await client.get('/leaderboard/board?tag=llm-batch')).body.note)
    .toContain('1 deleted after they were played');
  client.expectStatus(await client.post(`/llm/delete-batch-leaderboard/${batch.id}`, undefined, admin), 200);
});
