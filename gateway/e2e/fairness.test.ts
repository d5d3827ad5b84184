// Runs docs/verify_match.py against the platform and against falsified responses.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import * as client from './client.ts';

const script = join(import.meta.dirname, '../../docs/verify_match.py');
const batchScript = join(import.meta.dirname, '../../docs/verify_batch.py');
const bots = ['random-legal', 'calling-station', 'tight-aggressive', 'position-aware', 'pressure', 'house'];
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface Verdict {
  readonly code: number;
  readonly text: string;
}

function verify(origin: string, args: readonly string[], token?: string, program = script): Promise<Verdict> {
  const env = { PATH: process.env.PATH, ...(token === undefined ? {} : { TOKEN: token }) };
  return new Promise((resolve) => {
    // Isolated, except that a script finds the other one beside it.
    execFile('python3', ['-B', '-E', '-s', program, origin, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr });
    });
  });
}

type Change = (path: string, body: client.Body) => void;

/** Runs the script against a proxy that falsifies the platform's responses. */
async function verifyTampered(id: string, change: Change, program = script): Promise<Verdict> {
  const server = createServer((request, response) => void serve(request, response));
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const { status, body } = await client.call('GET', path);
    change(path, body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await verify(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, [id], undefined, program);
  } finally {
    server.close();
  }
}

let users_list: string[];
let jobId: string;
let played: number;
let early: { readonly status: client.Body; readonly commitment: client.Body };
beforeAll(async () => {
  const admin = await client.adminToken();
  users_list = await Promise.all(
    bots.map(async (bot) => {
      const user = await client.registerVerified(client.uniqueName(bot.slice(0, 12)));
      await client.submitFinal(user.token, bot);
      return user.username;
    }),
  );
  jobId = client.expectStatus(
    await client.post('/sim/async_run_user', { users_list, num_rounds: 60 }, admin),
    200,
  ).job_id;
  early = {
    status: client.expectStatus(await client.get(`/sim/status/${jobId}`, admin), 200),
    commitment: client.expectStatus(await client.get(`/live/job/${jobId}/commitment`, admin), 200),
  };
  const { job_status, hands_played } = await client.ended(jobId, admin);
  expect(job_status).toBe('Finished');
  played = hands_played;
  client.expectStatus(await client.post(`/admin/toggle-job-public/${jobId}`, undefined, admin), 200);
});

test('publishes commitment, input and time before a match ends, and does not change them afterwards', async () => {
  expect(early.status.job_status).not.toBe('Finished');
  const { commitment, public_input, committed_at, record } = early.commitment;
  expect(early.status).toMatchObject({ commitment, public_input, committed_at });
  expect(record).toMatchObject({ commitment, time: committed_at, job_hash: sha256(jobId) });
  const facts = JSON.parse(public_input);
  const keys = ['blinds', 'hands', 'plan', 'profile', 'roster', 'rulesVersion', 'startingStack'];
  expect(Object.keys(facts)).toEqual(keys);
  expect(facts).toMatchObject({ hands: 60, roster: bots.map(() => ({ botHash: expect.stringMatching(/^\w{64}$/) })) });
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(early.commitment.digest).toBeNull();
  expect(client.expectStatus(await client.get(`/live/job/${jobId}/commitment`), 200)).toEqual({
    ...early.commitment,
    digest,
  });
  expect(client.expectStatus(await client.get(`/sim/status/${jobId}`), 200)).toMatchObject({
    commitment,
    public_input,
    committed_at,
  });
  const after = await client.get(`/live/commitments?after=${record.number - 1}&limit=1`);
  const { commitments, head } = client.expectStatus(after, 200);
  expect(commitments).toEqual([record]);
  expect(head.number).toBeGreaterThanOrEqual(record.number);
  for (const query of ['after=-1', 'limit=0', 'limit=1001', 'after=x']) {
    expect((await client.get(`/live/commitments?${query}`)).status, query).toBe(422);
  }
});

test('the script verifies a public match without signing in', async () => {
  const { origin } = inject('platform');
  const { code, text } = await verify(origin, [jobId]);
  expect(text).toContain(`verified: ${played} hands of the seed`);
  expect(code).toBe(0);
  const noted = /head of the chain: (\d+:[0-9a-f]{64})/.exec(text)?.[1] ?? '';
  expect((await verify(origin, [jobId, noted])).code).toBe(0);
  const forged = noted.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  expect(await verify(origin, [jobId, forged])).toMatchObject({
    code: 1,
    text: expect.stringContaining('the chain is not the one that you noted'),
  });
});

test('the script verifies a private test run with the token of its owner, and fails without it', async () => {
  const { origin } = inject('platform');
  const owner = await client.registerVerified(client.uniqueName('fair'));
  const form = client.uploadForm(client.testRunFields, client.botFiles('calling-station').player);
  const { job_id } = client.expectStatus(
    await client.call('POST', '/sim/async_run', { form, token: owner.token }),
    200,
  );
  await client.ended(job_id, owner.token);
  expect(await verify(origin, [job_id], owner.token)).toMatchObject({ code: 0 });
  expect((await verify(origin, [job_id])).text).toContain('403');
});

test('plays all hands of a match with reset stacks and adds up their results, and the script verifies it', async () => {
  const admin = await client.adminToken();
  const match = { users_list, num_rounds: 40, blind: 2000, stacks: 'reset' };
  const { job_id } = client.expectStatus(await client.post('/sim/async_run_user', match, admin), 200);
  const status = await client.ended(job_id, admin);
  expect(status).toMatchObject({ job_status: 'Finished', stacks: 'reset', hands_played: 40, ended_early: null });
  client.expectStatus(await client.post(`/admin/toggle-job-public/${job_id}`, undefined, admin), 200);
  const { games } = client.expectStatus(await client.get(`/live/job/${job_id}/games`), 200);
  const sums = users_list.map(() => 0);
  for (const { game_id } of games) {
    const { playerMoney } = client.expectStatus(await client.get(`/live/game/${game_id}`), 200).game_data;
    expect(Object.values(playerMoney.startingMoney)).toEqual(users_list.map(() => 10_000));
    for (const seat of sums.keys()) sums[seat] = (sums[seat] ?? 0) + playerMoney.thisGameDelta[seat + 1];
    expect(Object.values(playerMoney.finalDelta)).toEqual(sums);
  }
  expect(status.result_data).toEqual(Object.fromEntries(users_list.map((name, seat) => [name, sums[seat]])));
  expect(await verify(inject('platform').origin, [job_id])).toMatchObject({
    code: 0,
    text: expect.stringContaining('verified: 40 hands of the seed'),
  });
});

describe('a batch and its plan', () => {
  const verifyBatch = (number: number) => verify(inject('platform').origin, [String(number)], undefined, batchScript);
  let admin: string;
  let batch: { id: string; number: number; jobs: client.Body[] };
  beforeAll(async () => {
    admin = await client.adminToken();
    const seventh = await client.registerVerified(client.uniqueName('seventh'));
    await client.submitFinal(seventh.token, 'random-legal');
    const request = { users_list: [...users_list, seventh.username], num_rounds: 5, public: true };
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
  ])('the script finds %s', async (_, change, failure) => {
    const { code, text } = await verifyTampered(String(batch.number), change, batchScript);
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
});

test('the platform checks its chain itself and says so', async () => {
  const { check } = client.expectStatus(await client.get('/live/commitments?limit=1'), 200);
  expect(check).toMatchObject({ state: 'verified', problem: null });
});

const ofMatch = (record: client.Body) => record.job_hash === sha256(jobId);
const inChain = (change: (record: client.Body, records: client.Body[]) => void): Change => {
  return (path, body) => {
    if (!path.startsWith('/live/commitments')) return;
    for (const record of body.commitments.filter(ofMatch)) change(record, body.commitments);
  };
};
const inHand = (change: (game: client.Body) => void): Change => {
  return (path, body) => {
    if (path.startsWith('/live/game/') && body.game_uuid === '3') change(body.game_data);
  };
};
const rehashed = (record: client.Body) => {
  const { commitment, job_hash: jobHash, number, previous, time } = record;
  record.hash = sha256(JSON.stringify({ commitment, jobHash, number, previous, time }));
};

const changes: readonly { what: string; change: Change; failure: RegExp }[] = [
  {
    what: "another commitment in the match's record",
    change: inChain((record) => {
      record.commitment = sha256('another');
    }),
    failure: /record \d+ of the chain was changed/,
  },
  {
    what: 'an earlier time in a record',
    change: inChain((record) => {
      record.time = '2026-01-01T00:00:00.000Z';
    }),
    failure: /record \d+ of the chain was changed/,
  },
  {
    what: 'a record with another commitment and the matching hash',
    change: inChain((record) => {
      record.commitment = sha256('another');
      rehashed(record);
    }),
    failure: /of the chain was changed|not the one committed to/,
  },
  {
    what: 'a chain without the record',
    change: inChain((record, records) => records.splice(records.indexOf(record), 1)),
    failure: /of the chain was changed|no record of this match/,
  },
  {
    what: 'another seed',
    change: (path, body) => {
      if (path.endsWith('/seed')) body.seed = sha256(body.seed);
    },
    failure: /the seed is not the one committed to/,
  },
  {
    what: 'another roster',
    change: (path, body) => {
      if (path.endsWith('/commitment')) body.public_input = body.public_input.replace('"botHash":"', '"botHash":"0');
    },
    failure: /the seed is not the one committed to/,
  },
  {
    what: "a player's cards in hand 3",
    change: inHand((game) => Object.values<string[]>(game.playerHands)[0]?.reverse()),
    failure: /hand 3 was not dealt from the seed/,
  },
  {
    what: 'missing player cards in hand 3',
    change: inHand((game) => {
      game.playerHands = {};
    }),
    failure: /hand 3 was not dealt from the seed/,
  },
  {
    what: 'another board in hand 3',
    change: inHand((game) => {
      game.finalBoard = ['2h', '2h', '2h'];
    }),
    failure: /hand 3 was not dealt from the seed/,
  },
  {
    what: 'a hand played before the commitment was made',
    change: inHand((game) => {
      game.rounds['0'].action_sequence[0].timestamp = 0;
    }),
    failure: /the commitment is not older than hand 3/,
  },
  {
    what: 'no hands',
    change: (path, body) => {
      if (path.endsWith('/games')) body.games = [];
    },
    failure: /there are no hands/,
  },
];

test.each(changes)('the script refuses $what', async ({ change, failure }) => {
  const { code, text } = await verifyTampered(jobId, change);
  expect(text).toMatch(failure);
  expect(code).toBe(1);
});
