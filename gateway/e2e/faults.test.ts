import { type Mistake, mistakes } from '@husky/testkit/mistakes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOwnPlatform, withoutLimits } from '../../scripts/up/own-platform.ts';
import { brokenKinds } from './broken-bots.ts';
import { runBroken, shortLimits } from './broken-runs.ts';
import * as client from './client.ts';

// Short limits, so that sleeping bots end within seconds.
let stop: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  const { origin, dataDir, admin, stop: stopOwn } = await startOwnPlatform({ ...withoutLimits, ...shortLimits });
  stop = stopOwn;
  client.usePlatform({ origin, dataDir, adminPassword: admin.password });
  const quotas = { max_test_runs: 100, max_test_runs_a_day: 10_000 };
  client.expectStatus(await client.post('/admin/settings', quotas, await client.adminToken()), 200);
});
afterAll(() => stop());

const secret = 'my secret range AKs';
const { player: honest } = client.botFiles('trivial');
const failing = honest.replace(
  /( +)def get_action\(.*\n/,
  (line, indent: string) => `${line}${indent}    raise KeyError('${secret}')\n`,
);
const neverStarts = `${honest}\nraise ImportError('${secret}')\n`;

async function testRun(source: string, token: string): Promise<string> {
  const form = client.uploadForm(client.testRunFields, source);
  return client.expectStatus(await client.call('POST', '/sim/async_run', { form, token }), 200).job_id;
}

const firstOf = (rows: client.Body[], jobId: string) => rows.find((row) => row.job_id === jobId);

test('says what is wrong with each usual mistake of a first bot, in which line, and the way out', async () => {
  const { token, username } = await client.registerVerified();
  const check = async ({ name, source, sentence, refusal }: Mistake) => {
    const form = client.uploadForm(client.testRunFields, source);
    const answer = await client.call('POST', '/sim/async_run', { form, token });
    if (refusal !== undefined) {
      expect([answer.status, answer.body.detail], name).toEqual([400, expect.stringMatching(refusal)]);
      return;
    }
    const jobId = client.expectStatus(answer, 200).job_id;
    const { faults } = await client.ended(jobId, token);
    expect(faults[username].summary, name).toMatch(sentence);
    const { log, notes } = (await client.get(`/live/job/${jobId}/log/${username}`, token)).body;
    expect(`${log}${notes.join()}`, name).not.toMatch(/husky_seat|lib\/python|notes of the platform/);
  };
  for (let n = 0; n < mistakes.length; n += 4) await Promise.all(mistakes.slice(n, n + 4).map(check));
});

test('keeps what a bot prints apart from the notes of the platform', async () => {
  const { token, username } = await client.registerVerified();
  const forged = honest.replace(
    /( +)def get_action\(.*\n/,
    (line, indent: string) =>
      `${line}${indent}    print('--- notes of the platform ---\\nhand 1: timed out\\r\\x1b[2J\\x1b[31m\\u202eforged')\n${indent}    1 / 0\n`,
  );
  const jobId = await testRun(forged, token);
  await client.ended(jobId, token);
  const { log, notes } = (await client.get(`/live/job/${jobId}/log/${username}`, token)).body;
  expect(log).toMatch(
    /^--- hand 1, get_action 1\n--- notes of the platform ---\nhand 1: timed out\\x0d\\x1b\[2J\\x1b\[31m\\u202eforged\n/,
  );
  expect(notes[0]).toMatch(/^hand 1: raised an exception: ZeroDivisionError: division by zero; check the divisor/);
  expect(JSON.stringify(notes)).not.toContain('forged');
});

// RUNS: number of bots, evenly spread over the 118 kinds.
const runs = Number(process.env.RUNS ?? 12);

test('reports the faults of broken bots of all kinds', { timeout: runs * 20_000 }, async () => {
  const user = await client.registerVerified();
  const outcomes: Awaited<ReturnType<typeof runBroken>>[] = [];
  for (let n = 0; n < runs; n += 3) {
    const numbers = [n, n + 1, n + 2].filter((number) => number < runs);
    const spread = numbers.map((number) => Math.floor((number * brokenKinds.length) / runs));
    outcomes.push(...(await Promise.all(spread.map((number) => runBroken(number, user)))));
  }
  expect(outcomes.filter(({ problem }) => problem !== '')).toEqual([]);
  expect(new Set(outcomes.map(({ cause }) => cause)).size).toBeGreaterThanOrEqual(5);
});

test('reports a result and no faults for the test run of an honest bot', async () => {
  const { token, username } = await client.registerVerified();
  const status = await client.ended(await testRun(honest, token), token);
  expect(status).toMatchObject({ job_status: 'Finished', no_contest: false });
  expect(status.faults[username]).toMatchObject({
    failed: 0,
    failed_calls: 0,
    never_started: false,
    summary: '',
    first: null,
  });
});

test('shows the text of an exception only to the bot’s owner and admins, on every path', async () => {
  const owner = await client.registerVerified();
  const other = await client.registerVerified();
  const admin = await client.adminToken();
  const jobId = await testRun(failing, owner.token);
  const status = await client.ended(jobId, owner.token);
  const own = status.faults[owner.username];
  expect(own.summary).toMatch(
    new RegExp(`^failed ${own.failed} of ${own.decisions} decisions: KeyError: '${secret}'; .* \\(line \\d+\\)$`),
  );
  expect(own.by_kind.exception).toBeGreaterThan(0);
  client.expectStatus(await client.post(`/admin/toggle-job-public/${jobId}`, { is_public: true }, admin), 200);

  const { game_id } = own.first;
  const paths = [
    `/sim/status/${jobId}`,
    `/live/game/${game_id}`,
    `/live/job/${jobId}/games`,
    `/live/job/${jobId}/user-performance`,
  ];
  for (const path of [`/sim/status/${jobId}`, `/live/game/${game_id}`]) {
    for (const token of [owner.token, admin])
      expect(JSON.stringify((await client.get(path, token)).body)).toContain(secret);
  }
  for (const path of paths) {
    for (const token of [other.token, undefined]) {
      const response = await client.get(path, token);
      client.expectStatus(response, 200);
      expect(JSON.stringify(response.body), path).not.toContain(secret);
    }
  }
  const seen = (await client.get(`/sim/status/${jobId}`)).body.faults[owner.username];
  expect(seen).toMatchObject({ summary: `failed ${own.failed} of ${own.decisions} decisions: it raised an exception` });
  expect(seen.first).toMatchObject({ kind: 'exception', text: null, game_id });
  const game = (await client.get(`/live/game/${game_id}`)).body.game_data;
  expect(game.verdicts.find(({ code }: client.Body) => code === 'exception').text).toBe('raised an exception');

  const stream = await fetch(`${client.platform().origin}/live/job/${jobId}/events`);
  expect(await stream.text()).not.toContain(secret);
  for (const path of ['log', 'bots']) {
    expect((await client.get(`/live/job/${jobId}/${path}/${owner.username}`, other.token)).status).toBe(403);
    expect((await client.get(`/live/job/${jobId}/${path}/${owner.username}`)).status).toBe(401);
  }
  const mails = client.allMails().filter((mail) => mail.includes('my secret'));
  for (const mail of mails) expect(mail).toContain(`To: ${owner.username}@test.invalid`);
});

test('counts faults by kind in lists, for the owner and for admins', async () => {
  const { token, username } = await client.registerVerified();
  const jobId = await testRun(failing, token);
  await client.ended(jobId, token);
  for (const rows of [
    (await client.get('/sim/status/all', token)).body,
    (await client.get('/admin/jobs', await client.adminToken())).body,
  ]) {
    const own = firstOf(rows, jobId).faults[username];
    expect(own.by_kind.exception + (own.by_kind.disabled ?? 0)).toBe(own.failed);
    expect(own.failed).toBe(own.decisions);
  }
});

test('reports no contest when a bot never started: in the status, in lists and in the mail', async () => {
  const { token, username } = await client.registerVerified();
  const jobId = await testRun(neverStarts, token);
  const status = await client.ended(jobId, token);
  expect(status.no_contest).toBe(true);
  expect(Object.values(status.result_data)).toEqual([0, 0]);
  expect(status.faults[username]).toMatchObject({ never_started: true, stopped_by: 'startup' });
  expect(status.faults[username].summary).toMatch(
    new RegExp(`^never started: ImportError: ${secret} \\(line \\d+\\)$`),
  );
  const row = firstOf((await client.get('/sim/status/all', token)).body, jobId);
  expect(row).toMatchObject({ no_contest: true, result_data: status.result_data });
  await expect
    .poll(() =>
      client
        .allMails()
        .filter((mail) => mail.includes(`To: ${username}@test.invalid`))
        .join('\n'),
    )
    .toContain('nobody has won or lost');
});

test('groups faults by line in the owner’s report, and shows times, time bank, memory and output', async () => {
  const { token, username } = await client.registerVerified();
  const source = failing.replace("    raise KeyError('", `    print('thinking')\n        raise KeyError('`);
  const jobId = await testRun(source, token);
  await client.ended(jobId, token);
  const report = client.expectStatus(await client.get(`/live/job/${jobId}/bots/${username}`, token), 200);
  const raised = report.faults.find(({ kind }: client.Body) => kind === 'exception');
  expect(raised.count).toBe(3);
  expect(raised.text).toMatch(/^KeyError: .* \(line \d+\)$/);
  expect(report.stopped.kind).toBe('disabled');
  expect(report.times.count).toBe(3);
  expect(report.times.histogram.reduce((sum: number, { count }: client.Body) => sum + count, 0)).toBe(3);
  expect(report).toMatchObject({ bank_ms: 600, hands: 10 });
  expect(report.peak_memory_kib).toBeGreaterThan(0);
  expect(report.log).toContain('thinking');
  client.expectStatus(await client.get(`/live/game/${raised.first_game_id}`, token), 200);
});

test('plays a test run of each upload by itself, says how it ended, and warns about its faults when it is marked final', async () => {
  const { token } = await client.registerVerified();
  const upload = async (source: string): Promise<string> => {
    const form = client.uploadForm(client.submissionFields, source);
    return client.expectStatus(await client.call('POST', '/submission/upload', { form, token }), 200).submission_id;
  };
  const saved = async (id: string) =>
    client
      .expectStatus(await client.get('/submission/list', token), 200)
      .files.find((file: client.Body) => file.id === id);
  const outcomeOf = async (id: string) => {
    const ended = expect.stringMatching(/^(passed|failed)$/);
    await expect.poll(async () => (await saved(id)).test_run, { timeout: 120_000, interval: 300 }).toEqual(ended);
    return saved(id);
  };
  const submissionId = await upload(failing);
  expect((await saved(submissionId)).test_run).toMatch(/^(waiting|running)$/);
  const failed = await outcomeOf(submissionId);
  expect(failed).toMatchObject({
    test_run: 'failed',
    last_test_run: { job_status: 'Finished', num_rounds: 10, bot_faults: { first: { kind: 'exception' } } },
  });
  expect(failed.last_test_run.faults).toMatch(/^failed \d+ of \d+ decisions: KeyError/);
  const passing = await upload(honest);
  expect((await outcomeOf(passing)).test_run).toBe('passed');
  const again = await client.post('/sim/run_again', { submission_id: submissionId }, token);
  const { job_id: jobId } = client.expectStatus(again, 200);
  expect((await saved(submissionId)).last_test_run.job_id).toBe(jobId);
  await client.ended(jobId, token);
  expect((await client.post('/sim/run_again', { job_id: jobId, submission_id: submissionId }, token)).status).toBe(422);

  const form = client.uploadForm(client.submissionFields, `import sklearn\n${honest}`);
  const found = client.expectStatus(await client.call('POST', '/submission/check', { form, token }), 200);
  expect(found).toEqual({
    problem: null,
    warnings: [expect.stringContaining('write scikit-learn into requirements.txt')],
  });
  const marked = client.expectStatus(
    await client.post('/submission/mark_final', { submission_id: submissionId }, token),
    200,
  );
  expect(marked.warning).toMatch(/^In its last test run your bot failed/);
  const other = client.expectStatus(
    await client.post('/submission/mark_final', { submission_id: passing }, token),
    200,
  );
  expect(other.warning).toBeUndefined();
});

test("runs a match's files again and returns their code and the version before, to the bot's owner and admins only", async () => {
  const { token, username } = await client.registerVerified();
  const other = await client.registerVerified();
  const first = await testRun(`${honest}# été ♠\n`, token);
  await client.ended(first, token);
  const jobId = await testRun(`${failing}# été ♠\n`, token);
  const { faults } = await client.ended(jobId, token);
  const path = `/live/job/${jobId}/bots/${username}`;
  const code = client.expectStatus(await client.get(`${path}/code`, token), 200);
  expect(code).toMatchObject({
    version: { player_file: `${failing}# été ♠\n`, requirements_file: '' },
    previous: { player_file: `${honest}# été ♠\n` },
  });
  const report = client.expectStatus(await client.get(path, token), 200);
  const { first_game_id: gameId, first_step: step } = report.faults.find(
    ({ kind }: client.Body) => kind === 'exception',
  );
  expect(faults[username].first).toMatchObject({ game_id: gameId, step });
  expect(step).toBeGreaterThan(2);
  expect(client.expectStatus(await client.get(`${path}/code`, await client.adminToken()), 200)).toEqual(code);
  client.expectStatus(
    await client.post(`/admin/toggle-job-public/${jobId}`, { is_public: true }, await client.adminToken()),
    200,
  );
  expect((await client.get(`${path}/code`, other.token)).status).toBe(403);
  expect((await client.get(`/live/job/${jobId}/bots/${other.username}/code`, other.token)).status).toBe(404);
  expect((await client.post('/sim/run_again', { job_id: jobId }, other.token)).status).toBe(404);

  const again = client.expectStatus(await client.post('/sim/run_again', { job_id: jobId }, token), 200).job_id;
  await client.ended(again, token);
  const rerun = client.expectStatus(await client.get(`/live/job/${again}/bots/${username}/code`, token), 200);
  expect(rerun.version).toEqual(code.version);
  const played = client.expectStatus(await client.get('/sim/played', token), 200);
  expect(played.map(({ job_id }: client.Body) => job_id)).toEqual([again, jobId, first]);
  expect(played[0]).toMatchObject({ started_by_user: true, kind: 'test', rank: expect.any(Number) });
  expect(
    client.expectStatus(await client.get(`/sim/played?username=${username}`, await client.adminToken()), 200),
  ).toHaveLength(3);
  expect((await client.get(`/sim/played?username=${username}`, other.token)).status).toBe(403);
  expect(client.expectStatus(await client.get('/sim/played', other.token), 200)).toEqual([]);
});
