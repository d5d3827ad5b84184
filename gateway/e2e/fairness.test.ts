// Runs docs/verify_match.py against the platform and against falsified responses.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canonicalJson, recordText } from '@husky/match/commitment';
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import * as client from './client.ts';
import { type Change, sha256, verify, verifyTampered } from './verify-script.ts';

const bots = ['random-legal', 'calling-station', 'tight-aggressive', 'position-aware', 'pressure', 'house'];

let users_list: string[];
let jobId: string;
let played: number;
let early: { readonly status: client.Body; readonly commitment: client.Body };
beforeAll(async () => {
  const admin = await client.adminToken();
  users_list = await client.registerNamed(bots);
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
  const keys = ['blinds', 'hands', 'plan', 'profile', 'roster', 'rulesVersion', 'seeds', 'startingStack'];
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
  const { code, text } = await verify('verify_match.py', origin, [jobId]);
  expect(text).toContain(`verified: ${played} hands of the seed`);
  expect(code).toBe(0);
  const noted = /head of the chain: (\d+:[0-9a-f]{64})/.exec(text)?.[1] ?? '';
  expect((await verify('verify_match.py', origin, [jobId, noted])).code).toBe(0);
  const { signed_head } = client.expectStatus(await client.get('/live/signed-head'), 200);
  const saved = join(mkdtempSync(join(tmpdir(), 'husky-head-')), 'head');
  onTestFinished(() => rmSync(dirname(saved), { recursive: true }));
  for (const [note, code] of [
    [signed_head, 0],
    [signed_head.replace(/\n\d+\n/, '\n1\n'), 1],
    ['no note', 1],
  ] as const) {
    writeFileSync(saved, note);
    expect((await verify('verify_match.py', origin, [jobId, saved])).code).toBe(code);
  }
  const forged = noted.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  expect(await verify('verify_match.py', origin, [jobId, forged])).toMatchObject({
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
  expect(await verify('verify_match.py', origin, [job_id], owner.token)).toMatchObject({ code: 0 });
  expect((await verify('verify_match.py', origin, [job_id])).text).toContain('403');
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
  expect(await verify('verify_match.py', inject('platform').origin, [job_id])).toMatchObject({
    code: 0,
    text: expect.stringContaining('verified: 40 hands of the seed'),
  });
});

test('the platform checks its chain itself and says so', async () => {
  const { check } = client.expectStatus(await client.get('/live/commitments?limit=1'), 200);
  expect(check).toMatchObject({ state: 'verified', problem: null });
});

test('everybody sees how many matches the platform played again, and how many were equal', async () => {
  const count = expect.any(Number);
  expect(client.expectStatus(await client.get('/live/repetitions'), 200)).toEqual({
    pending: count,
    equal: count,
    different: count,
    different_by_limit: count,
    not_compared: count,
    last_drawn_at: expect.toSatisfy((at: unknown) => at === null || typeof at === 'string'),
  });
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
const forgedSeed = sha256('a seed that suits');
let forgedCommitment = '';
/** What an operator publishes who chose another seed after the fact and wrote the chain anew from the match on. */
const chosenSeed: Change = (path, body) => {
  if (path.endsWith('/seed')) body.seed = forgedSeed;
  if (path.endsWith('/commitment')) body.commitment = forgedCommitment;
  if (!path.startsWith('/live/commitments')) return;
  const facts = JSON.parse(early.commitment.public_input);
  forgedCommitment = sha256(canonicalJson({ ...facts, seed: forgedSeed }));
  const start = body.commitments.findIndex(ofMatch);
  if (start < 0) return;
  body.commitments[start].commitment = forgedCommitment;
  for (const [index, record] of body.commitments.slice(start).entries()) {
    if (index > 0) record.previous = body.commitments[start + index - 1].hash;
    record.hash = sha256(recordText({ ...record, jobHash: record.job_hash }));
  }
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
    what: 'a seed that was chosen after the fact, in a chain that was written anew',
    change: chosenSeed,
    failure: /its seed does not stand in a list made before its plan/,
  },
  {
    what: 'a seed that is not the one in its list',
    change: (path, body) => {
      if (path.endsWith('/seed')) body.seed_proof.path[3] = sha256('another');
    },
    failure: /its seed does not stand in a list made before its plan/,
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
  const { code, text } = await verifyTampered('verify_match.py', jobId, change);
  expect(text).toMatch(failure);
  expect(code).toBe(1);
});
