// Calls that create something, sent again with the same Idempotency-Key.
import { expect, test } from 'vitest';
import * as client from './client.ts';

interface Creation {
  readonly path: string;
  readonly send: Pick<client.CallOptions, 'json' | 'form' | 'token'>;
  /** The same call with other content. */
  readonly other: { readonly path?: string } & Pick<client.CallOptions, 'json' | 'form'>;
  /** Who sends it. Other tests create things meanwhile. */
  readonly actor: string;
  /** Identifies what was created. */
  readonly idOf: (body: client.Body) => unknown;
  readonly action: string;
}

async function creations(): Promise<Creation[]> {
  const { token: admin, username: adminName } = await client.registerVerified();
  const promotion = `/admin/toggle-admin/${adminName}`;
  client.expectStatus(await client.post(promotion, { admin: true }, await client.adminToken()), 200);
  const { token, username } = await client.registerVerified();
  // A user has at most three unfinished test runs.
  const another = await client.registerVerified();
  const six = await client.registerNamed(Array.from({ length: 6 }, () => 'calling-station'));
  const [challenger] = await client.registerPlayers(['calling-station']);
  if (!challenger) throw new Error('nobody');
  const challenge = { opponents: six.slice(0, 1), format: 'classic', num_rounds: 1 };
  const { player } = client.botFiles('house');
  const upload = (note: string, fields: readonly [string, string]) => ({
    form: client.uploadForm(fields, `${player}# ${note}\n`),
  });
  const submitted = async (note: string) => {
    const saved = await client.call('POST', '/submission/upload', {
      token: another.token,
      ...upload(note, client.submissionFields),
    });
    return { submission_id: client.expectStatus(saved, 200).submission_id };
  };
  const jobId = (body: client.Body) => body.job_id;
  const match = { users_list: six, num_rounds: 1 };
  const entry = { score: 12.5, tag: 'repeated' };
  const made = { name: 'CI', scopes: ['read'], expires_in_days: 7 };
  const sizeOf = (size: number) => `/docker/pool/scale?target_size=${size}`;
  const { data } = client.expectStatus(await client.get('/docker/pool/status', admin), 200);
  return [
    {
      path: '/submission/upload',
      actor: username,
      send: { token, ...upload('1', client.submissionFields) },
      other: upload('2', client.submissionFields),
      idOf: (body) => body.submission_id,
      action: 'submission.uploaded',
    },
    {
      path: '/sim/async_run',
      actor: username,
      send: { token, ...upload('1', client.testRunFields) },
      other: upload('2', client.testRunFields),
      idOf: jobId,
      action: 'job.created',
    },
    {
      path: '/sim/run_again',
      actor: another.username,
      send: { token: another.token, json: await submitted('3') },
      other: { json: await submitted('4') },
      idOf: jobId,
      action: 'job.created',
    },
    {
      path: '/sim/async_run_user',
      actor: adminName,
      send: { token: admin, json: { ...match, mode: 'duplicate' } },
      other: { json: match },
      idOf: (body) => body.job_ids.join(),
      action: 'job.created',
    },
    {
      path: '/challenges',
      actor: challenger.username,
      send: { token: challenger.token, json: challenge },
      other: { json: { ...challenge, num_rounds: 2 } },
      idOf: (body) => body.challenge_id,
      action: 'challenge.created',
    },
    {
      path: '/llm/batch-run',
      actor: adminName,
      send: { token: admin, json: { users_list: six, num_rounds: 1 } },
      other: { json: { users_list: six, num_rounds: 2 } },
      idOf: (body) => body.batch_id,
      action: 'batch.created',
    },
    {
      path: '/leaderboard/add',
      actor: adminName,
      send: { token: admin, json: entry },
      other: { json: { ...entry, score: 1 } },
      idOf: (body) => body.entry.id,
      action: 'entry.added',
    },
    {
      path: '/auth/tokens',
      actor: username,
      send: { token, json: made },
      other: { json: { ...made, name: 'other' } },
      idOf: ({ id, secret }) => `${id} ${secret}`,
      action: 'access_token.created',
    },
    {
      path: sizeOf(data.pool_size),
      actor: adminName,
      send: { token: admin },
      other: { path: sizeOf(data.pool_size + 1) },
      idOf: jobId,
      action: 'pool.scaled',
    },
  ];
}

/** Returns how many records of an action the audit log has for an actor. */
async function recorded(action: string, actor: string): Promise<number> {
  const path = `/admin/audit?action=${action}&actor=${actor}&page_size=1`;
  return client.expectStatus(await client.get(path, await client.adminToken()), 200).total_count;
}

test('each of them creates one thing for twenty requests at once, and refuses a key with other content', async () => {
  for (const { path, send, other, idOf, action, actor } of await creations()) {
    const post = async (key: string, more: object = {}, at = path): Promise<client.ApiResponse> => {
      const response = await client.call('POST', at, { ...send, ...more, headers: { 'idempotency-key': key } });
      // A slow machine refuses some of the twenty; a key makes that, too, a matter of sending them again.
      if (response.status !== 503) return response;
      expect(response.headers.get('retry-after'), path).toMatch(/^\d+$/);
      return post(key, more, at);
    };
    const before = await recorded(action, actor);
    const responses = await Promise.all(Array.from({ length: 20 }, () => post('one')));
    const ids = new Set(responses.map(({ status, body }) => (status < 300 ? idOf(body) : JSON.stringify(body))));
    expect(ids.size, `${path} ${[...ids]}`).toBe(1);
    expect(new Set(responses.map(({ status }) => status)).size, path).toBe(1);
    // A deal set has a record for each of its six matches.
    const records = path === '/sim/async_run_user' ? 6 : 1;
    await expect.poll(() => recorded(action, actor), { message: path }).toBe(before + records);

    const { path: at, ...content } = other;
    const refused = await post('one', content, at);
    expect([refused.status, refused.body.reason], path).toEqual([422, 'idempotency-key-reused']);
    for (const malformed of ['', 'é', 'x'.repeat(65)]) {
      expect((await post(malformed)).body.errors, path).toMatchObject([{ path: 'Idempotency-Key' }]);
    }
    const another = await post('two');
    expect(ids.has(idOf(client.expectStatus(another, responses[0]?.status ?? 0)) as string), path).toBe(false);
    expect(ids.has(idOf((await post('one')).body) as string), path).toBe(true);
    await expect.poll(() => recorded(action, actor), { message: path }).toBe(before + 2 * records);
  }
});
