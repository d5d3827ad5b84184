import { randomUUID } from 'node:crypto';
import { audited } from '@husky/contracts/events';
import { housePlayers } from '@husky/contracts/house-user';
import { sql } from '@husky/runtime/database/sql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeMatches } from '../src/challenges/make-matches.ts';
import { workOnChallenges } from '../src/challenges/work/work-on-challenges.ts';
import { deleteUser } from '../src/events/user-changed.ts';
import { storeParticipants } from '../src/ladder/store/versions.ts';
import { admin, startService, type TestService, user } from './start-service.ts';

let service: TestService;
const [ann, bob, cem, dan] = Array.from({ length: 4 }, () => user()) as [User, User, User, User];
type User = ReturnType<typeof user>;
const day = 24 * 3_600_000;

beforeEach(async () => {
  service = await startService();
  for (const { id } of [ann, bob, cem, dan]) service.doubles.finals.set(id, randomUUID());
});
afterEach(() => service.stop());

const send = (opponents: readonly User[], more: object = {}, caller = ann) =>
  service.gateway.createChallenge(
    { opponentIds: opponents.map(({ id }) => id), format: 'classic', numRounds: 20, ...more },
    { caller },
  );
const answer = (challengeId: string, caller: User, accepts = true) =>
  service.gateway.answerChallenge({ challengeId, accepts }, { caller });
const choose = (caller: User, choice: string) => service.gateway.setChallengeChoice({ choice }, { caller });
const read = async (caller: User) => (await service.gateway.listChallenges({}, { caller })).challenges;
const work = () => workOnChallenges(service.context);
const actions = async () => {
  const { rows } = await service.database.admin.query<{ payload: Buffer }>(
    sql`SELECT payload FROM emitted WHERE subject = ${audited('simulation').subject} ORDER BY id`,
  );
  return rows.map((row) => audited('simulation').decode(row.payload).action);
};

test('plays a set at once when nobody wants to be asked, house bots in the other seats', async () => {
  const made = await send([bob, cem], { format: 'set' });
  expect(made).toMatchObject({ state: 'queued', reason: '', fill: 'house', publishedAt: '' });
  expect(made.players.map(({ userId, role, answer: given }) => [userId, role, given])).toEqual([
    [ann.id, 'challenger', 'accepted'],
    [bob.id, 'opponent', 'accepted'],
    [cem.id, 'opponent', 'accepted'],
  ]);
  expect(made.jobIds).toHaveLength(6);
  const { rows } = await service.pool.query(
    sql`SELECT count(DISTINCT plan_hash)::int AS plans, count(DISTINCT deal_set_id)::int AS deals, bool_and(owner_id = ${ann.id}) AS own,
          bool_and(kind = 'MATCH' AND stacks = 'reset' AND num_rounds = 20 AND commitment_number IS NOT NULL) AS fine,
          (SELECT count(*)::int FROM pin_intents) AS intents FROM jobs`,
  );
  expect(rows).toEqual([{ plans: 1, deals: 1, own: true, fine: true, intents: 0 }]);
  const job = await service.gateway.getJob({ jobId: made.jobIds[0] }, { caller: bob });
  expect(job).toMatchObject({ challengeId: made.id, mode: 'duplicate', ownerId: ann.id });
  expect(job.playerIds.filter((id) => housePlayers.has(id))).toHaveLength(3);
  for (const reader of [ann, bob, cem]) expect(await read(reader)).toEqual([made]);
  expect(await read(dan)).toEqual([]);
  // A match of a challenge is never in front of a test run.
  const run = await service.newRun(dan);
  const first = await service.mustClaim();
  expect(first.jobId).toBe(run);
  await service.accept(first);
  for (const _ of made.jobIds) await service.accept(await service.mustClaim());
  expect(await read(bob)).toMatchObject([{ state: 'finished' }]);
});

test('asks who wants to be asked, and makes the matches once however many answer at once', async () => {
  for (const one of [bob, cem, dan]) await choose(one, 'ask');
  const { id } = await send([bob, cem, dan]);
  expect(await read(bob)).toMatchObject([{ state: 'waiting', jobIds: [] }]);
  const all = await Promise.all([bob, cem, dan].map((one) => answer(id, one)));
  await Promise.all([work(), work(), makeMatches(service.context, id)]);
  expect(all.some(({ state }) => state === 'queued')).toBe(true);
  expect(await read(ann)).toMatchObject([{ state: 'queued', jobIds: [expect.any(String)] }]);
  expect((await service.pool.query(sql`SELECT FROM jobs`)).rowCount).toBe(1);
  expect(await actions()).toEqual([
    'challenge.created',
    ...Array.from({ length: 3 }, () => 'challenge.accepted'),
    'challenge.made',
  ]);
  expect(await service.gateway.getChallengeChoice({}, { caller: bob })).toEqual({ choice: 'ask' });
  await choose(bob, 'accept');
  expect(await send([bob])).toMatchObject({ state: 'queued' });
});

test.each<[string, (id: string) => Promise<unknown>, string, string]>([
  ['a player declines', (id) => answer(id, bob, false), 'declined', 'A player has declined.'],
  ['it is withdrawn', (id) => answer(id, ann, false), 'declined', 'The challenger has withdrawn it.'],
  ['a day passes', async () => service.clock.advance(day), 'expired', 'Not everybody has answered within 24 hours.'],
  [
    'a final mark is gone',
    async () => service.doubles.finals.delete(bob.id),
    'ended',
    'A player has no final submission any more.',
  ],
  ['an account is deleted', () => deleteUser(service.context, cem.id), 'ended', 'A player has deleted their account.'],
])('ends when %s', async (_, happens, state, reason) => {
  await choose(bob, 'ask');
  const { id } = await send([bob, cem]);
  await happens(id);
  await work();
  expect(await read(bob)).toMatchObject([{ state, reason, jobIds: [] }]);
  const over = state === 'expired' ? 'This challenge has expired.' : /is over|already/;
  await expect(answer(id, bob)).rejects.toThrow(over);
  expect((await service.pool.query(sql`SELECT FROM jobs`)).rowCount).toBe(0);
});

test.each([
  ['withoutFinal', 'A player has no final submission any more.'],
  ['unverified', 'A player is not verified any more.'],
] as const)('ends with the reason when somebody is %s only at the last moment', async (set, reason) => {
  await choose(bob, 'ask');
  const { id } = await send([bob]);
  service.doubles[set].add(ann.id);
  expect(await answer(id, bob)).toMatchObject({ state: 'ended', reason });
});

test('refuses what nobody may ask or answer', async () => {
  await choose(bob, 'ask');
  await choose(dan, 'never');
  const paused = { userId: cem.id, submissionId: randomUUID(), botHash: 'b' };
  await storeParticipants(service.pool, [paused], service.clock.now());
  await service.pool.query(sql`UPDATE ladder_versions SET paused_at = now()`);
  const [nobody, newcomer, unverified] = [user(), user(), user()];
  service.doubles.finals.set(unverified.id, randomUUID());
  service.doubles.unverified.add(unverified.id);
  const house = user([...housePlayers.keys()][0]);
  const refused: readonly [() => Promise<unknown>, string, string][] = [
    [() => send([ann]), 'INVALID_ARGUMENT', 'You cannot challenge yourself.'],
    [() => send([bob, bob]), 'INVALID_ARGUMENT', 'A player can be challenged only once at a table.'],
    [() => send([]), 'INVALID_ARGUMENT', 'A challenge goes to one to 5 players.'],
    [() => send([bob, bob, bob, bob, bob, bob]), 'INVALID_ARGUMENT', 'A challenge goes to one to 5 players.'],
    [() => send([house]), 'INVALID_ARGUMENT', 'House bots cannot be challenged; they fill the seats that remain.'],
    [() => send([bob], { format: 'duel' }), 'INVALID_ARGUMENT', "The format is 'set' or 'classic'."],
    [() => send([bob], { fill: 'friends' }), 'INVALID_ARGUMENT', "Seats are filled with 'house' or 'neighbours'."],
    [() => send([bob], { numRounds: 1001 }), 'INVALID_ARGUMENT', 'A match has 1 to 1,000 hands.'],
    [() => send([bob], { format: 'set', numRounds: 201 }), 'INVALID_ARGUMENT', 'A rotation has 1 to 200 hands.'],
    [() => send([dan]), 'FAILED_PRECONDITION', `name-${dan.id.slice(0, 4)} takes no challenges.`],
    [() => send([newcomer]), 'FAILED_PRECONDITION', `name-${newcomer.id.slice(0, 4)} has no final submission.`],
    [() => send([unverified]), 'FAILED_PRECONDITION', `name-${unverified.id.slice(0, 4)} has no final submission.`],
    [
      () => send([cem]),
      'FAILED_PRECONDITION',
      `The bot of name-${cem.id.slice(0, 4)} is paused on the ladder because it fails.`,
    ],
    [() => send([bob], {}, nobody), 'FAILED_PRECONDITION', 'You have no final submission.'],
    [() => send([bob], {}, user(ann.id, { verified: false })), 'PERMISSION_DENIED', 'Please verify your account first'],
    [() => choose(ann, 'sometimes'), 'INVALID_ARGUMENT', 'A choice is one of accept, ask, never.'],
    [() => answer('nothing', bob), 'NOT_FOUND', 'Challenge not found'],
  ];
  for (const [call, code, message] of refused) await expect(call()).rejects.toMatchObject({ code, message });

  const { id } = await send([bob]);
  const frozen = 'New matches are frozen by the organisers.';
  for (const [call, message] of [
    [() => answer(id, dan), 'Challenge not found'],
    [() => answer(id, ann), 'You have sent this challenge; your opponents answer.'],
    [() => service.gateway.publishChallenge({ challengeId: id }, { caller: dan }), 'Challenge not found'],
    [() => service.gateway.publishChallenge({ challengeId: id }, { caller: bob }), 'This challenge has no matches.'],
  ] as const) {
    await expect(call()).rejects.toThrow(message);
  }
  await service.gateway.updateSettings({ frozen: true }, { caller: admin });
  await expect(send([bob])).rejects.toThrow(frozen);
  await expect(answer(id, bob)).rejects.toThrow(frozen);
  await service.gateway.updateSettings({ frozen: false }, { caller: admin });
  await answer(id, bob);
  await expect(answer(id, bob)).rejects.toThrow('You have accepted this challenge already.');
});

test('counts the challenges of 24 hours against the quota of the event or the user, however many come at once', async () => {
  await service.gateway.updateSettings({ maxChallengesADay: 2 }, { caller: admin });
  await choose(bob, 'ask');
  const sent = await Promise.allSettled(Array.from({ length: 8 }, () => send([bob])));
  expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  await expect(send([bob])).rejects.toMatchObject({
    code: 'RESOURCE_EXHAUSTED',
    message: expect.stringMatching(
      /^You have sent all of your 2 challenges of 24 hours\. The next one can be sent at /,
    ),
  });
  service.clock.advance(day);
  await send([bob]);
  await service.gateway.setUserQuota({ userId: ann.id, own: { maxChallengesADay: 0 } }, { caller: admin });
  await expect(send([bob])).rejects.toThrow('The organisers allow you no challenges at present.');
});

test('makes the matches public when they have ended and all players have agreed, or an admin', async () => {
  const publish = (challengeId: string, caller: User) => service.gateway.publishChallenge({ challengeId }, { caller });
  const { id, jobIds } = await send([bob]);
  await publish(id, ann);
  await publish(id, bob);
  await work();
  expect(service.doubles.publicJobs.size).toBe(0);
  await service.accept(await service.mustClaim());
  service.clock.advance(1000);
  const other = await send([bob]);
  await publish(other.id, bob);
  await service.accept(await service.mustClaim());
  await work();
  expect([...service.doubles.publicJobs]).toEqual(jobIds);
  expect((await read(ann)).map(({ publishedAt }) => publishedAt !== '')).toEqual([false, true]);
  await publish(other.id, admin);
  await work();
  expect([...service.doubles.publicJobs]).toEqual([...jobIds, ...other.jobIds]);
});

test("fills seats with the challenger's neighbours on the ladder who accept all challenges", async () => {
  const { finals } = await service.context.submission.listFinals({});
  await storeParticipants(service.pool, finals, service.clock.now());
  await choose(cem, 'ask');
  const { jobIds, players } = await send([bob], { fill: 'neighbours' });
  expect(players.map(({ userId, role }) => [userId, role])).toEqual([
    [ann.id, 'challenger'],
    [bob.id, 'opponent'],
    [dan.id, 'fill'],
  ]);
  const { playerIds } = await service.read(jobIds[0] ?? '');
  expect(playerIds.slice(0, 3)).toEqual([ann.id, bob.id, dan.id]);
});
