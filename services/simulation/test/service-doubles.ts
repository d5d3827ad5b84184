import { createHash } from 'node:crypto';
import { housePlayers, houseUserId } from '@husky/contracts/house-user';
import { authService, liveDataService, submissionService } from '@husky/contracts/services';
import { createLogger } from '@husky/runtime/process/logger';
import { isUuid } from '@husky/runtime/process/uuid';
import { only } from '@husky/runtime/rpc/access';
import { DomainError } from '@husky/runtime/rpc/errors';
import { startDouble } from '@husky/testkit/service-double';

export const log = createLogger('simulation', 'fatal');
const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const noRequirements = hash('');

/** State of the doubles of other services and their received requests. Tests change it. */
export interface DoublesState {
  readonly pins: Map<string, Set<string>>;
  readonly withoutFinal: Set<string>;
  /** Submissions by user, for the ladder. */
  readonly finals: Map<string, string>;
  readonly unverified: Set<string>;
  /** Chips without luck in each match, by player; empty: not known yet. */
  adjusted: readonly (readonly [userId: string, chips: number])[];
  readonly publicJobs: Set<string>;
  readonly publicBatches: Set<string>;
  readonly purged: string[];
  /** requirements.txt by bot hash, and of final submissions by user id; without an entry these have no requirements. */
  readonly requirements: Map<string, string>;
  /** Of final submissions by user id. */
  readonly nonces: Map<string, string>;
  /** The chips of one player in single matches, by job id, which go before `adjusted`. */
  readonly tried: Map<string, { readonly userId: string; readonly chips: number }>;
  /** Ready submissions by id; the player.py is the id, or the content. */
  readonly uploads: Map<string, { readonly userId: string; readonly uploadedAt: string; readonly content?: string }>;
  /** Resolves a requirements.txt to the hash of an archive, or throws. */
  prepare: (requirements: string) => string | Promise<string>;
  readonly prepared: string[];
  /** Called by StageBot and PinFinals before they pin. A test may throw, or change the holder's pins. */
  beforePinning: (holderId: string) => Promise<void>;
  /** Called by ReleasePins before it releases. A test may throw. */
  beforeReleasing: (holderId: string) => Promise<void>;
  liveDataUnavailable: boolean;
  /** Ids of jobs whose match cannot be purged. */
  readonly unpurgeable: Set<string>;
  /** Purges that were refused while live-data was unavailable. */
  refusedPurges: number;
}

/** Starts doubles of submission, live-data and auth. */
export async function startServiceDoubles() {
  const state: DoublesState = {
    pins: new Map(),
    withoutFinal: new Set(),
    finals: new Map(),
    unverified: new Set(),
    adjusted: [],
    tried: new Map(),
    publicJobs: new Set(),
    publicBatches: new Set(),
    purged: [],
    requirements: new Map(),
    nonces: new Map(),
    uploads: new Map(),
    prepare: (requirements: string) => hash(`packages of ${requirements}`),
    prepared: [],
    beforePinning: async () => undefined,
    beforeReleasing: async () => undefined,
    unpurgeable: new Set(),
    liveDataUnavailable: false,
    refusedPurges: 0,
  };
  const pin = (holderId: string, userId: string, content: string, requirements = '', nonce = '') => {
    const botHash = hash(`${content}|${requirements}`);
    const held = state.pins.get(holderId) ?? new Set();
    state.pins.set(holderId, held.add(botHash));
    state.requirements.set(botHash, requirements);
    return { userId, botHash, requirementsHash: requirements === '' ? noRequirements : hash(requirements), nonce };
  };
  const submission = await startDouble(submissionService, only('simulation'), {
    async stageBot({ holderId, userId, files }) {
      const player = files?.playerFile.toString() ?? '';
      if (player === '') throw new DomainError('INVALID_ARGUMENT', 'bot-invalid', 'player.py is empty.');
      await state.beforePinning(holderId);
      return pin(holderId, userId, player, files?.requirementsFile.toString() ?? '');
    },
    async pinUpload({ holderId, submissionId, userId }) {
      const upload = state.uploads.get(submissionId);
      if (!upload || (userId !== '' && upload.userId !== userId))
        throw new DomainError('NOT_FOUND', 'submission-not-found', 'Submission not found');
      await state.beforePinning(holderId);
      return {
        pin: pin(holderId, upload.userId, upload.content ?? submissionId),
        uploadedAt: upload.uploadedAt,
        address: '',
      };
    },
    async pinHouse({ holderId, userId }) {
      return pin(holderId, userId || houseUserId, userId || 'house');
    },
    async listFinals() {
      const house = [...housePlayers.keys()].map((userId) => ({ userId, botHash: hash(`${userId}|`) }));
      return {
        finals: [...state.finals].map(([userId, submissionId]) => ({
          userId,
          submissionId,
          botHash: hash(`${userId}|${state.requirements.get(userId) ?? ''}`),
        })),
        house,
      };
    },
    async pinFinals({ holderId, userIds }) {
      const missingUserIds = userIds.filter((id) => state.withoutFinal.has(id));
      if (missingUserIds.length > 0) return { pins: [], missingUserIds };
      await state.beforePinning(holderId);
      return {
        pins: userIds.map((id) => pin(holderId, id, id, state.requirements.get(id) ?? '', state.nonces.get(id) ?? '')),
      };
    },
    async preparePackages({ botHash }) {
      const requirements = state.requirements.get(botHash);
      if (requirements === undefined) throw new DomainError('NOT_FOUND', 'bot-not-found', 'Bot not found');
      state.prepared.push(requirements);
      return { packagesHash: requirements === '' ? '' : await state.prepare(requirements) };
    },
    async releasePins({ holderId }) {
      await state.beforeReleasing(holderId);
      state.pins.delete(holderId);
      return {};
    },
  });
  const liveData = await startDouble(liveDataService, only('simulation'), {
    async getMatchAccess({ jobId }) {
      return { jobId, isPublic: state.publicJobs.has(jobId), canRead: true };
    },
    async listPublicBatches({ batchIds }) {
      return { batchIds: batchIds.filter((id) => state.publicBatches.has(id)) };
    },
    async getMatchLuck({ jobId }) {
      const one = state.tried.get(jobId);
      if (one) return { ready: true, players: [{ userId: one.userId, raw: [one.chips], adjusted: [one.chips] }] };
      const players = state.adjusted.map(([userId, chips]) => ({ userId, adjusted: [0, chips] }));
      return { ready: players.length > 0, players };
    },
    async toggleVisibility({ jobId }) {
      if (state.publicJobs.has(jobId)) throw new DomainError('ABORTED', 'already-so', 'This match is public already');
      state.publicJobs.add(jobId);
      return { jobId, isPublic: true, canRead: true };
    },
    async purgeMatch({ jobId }) {
      if (state.liveDataUnavailable) {
        state.refusedPurges += 1;
        throw new DomainError('UNAVAILABLE', 'service-unavailable', 'unavailable');
      }
      if (state.unpurgeable.has(jobId)) throw new DomainError('INTERNAL', 'internal', 'statement timeout');
      state.purged.push(jobId);
      return { hands: 0 };
    },
  });
  const auth = await startDouble(authService, only('simulation'), {
    async getNames({ ids }) {
      return {
        names: [...new Set(ids)]
          .filter(isUuid)
          .map((id) => ({ id, username: `name-${id.slice(0, 4)}`, verified: !state.unverified.has(id) })),
      };
    },
  });
  return {
    state,
    addresses: {
      SUBMISSION_ADDRESS: submission.address,
      LIVE_DATA_ADDRESS: liveData.address,
      AUTH_ADDRESS: auth.address,
    },
    async stop() {
      await Promise.all([submission.stop(), liveData.stop(), auth.stop()]);
    },
  };
}
