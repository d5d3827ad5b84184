// Two admins change the same thing concurrently through the gateway: there is one resulting state, the refused admin gets the
// reason, and the audit log has exactly the accepted changes.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Body, ended, expectStatus, get, post, registerVerified, remove, uniqueName } from './client.ts';
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
let bob: Person;
let players: Person[];

beforeAll(async () => {
  admins = await TwoAdmins.begin();
  ({ root, ann, bob } = admins);
  players = await newPlayers();
});
afterAll(() => admins.end());

async function startMatch(hands: number): Promise<string> {
  const users_list = players.map(({ username }) => username);
  return expectStatus(await post('/sim/async_run_user', { users_list, num_rounds: hands }, root), 200).job_id;
}

async function finishedMatch(hands = 6): Promise<string> {
  const job = await startMatch(hands);
  expect((await ended(job, root)).job_status).toBe('Finished');
  return job;
}

const rolesOf = async (username: string): Promise<Body> =>
  expectStatus(await get(`/admin/users?q=${username}`, root), 200)[0];

async function statusOf(job: string): Promise<string> {
  return expectStatus(await get(`/sim/status/${job}`, root), 200).job_status;
}

test('changes a role of a user once when both admins set it, and refuses the second because it is already set', async () => {
  const { username } = await registerVerified(uniqueName('toggled'));
  const granted = await admins.callBoth((token) => post(`/admin/toggle-admin/${username}`, { admin: true }, token));
  expect(expectOneAccepted(granted, 409)).toEqual({
    accepted: { admin: true },
    detail: `${username} is an admin already`,
  });
  const revoked = await admins.callBoth((token) => post(`/admin/toggle-admin/${username}`, { admin: false }, token));
  expect(expectOneAccepted(revoked, 409)).toEqual({
    accepted: { admin: false },
    detail: `${username} is not an admin any more`,
  });
  const unverified = await admins.callBoth((token) =>
    post(`/admin/verify-user/${username}`, { is_verified: false }, token),
  );
  expect(expectOneAccepted(unverified, 409).detail).toBe(`${username} is not verified any more`);
  const verified = await admins.callBoth((token) =>
    post(`/admin/verify-user/${username}`, { is_verified: true }, token),
  );
  expect(expectOneAccepted(verified, 409).detail).toBe(`${username} is verified already`);
  expect(await rolesOf(username)).toMatchObject({ admin: false, is_verified: true });
  // Without a desired state in the request, both calls toggle it, one after the other.
  const toggled = await admins.callBoth((token) => post(`/admin/verify-user/${username}`, undefined, token));
  expect(toggled.map((response) => expectStatus(response, 200).is_verified).sort()).toEqual([false, true]);
  const verifications = Array.from({ length: 5 }, () => 'user.verification_changed');
  await admins.expectAudited(username, ['user.registered', 'user.role_changed', 'user.role_changed', ...verifications]);
});

test('keeps one admin when each revokes the role of the other, and refuses the second call', async () => {
  const responses = await Promise.all([
    post(`/admin/toggle-admin/${bob.username}`, { admin: false }, ann.token),
    post(`/admin/toggle-admin/${ann.username}`, { admin: false }, bob.token),
  ]);
  expect(expectOneAccepted(responses, 403).detail).toBe('Admin privileges are required');
  const roles = await Promise.all([rolesOf(ann.username), rolesOf(bob.username)]);
  expect(roles.map(({ admin }) => admin).sort()).toEqual([false, true]);
  const former = roles[0].admin ? bob : ann;
  expectStatus(await post(`/admin/toggle-admin/${former.username}`, { admin: true }, root), 200);
  await vi.waitFor(async () => expectStatus(await get('/admin/user-count', former.token), 200), 10_000);
  await admins.expectAudited(former.username, [
    'user.registered',
    'user.verification_changed',
    'user.role_changed',
    'user.role_changed',
    'user.role_changed',
  ]);
});

test('deletes a user once when both admins do, or when one of them grants the user the admin role', async () => {
  const [twice, promoted] = [await registerVerified(uniqueName('twice')), await registerVerified(uniqueName('rising'))];
  const idOf = async (username: string) => {
    const { records } = expectStatus(await get(`/admin/audit?subject=${username}`, root), 200);
    return records[0].subject_id as string;
  };
  const ids = [await idOf(twice.username), await idOf(promoted.username)];
  const deleted = await admins.callBoth((token) => remove(`/admin/user/${twice.username}`, token));
  expect(expectOneAccepted(deleted, 404).detail).toBe('User not found');
  const [grant, removal] = await admins.callBoth(
    (token) => post(`/admin/toggle-admin/${promoted.username}`, { admin: true }, token),
    (token) => remove(`/admin/user/${promoted.username}`, token),
  );
  expectStatus(removal, 200);
  expect([200, 404]).toContain(grant.status);
  for (const { token } of [twice, promoted]) {
    await vi.waitFor(async () => expectStatus(await get('/auth/whoami', token), 401), 10_000);
  }
  const before = ['user.registered', 'user.verification_changed'];
  await admins.expectAudited(ids[0] ?? '', [...before, 'user.deleted']);
  await admins.expectAudited(ids[1] ?? '', [
    ...before,
    'user.deleted',
    ...(grant.status === 200 ? ['user.role_changed'] : []),
  ]);
});

test('counts a match once or not at all on the 2025 leaderboard under concurrent additions and removals', async () => {
  const job = await finishedMatch();
  const { result_data: results } = expectStatus(await get(`/sim/status/${job}`, root), 200);
  const zero = await admins.scores('2025');
  const add: Call = (token) => post(`/admin/process-tournament-2025-job/${job}`, undefined, token);
  const take: Call = (token) => post(`/admin/delete-tournament-2025-job/${job}`, undefined, token);
  const counts = async () => {
    const { tournaments_2025_added } = expectStatus(await get(`/admin/2025-job-status/${job}`, root), 200);
    const now = await admins.scores('2025');
    for (const { username } of players) {
      const won = tournaments_2025_added ? results[username] : 0;
      expect((now.get(username) ?? 0) - (zero.get(username) ?? 0), username).toBeCloseTo(won, 6);
    }
    return tournaments_2025_added as boolean;
  };
  const log = ['job.created'];
  expect(expectOneAccepted(await admins.callBoth(add), 400).detail).toBe('This job is already on the 2025 leaderboard');
  log.push('job.added_to_2025');
  expect(await counts()).toBe(true);
  for (let round = 0; round < 4; round++) {
    const was = await counts();
    const [added, taken] = await admins.callBoth(add, take);
    if (added.status === 200) log.push('job.added_to_2025');
    if (taken.status === 200) log.push('job.removed_from_2025');
    // A refused admin gets a reason; without a refusal the calls were served one after the other.
    expect([added.status, taken.status]).toContain(200);
    expect(await counts()).toBe(
      was ? taken.status !== 200 || added.status === 200 : added.status === 200 && taken.status !== 200,
    );
  }
  if (!(await counts())) {
    expectStatus(await add(ann.token), 200);
    log.push('job.added_to_2025');
  }
  expect(expectOneAccepted(await admins.callBoth(take), 400).detail).toBe('This job is not on the 2025 leaderboard');
  log.push('job.removed_from_2025');
  expect(await counts()).toBe(false);
  await admins.expectAudited(job, log);
});

test('either deletes a match, or publishes it or adds it to 2025, when both are requested concurrently, and refuses the other call with the reason', async () => {
  for (let round = 0; round < 3; round++) {
    const job = await finishedMatch();
    const [added, deleted] = await admins.callBoth(
      (token) => post(`/admin/process-tournament-2025-job/${job}`, undefined, token),
      (token) => remove(`/sim/job/${job}`, token),
    );
    const log = ['job.created'];
    if (deleted.status === 200) {
      expect(expectRefused(added, 400, 404)).toMatch(/^(Job not found|Only a finished job)/);
      expect((await get(`/sim/status/${job}`, root)).status).toBe(404);
      log.push('job.deleted');
    } else {
      expect(expectRefused(deleted, 409)).toBe('This job is on a leaderboard. Remove it there first.');
      expectStatus(added, 200);
      expectStatus(await post(`/admin/delete-tournament-2025-job/${job}`, undefined, root), 200);
      expect(expectOneAccepted(await admins.callBoth((token) => remove(`/sim/job/${job}`, token)), 404).detail).toMatch(
        /^Job not found/,
      );
      log.push('job.added_to_2025', 'job.removed_from_2025', 'job.deleted');
    }
    await admins.expectAudited(job, log);
  }
  const running = await startMatch(5000);
  await vi.waitFor(async () => expect(await statusOf(running)).toBe('Running'), { timeout: 60_000, interval: 50 });
  const [published, removed] = await admins.callBoth(
    (token) => post(`/admin/toggle-job-public/${running}`, { is_public: true }, token),
    (token) => remove(`/sim/job/${running}`, token),
  );
  expectStatus(removed, 200);
  const shown = published.status === 200;
  if (!shown) expect(expectRefused(published, 404)).toMatch(/^Job not found/);
  expect((await get(`/sim/status/${running}`, root)).status).toBe(404);
  await vi.waitFor(async () => expect((await get(`/live/job/${running}/games`)).status).toBe(404), 15_000);
  await admins.expectAudited(running, ['job.created', 'job.deleted', ...(shown ? ['job.visibility_changed'] : [])]);
});

test('publishes a match once when both admins do, and refuses the second because it is public already', async () => {
  const job = await finishedMatch();
  const publish: Call = (token) => post(`/admin/toggle-job-public/${job}`, { is_public: true }, token);
  expect(expectOneAccepted(await admins.callBoth(publish), 409).detail).toBe('This match is public already.');
  expectStatus(await get(`/live/job/${job}/games`), 200);
  await admins.expectAudited(job, ['job.created', 'job.visibility_changed']);
});

test('keeps the results of the other players when a player is deleted during the match or its addition to 2025', async () => {
  const job = await startMatch(300);
  const [victim, ...others] = players;
  if (!victim) throw new Error('nobody plays');
  await vi.waitFor(async () => expect(await statusOf(job)).not.toBe('Pending'), { timeout: 60_000, interval: 20 });
  const deleted = await admins.callBoth((token) => remove(`/admin/user/${victim.username}`, token));
  expect(expectOneAccepted(deleted, 404).detail).toBe('User not found');
  const status = await ended(job, root);
  expect(status.job_status).toBe('Finished');
  expect(Object.keys(status.result_data)).toHaveLength(6);
  expect(Object.keys(status.result_data)).not.toContain(victim.username);
  const before = await admins.scores('2025');
  expectStatus(await post(`/admin/process-tournament-2025-job/${job}`, undefined, ann.token), 200);
  const after = await admins.scores('2025');
  for (const { username } of others) {
    expect((after.get(username) ?? 0) - (before.get(username) ?? 0)).toBeCloseTo(status.result_data[username], 6);
  }
  const played = new Set(others.map(({ username }) => username));
  for (const name of Object.keys(status.result_data)) expect(after.has(name), name).toBe(played.has(name));
  const next = await newPlayer();
  players = [...others, next];
  const second = await finishedMatch();
  const [removed, added] = await admins.callBoth(
    (token) => remove(`/admin/user/${next.username}`, token),
    (token) => post(`/admin/process-tournament-2025-job/${second}`, undefined, token),
  );
  expectStatus(removed, 200);
  expectStatus(added, 200);
  await vi.waitFor(async () => expect((await admins.scores('2025')).has(next.username)).toBe(false), 15_000);
  for (const id of [job, second])
    expectStatus(await post(`/admin/delete-tournament-2025-job/${id}`, undefined, root), 200);
  players = [...others, await newPlayer()];
});

test('removes an entry of the leaderboard once when both admins do, and returns not found to the second', async () => {
  const { entry } = expectStatus(await post('/leaderboard/add', { score: 12.5, tag: uniqueName('tag') }, root), 201);
  const removed = await admins.callBoth((token) => remove(`/leaderboard/remove/${entry.id}`, token));
  expect(expectOneAccepted(removed, 404).detail).toBe('Leaderboard entry not found');
  await admins.expectAudited(entry.id, ['entry.added', 'entry.removed']);
});

test('the audit log has exactly the accepted changes of all tests above', () => admins.recheckAudit());
