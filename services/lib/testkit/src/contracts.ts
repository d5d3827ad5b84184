import { createHash, randomUUID } from 'node:crypto';
import type { submissionService } from '@husky/contracts/services';
import type { AuthServiceDefinition } from '@husky/contracts/types/auth/v1/AuthService';
import type { LiveDataServiceDefinition } from '@husky/contracts/types/live/v1/LiveDataService';
import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import type { SubmissionServiceDefinition } from '@husky/contracts/types/submission/v1/SubmissionService';
import type { ClientOf, RpcClient, RpcOptions } from '@husky/runtime/rpc/grpc-client';
import { expect } from 'vitest';
import { testIdentities } from './servers.ts';

type Bots = Pick<ClientOf<typeof submissionService>, 'fetchBot' | 'fetchPackages'>;

const unknownHash = 'f'.repeat(64);

/**
 * Asserts the behaviour of submission on which runners rely: a lease that names a bot or a package archive may read all of its bytes,
 * and an unknown one is NOT_FOUND. Used with submission itself and with the runner's double of it.
 */
export async function expectBotsContract(
  submission: Bots,
  known: {
    readonly bot: { readonly hash: string; readonly player: Buffer };
    readonly packages: { readonly hash: string; readonly archive: Buffer };
  },
): Promise<void> {
  const reads = [known.bot.hash, known.packages.hash, unknownHash];
  const lease = { kind: 'lease', jobId: randomUUID(), attempt: 1, runner: 'contract', reads } as const;
  const token = await testIdentities().signerOf('simulation').sign(['submission'], lease, 60);
  const archiveOf = async (packagesHash: string) => {
    const parts: Buffer[] = [];
    for await (const { data } of submission.fetchPackages({ packagesHash }, { token })) parts.push(data);
    return Buffer.concat(parts);
  };
  const { playerFile, requirementsFile } = await submission.fetchBot({ botHash: known.bot.hash }, { token });
  expect([playerFile.equals(known.bot.player), requirementsFile.length]).toEqual([true, 0]);
  expect((await archiveOf(known.packages.hash)).equals(known.packages.archive)).toBe(true);
  await expect(submission.fetchBot({ botHash: unknownHash }, { token })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    reason: 'bot-not-found',
  });
  await expect(archiveOf(unknownHash)).rejects.toMatchObject({ code: 'NOT_FOUND', reason: 'packages-not-found' });
}

/** Jobs and a batch that exist at the service under test. */
export interface HoldsFixture {
  readonly finishedJobId: string;
  readonly unfinishedJobId: string;
  readonly batchId: string;
  readonly totalJobs: number;
  /** Numbers of the batch's finished games, at least two. */
  readonly finishedGames: readonly number[];
}

type Holds = Pick<
  RpcClient<SimulationServiceDefinition>,
  'holdJob' | 'releaseJob' | 'holdBatch' | 'releaseBatch' | 'listBatchResults'
>;

/**
 * Asserts the behaviour of simulation on which leaderboard relies: holds are idempotent and only for finished jobs, and a batch's
 * results are paged by game number. Used with simulation itself and with leaderboard's double of it.
 */
export async function expectHoldsContract(simulation: Holds, fixture: HoldsFixture): Promise<void> {
  const { finishedJobId: jobId, unfinishedJobId, batchId, totalJobs, finishedGames } = fixture;
  for (const unknown of [randomUUID(), 'no id', '']) {
    const noJob = { code: 'NOT_FOUND', reason: 'job-not-found' };
    await expect(simulation.holdJob({ jobId: unknown })).rejects.toMatchObject(noJob);
    await expect(simulation.releaseJob({ jobId: unknown })).rejects.toMatchObject(noJob);
    const noBatch = { code: 'NOT_FOUND', reason: 'batch-not-found' };
    await expect(simulation.holdBatch({ batchId: unknown })).rejects.toMatchObject(noBatch);
    await expect(simulation.releaseBatch({ batchId: unknown })).rejects.toMatchObject(noBatch);
    await expect(simulation.listBatchResults({ batchId: unknown })).rejects.toMatchObject(noBatch);
  }
  await expect(simulation.holdJob({ jobId: unfinishedJobId })).rejects.toMatchObject({
    code: 'FAILED_PRECONDITION',
    reason: 'job-not-finished',
  });

  for (const held of [true, true, false, false]) {
    const job = await (held ? simulation.holdJob({ jobId }) : simulation.releaseJob({ jobId }));
    expect(job).toMatchObject({ id: jobId, status: 'FINISHED', held });
    expect(job.results.map(({ userId }) => userId)).not.toContain('');
  }
  const finishedJobs = finishedGames.length;
  for (const held of [true, true, false, false]) {
    const hold = await (held ? simulation.holdBatch({ batchId }) : simulation.releaseBatch({ batchId }));
    expect(hold).toEqual({ batchId, held, totalJobs, finishedJobs, traceparent: expect.any(String) });
  }

  const counts = { totalJobs, finishedJobs, deletedJobs: 0 };
  expect(await simulation.listBatchResults({ batchId, limit: 0 })).toEqual({ games: [], ...counts });
  let afterGame = 0;
  for (const gameNumber of finishedGames) {
    const page = await simulation.listBatchResults({ batchId, afterGame, limit: 1 });
    expect(page).toMatchObject({ games: [{ gameNumber, jobId: expect.stringMatching(/./) }], ...counts });
    expect(page.games[0]?.results.length).toBeGreaterThan(0);
    afterGame = gameNumber;
  }
  expect((await simulation.listBatchResults({ batchId, afterGame, limit: 1 })).games).toEqual([]);
}

type MatchAccess = Pick<RpcClient<LiveDataServiceDefinition>, 'getMatchAccess' | 'listPublicBatches' | 'purgeMatch'>;

/**
 * Asserts the behaviour of live-data on which simulation relies: it may read every match, unknown batches are private, and a purge is
 * idempotent. Used with live-data itself and with simulation's double of it, with simulation's identity.
 */
export async function expectMatchAccessContract(
  liveData: MatchAccess,
  known: {
    readonly publicJobId: string;
    readonly privateJobId: string;
    readonly publicBatchId: string;
    readonly privateBatchId: string;
  },
): Promise<void> {
  const { publicJobId, privateJobId, publicBatchId, privateBatchId } = known;
  for (const [jobId, isPublic] of [[publicJobId, true] as const, [privateJobId, false] as const]) {
    expect(await liveData.getMatchAccess({ jobId })).toMatchObject({ jobId, isPublic, canRead: true });
  }
  const batchIds = [privateBatchId, publicBatchId, randomUUID()];
  expect(await liveData.listPublicBatches({ batchIds })).toEqual({ batchIds: [publicBatchId] });
  expect(await liveData.listPublicBatches({ batchIds: [] })).toEqual({ batchIds: [] });
  for (const jobId of [privateJobId, privateJobId, randomUUID()]) {
    expect((await liveData.purgeMatch({ jobId })).hands).toBeTypeOf('number');
  }
}

type Names = Pick<RpcClient<AuthServiceDefinition>, 'getNames'>;

/**
 * Asserts the behaviour of auth on which simulation relies: GetNames returns each known id once with its name, in any order, and omits
 * malformed ids. Used with auth itself and with simulation's double of it.
 */
export async function expectNamesContract(
  auth: Names,
  users: readonly { readonly id: string; readonly username: string }[],
  options?: RpcOptions,
): Promise<void> {
  const ids = users.map(({ id }) => id);
  const { names } = await auth.getNames({ ids: [...ids, ...ids, 'no id'] }, options);
  const found = names.map(({ id, username }) => ({ id, username }));
  expect(found).toHaveLength(users.length);
  expect(found).toEqual(expect.arrayContaining([...users]));
  expect(await auth.getNames({ ids: [] }, options)).toEqual({ names: [] });
}

type Pins = Pick<
  RpcClient<SubmissionServiceDefinition>,
  'stageBot' | 'pinHouse' | 'pinUpload' | 'pinFinals' | 'preparePackages' | 'releasePins'
>;

export interface PinnedUsers {
  /** Users with a final submission without requirements. */
  readonly withFinal: readonly string[];
  readonly withoutFinal: string;
  /** A ready submission, and its user. */
  readonly upload: { readonly submissionId: string; readonly userId: string };
  /** A player.py that submission accepts. */
  readonly player: string;
}

const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
const noRequirements = createHash('sha256').digest('hex');

/**
 * Asserts the behaviour of submission on which simulation relies: pins have the hashes of the bot's files, finals are pinned in the order
 * of the request, all or none, and pins are released idempotently. Used with submission itself and with simulation's double of it.
 */
export async function expectPinsContract(submission: Pins, { withFinal, withoutFinal, upload, player }: PinnedUsers) {
  const holderId = randomUUID();
  const userId = randomUUID();
  const files = { playerFile: Buffer.from(player), requirementsFile: Buffer.alloc(0) };
  const empty = { ...files, playerFile: Buffer.alloc(0) };
  await expect(submission.stageBot({ holderId, userId, files: empty })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    reason: 'bot-invalid',
  });
  const staged = await submission.stageBot({ holderId, userId, files });
  expect(staged).toEqual({ userId, botHash: sha256, requirementsHash: noRequirements, warnings: [], nonce: '' });
  expect(await submission.stageBot({ holderId: randomUUID(), userId, files })).toEqual(staged);
  const house = await submission.pinHouse({ holderId });
  expect(house).toMatchObject({ userId: '00000000-0000-8000-8000-000000000001', botHash: sha256 });
  expect(house.botHash).not.toBe(staged.botHash);
  const userId2 = '00000000-0000-8000-8000-000000000014';
  const filling = await submission.pinHouse({ holderId, userId: userId2 });
  expect(filling).toMatchObject({ userId: userId2, botHash: sha256 });
  expect(filling.botHash).not.toBe(house.botHash);

  const { submissionId } = upload;
  const { pin, uploadedAt } = await submission.pinUpload({ holderId, submissionId });
  expect(pin).toMatchObject({ userId: upload.userId, botHash: sha256, requirementsHash: noRequirements });
  expect(new Date(uploadedAt).toISOString()).toBe(uploadedAt);
  expect((await submission.pinUpload({ holderId, submissionId, userId: upload.userId })).pin).toEqual(pin);
  for (const request of [{ submissionId: holderId }, { submissionId, userId: randomUUID() }])
    await expect(submission.pinUpload({ holderId, ...request })).rejects.toMatchObject({ code: 'NOT_FOUND' });

  const missing = await submission.pinFinals({ holderId, userIds: [...withFinal, withoutFinal] });
  expect(missing).toEqual({ pins: [], missingUserIds: [withoutFinal] });
  const { pins, missingUserIds } = await submission.pinFinals({ holderId, userIds: [...withFinal] });
  expect([pins.map((pin) => pin.userId), missingUserIds]).toEqual([withFinal, []]);
  for (const pin of pins) expect(pin).toMatchObject({ botHash: sha256, requirementsHash: noRequirements });

  for (const botHash of [staged.botHash, house.botHash]) {
    expect(await submission.preparePackages({ botHash })).toEqual({ packagesHash: '' });
  }
  const unknown = submission.preparePackages({ botHash: '0'.repeat(64) });
  await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND', reason: 'bot-not-found' });
  for (const holder of [holderId, holderId, randomUUID()]) {
    expect(await submission.releasePins({ holderId: holder })).toEqual({});
  }
}

type Runners = Pick<RpcClient<SimulationServiceDefinition>, 'listRunners' | 'cordonRunners' | 'getBacklog'>;

/**
 * Asserts the behaviour of simulation on which pool relies: the response of CordonRunners shows the change, also of runners that
 * were not seen before, uncordoning an unseen runner does not list it, and the backlog counts the hands of queued matches. `idle`
 * is a runner without a match. Used with simulation itself and with pool's double of it.
 */
export async function expectRunnersContract(
  simulation: Runners,
  { idle, queued }: { readonly idle: string; readonly queued: { readonly jobs: number; readonly hands: number } },
): Promise<void> {
  const find = async (name: string, response = simulation.listRunners({})) =>
    (await response).runners.find((runner) => runner.name === name);
  const lastSeen = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(await find(idle)).toMatchObject({ state: 'IDLE', jobId: '', cordoned: false, lastSeen });
  const unseen = `unseen-${randomUUID()}`;
  // pool treats a listed runner as one that has requested work.
  expect(await find(unseen, simulation.cordonRunners({ names: [unseen], cordoned: false }))).toBeUndefined();
  for (const cordoned of [true, true, false]) {
    for (const name of [idle, unseen]) {
      const changed = await find(name, simulation.cordonRunners({ names: [name], cordoned }));
      expect(changed).toMatchObject({ state: 'IDLE', jobId: '', cordoned, lastSeen });
      expect(await find(name)).toMatchObject({ cordoned });
    }
  }

  const { classes } = await simulation.getBacklog({});
  const match = classes.find(({ kind }) => kind === 'MATCH');
  expect(match).toMatchObject({ queuedJobs: queued.jobs, queuedHands: queued.hands });
  expect(match?.measuredHands).toBeTypeOf('number');
  expect(match?.measuredSeconds).toBeTypeOf('number');
}
