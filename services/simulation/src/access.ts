import { houseUserId } from '@husky/contracts/house-user';
import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import {
  type AccessTable,
  admin,
  anyone,
  authorizeResource,
  isAdmin,
  lease,
  member,
  only,
  ownerOrAdmin,
  runner,
  signedIn,
  verified,
} from '@husky/runtime/rpc/access';
import type { Caller, UserCaller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { CallOf } from '@husky/runtime/rpc/grpc-server';
import { trialNotFound } from './trials/domain/trial.ts';

/** Who may make each call. `authorizeResource`: the second rule checks the resource that the handler has found. */
export const access = {
  getSettings: anyone,
  // Records contain only hashes and times.
  listCommitments: anyone,
  getSignedHead: anyone,
  // Counts, hashes and times only.
  countMatches: anyone,
  countRepetitions: anyone,
  getLadder: anyone,
  listTournaments: anyone,
  getTournament: anyone,
  // Of stages whose results are public.
  getTournamentDocument: anyone,
  listLadderSets: anyone,
  // Ids of matches are for the player and admins.
  getLadderPlayer: anyone,
  getJob: authorizeResource(anyone, readerOfJob),
  getSeed: authorizeResource(anyone, readerOfJob),
  // Of a batch: for whoever may see the batch, also by a match of it. Otherwise for readers of the match.
  getPlan: authorizeResource(anyone, readerOfPlan),
  // Public when the matches of the batch are. For an unknown batch everybody gets NOT_FOUND.
  getBatchMetadata: authorizeResource(anyone, readerOfBatch),

  createTestRun: verified,
  lastTestRuns: verified,
  getLadderPart: verified,
  setLadderPart: verified,
  // The handlers find the challenges of the caller only.
  createChallenge: verified,
  listChallenges: verified,
  answerChallenge: verified,
  publishChallenge: member,
  getChallengeChoice: verified,
  setChallengeChoice: verified,
  createTrial: verified,
  listTrials: verified,
  getTrial: authorizeResource(verified, ownerOfTrial),
  cancelTrial: authorizeResource(verified, ownerOfTrial),
  listJobs: ownListOrAdmin,
  // Not public: opponents would learn how often a user changes their bot.
  listBotVersions: userOrAdmin,
  deleteJob: authorizeResource(signedIn, ownerOrAdmin('job')),

  createTournament: admin,
  changeTournament: admin,
  actOnTournament: admin,
  deleteTournament: admin,
  createMatch: admin,
  requeueJob: admin,
  countJobs: admin,
  updateSettings: admin,
  changeSigningKey: admin,
  getUserQuota: admin,
  setUserQuota: admin,
  createBatch: admin,
  planBatch: admin,
  listBatches: admin,
  getBatch: admin,
  listBatchJobs: admin,
  pauseBatch: admin,
  resumeBatch: admin,
  cancelBatch: admin,
  retryBatch: admin,
  deleteBatch: admin,
  setBatchMetadata: admin,
  // The handler leaves out batches that the caller may not read.
  findBatch: anyone,
  // Numbers only: live-data owns which matches of a batch are public.
  listBatchNumbers: anyone,

  claimMatch: runner,
  claimRepetition: runner,
  // The change itself compares the lease with the current attempt (compare-and-set).
  heartbeat: lease,
  handBack: lease,
  reportLoss: lease,
  reportRepetition: lease,

  // GetMatch has the seed, which nobody else may know before the match is played.
  getMatch: only('live-data'),
  acceptResult: only('live-data'),
  signFile: fileWriter,
  holdJob: only('leaderboard'),
  releaseJob: only('leaderboard'),
  holdBatch: only('leaderboard'),
  releaseBatch: only('leaderboard'),
  listBatchResults: only('leaderboard'),
  listRunners: only('pool'),
  cordonRunners: only('pool'),
  getBacklog: only('pool'),
} satisfies AccessTable<SimulationServiceDefinition>;

export type PlanCall = CallOf<typeof access.getPlan>;
export type TrialCall = CallOf<typeof access.getTrial>;
export type ReaderCall = CallOf<typeof access.getJob>;

/** Returns whether the caller may read texts of this user's bot, such as its exceptions, and the ids of its matches on the ladder: the owner and admins may. */
export function mayReadTextOf(caller: Caller, userId: string): boolean {
  return isAdmin(caller) || (caller.kind === 'user' && caller.id === userId && userId !== houseUserId);
}

/** Returns whether FindBatch includes private batches for the caller. */
export const mayFindPrivateBatches = isAdmin;

/** Returns whether the caller publishes a challenge without the agreement of its players. */
export const mayPublishForAll = isAdmin;

/** Returns whether lists have sealed matches for the caller. */
export const readsSealed = isAdmin;

/** Returns whether the caller, who may queue it again, learns why a match is stuck. */
export const maySeeStuck = isAdmin;

interface ReadJob {
  readonly ownerId: string | null;
  readonly playerIds: readonly string[];
}

/** Permits owner, players, admins and our services, and everybody if the match is public. Queries live-data only if necessary. */
async function readerOfJob(caller: Caller, job: ReadJob, isPublic: () => Promise<boolean>): Promise<void> {
  if (caller.kind === 'service' || isAdmin(caller)) return;
  if (caller.kind === 'user' && (caller.id === job.ownerId || job.playerIds.includes(caller.id))) return;
  if (await isPublic()) return;
  throw new DomainError('PERMISSION_DENIED', 'job-private', 'This job is private and cannot be accessed.');
}

/** `job`: absent for the plan of a batch. */
function readerOfPlan(caller: Caller, job: ReadJob | null, isPublic: () => Promise<boolean>): Promise<void> {
  return job === null ? readerOfBatch(caller, isPublic) : readerOfJob(caller, job, isPublic);
}

/** A trial of somebody else is as unknown as one that there is not. */
function ownerOfTrial(caller: UserCaller, trial: { readonly ownerId: string }): void {
  if (caller.id !== trial.ownerId && !isAdmin(caller)) throw trialNotFound();
}

async function readerOfBatch(caller: Caller, isPublic: () => Promise<boolean>): Promise<void> {
  if (caller.kind === 'service' || isAdmin(caller) || (await isPublic())) return;
  throw new DomainError('PERMISSION_DENIED', 'batch-private', 'This batch is private and cannot be accessed.');
}

/**
 * Admits who writes files of this kind: live-data its exports, and the gateway the others. The gateway has no identity of its own, only those of its
 * callers, and has no call that passes a hash on.
 */
function fileWriter(caller: Caller, { kind }: { readonly kind: string }): Caller {
  if (kind === 'export') return only('live-data')(caller);
  if (caller.kind === 'user' || caller.kind === 'anonymous') return caller;
  throw new DomainError('PERMISSION_DENIED', 'not-for-this-caller', 'This call is not for this caller');
}

function userOrAdmin(caller: Caller, { userId }: { readonly userId: string }): UserCaller {
  const user = signedIn(caller);
  return userId === user.id ? user : admin(user);
}

/** Users, verified or not, list the jobs that they started or that their bot plays in; admins list all. */
function ownListOrAdmin(caller: Caller, request: { readonly ownerId: string; readonly playerId: string }): UserCaller {
  const user = signedIn(caller);
  const ids = [request.ownerId, request.playerId].filter((id) => id !== '');
  return ids.length > 0 && ids.every((id) => id === user.id) ? user : admin(user);
}
