import { inject, vi } from 'vitest';
import * as client from './client.ts';
import { expiredToken, forgedTokens } from './forged-tokens.ts';

/** Kinds of callers. `nobody`: no valid token. */
export type CallerKind = 'nobody' | 'unverified' | 'verified' | 'admin';

export interface Visitor {
  readonly name: string;
  readonly kind: CallerKind;
  readonly token: string | undefined;
}

export interface AccessWorld {
  readonly visitors: readonly Visitor[];
  /** Ids of the owner's private resources. */
  readonly resources: Readonly<Record<'job' | 'game' | 'submission' | 'file' | 'session' | 'username', string>>;
  /** Reads everything that a refused call could have changed. */
  state(): Promise<client.Body>;
}

async function waitUntilInvalid(token: string): Promise<void> {
  await vi.waitFor(async () => client.expectStatus(await client.get('/auth/whoami', token), 401), {
    timeout: 5000,
    interval: 50,
  });
}

/** Creates the callers of every kind, and private resources of the owner. */
export async function buildAccessWorld(): Promise<AccessWorld> {
  const admin = await client.adminToken();
  const [owner, other, deleted, demoted, unverified] = await Promise.all([
    client.registerVerified(client.uniqueName('owner')),
    client.registerVerified(client.uniqueName('other')),
    client.registerVerified(client.uniqueName('deleted')),
    client.registerVerified(client.uniqueName('demoted')),
    client.register(client.uniqueName('unverified')),
  ]);
  const revoked = client.expectStatus(
    await client.post('/auth/login', { username: owner.username, password: owner.password }),
    200,
  );
  client.expectStatus(await client.post('/auth/logout', undefined, revoked.access_token), 200);
  for (const expected of [true, false]) {
    const response = await client.post(`/admin/toggle-admin/${demoted.username}`, undefined, admin);
    if (client.expectStatus(response, 200).admin !== expected) throw new Error('the role was not changed');
    const seen = expected ? 200 : 403;
    await vi.waitFor(async () => client.expectStatus(await client.get('/admin/user-count', demoted.token), seen), {
      timeout: 5000,
    });
  }
  client.expectStatus(await client.remove(`/admin/user/${deleted.username}`, admin), 200);
  await Promise.all([waitUntilInvalid(deleted.token), waitUntilInvalid(revoked.access_token)]);

  const submission = await client.submitFinal(owner.token, 'calling-station');
  await client.tested(owner.token);
  const { player_file } = client.expectStatus(await client.get(`/submission/files/${submission}`, owner.token), 200);
  const form = client.uploadForm(client.testRunFields, client.botFiles('calling-station').player);
  const { job_id } = client.expectStatus(
    await client.call('POST', '/sim/async_run', { form, token: owner.token }),
    200,
  );
  const status = await client.ended(job_id, owner.token);
  if (status.job_status !== 'Finished') throw new Error(`the owner's test run failed: ${status.error}`);
  const { games } = client.expectStatus(await client.get(`/live/job/${job_id}/games`, owner.token), 200);
  const { sessions } = client.expectStatus(await client.get('/auth/sessions', owner.token), 200);

  const nobody = (name: string, token?: string): Visitor => ({ name, kind: 'nobody', token });
  const forged = await forgedTokens(admin, other.token);
  const expired = await expiredToken(admin, inject('platform').dataDir, client.signInAdmin);
  return {
    visitors: [
      nobody('anonymous'),
      { name: 'unverified', kind: 'unverified', token: unverified.token },
      { name: 'owner', kind: 'verified', token: owner.token },
      { name: 'other user', kind: 'verified', token: other.token },
      { name: 'demoted admin', kind: 'verified', token: demoted.token },
      { name: 'admin', kind: 'admin', token: admin },
      nobody('deleted user', deleted.token),
      nobody('revoked token', revoked.access_token),
      nobody('expired token of an admin', expired),
      ...Object.entries(forged).map(([how, token]) => nobody(`forged: ${how}`, token)),
    ],
    resources: {
      job: job_id,
      game: games[0].game_id,
      submission,
      file: player_file,
      session: sessions[0].id,
      username: owner.username,
    },
    async state() {
      const own = ['/profile', '/submission/list', '/sim/status/all', '/auth/sessions', `/live/job/${job_id}/games`];
      const responses = await Promise.all([
        ...own.map((path) => client.get(path, owner.token)),
        ...[owner, other, demoted, unverified].map((user) => client.get(`/admin/users?q=${user.username}`, admin)),
      ]);
      return responses.map((response) => client.expectStatus(response, 200));
    },
  };
}
