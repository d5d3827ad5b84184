import { createHash } from 'node:crypto';
import {
  authService,
  liveDataService,
  type ServiceContract,
  type ServiceName,
  submissionService,
} from '@husky/contracts/services';
import { requireService } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import { createGrpcServer, type Handlers } from '@husky/runtime/grpc-server';
import { createLogger } from '@husky/runtime/logger';
import { testIdentities } from '@husky/testkit/servers';

export const log = createLogger('simulation', 'fatal');
const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const noRequirements = hash('');

/** A real server with the real contract; what is not given is UNIMPLEMENTED. */
async function serve<D>(contract: ServiceContract<D>, name: ServiceName, given: Partial<Handlers<D>>) {
  const rest = Object.keys(contract.client.service).map((method) => [
    method.charAt(0).toLowerCase() + method.slice(1),
    async () => {
      throw new DomainError('UNIMPLEMENTED', 'unimplemented', `${name} does not do that here`);
    },
  ]);
  const server = createGrpcServer({ verifier: testIdentities().verifierFor(name), log });
  server.add(contract, { ...Object.fromEntries(rest), ...given } as Handlers<D>);
  return { address: `127.0.0.1:${await server.listen('127.0.0.1:0')}`, stop: () => server.close(200) };
}

/** What the neighbours of simulation know, and what they were asked; tests change it as they go. */
export interface World {
  readonly pins: Map<string, Set<string>>;
  readonly withoutFinal: Set<string>;
  readonly publicJobs: Set<string>;
  readonly publicBatches: Set<string>;
  readonly purged: string[];
  /** requirements.txt by bot hash; 'none' without an entry. */
  readonly requirements: Map<string, string>;
  /** What requirements.txt becomes, or why not. */
  prepare: (requirements: string) => string;
  readonly prepared: string[];
  liveDataAway: boolean;
  /** Purges that were refused while it was away. */
  refusedPurges: number;
}

export async function startNeighbours() {
  const world: World = {
    ...{
      pins: new Map(),
      withoutFinal: new Set(),
      publicJobs: new Set(),
      publicBatches: new Set(),
      purged: [],
      requirements: new Map(),
    },
    ...{
      prepare: (requirements: string) => hash(`packages of ${requirements}`),
      prepared: [],
      liveDataAway: false,
      refusedPurges: 0,
    },
  };
  const pin = (holderId: string, userId: string, content: string, requirements = '') => {
    const botHash = hash(`${content}|${requirements}`);
    const held = world.pins.get(holderId) ?? new Set();
    world.pins.set(holderId, held.add(botHash));
    world.requirements.set(botHash, requirements);
    return { userId, botHash, requirementsHash: requirements === '' ? noRequirements : hash(requirements) };
  };
  const submission = await serve(submissionService, 'submission', {
    async stageBot({ holderId, userId, files }, call) {
      requireService(call.caller, 'simulation');
      const player = files?.playerFile.toString() ?? '';
      if (player === '') throw new DomainError('INVALID_ARGUMENT', 'bot-invalid', 'player.py is empty.');
      return pin(holderId, userId, player, files?.requirementsFile.toString() ?? '');
    },
    async pinHouse({ holderId }) {
      return pin(holderId, '00000000-0000-8000-8000-000000000001', 'house');
    },
    async pinFinals({ holderId, userIds }) {
      const missingUserIds = userIds.filter((id) => world.withoutFinal.has(id));
      if (missingUserIds.length > 0) return { pins: [], missingUserIds };
      return { pins: userIds.map((id) => pin(holderId, id, id, world.requirements.get(id) ?? '')) };
    },
    async preparePackages({ botHash }) {
      const requirements = world.requirements.get(botHash) ?? '';
      world.prepared.push(requirements);
      return { packagesHash: requirements === '' ? '' : world.prepare(requirements) };
    },
    async releasePins({ holderId }) {
      world.pins.delete(holderId);
      return {};
    },
  });
  const liveData = await serve(liveDataService, 'live-data', {
    async getMatchAccess({ jobId }) {
      return { jobId, isPublic: world.publicJobs.has(jobId), canRead: world.publicJobs.has(jobId) };
    },
    async listPublicBatches({ batchIds }) {
      return { batchIds: batchIds.filter((id) => world.publicBatches.has(id)) };
    },
    async purgeMatch({ jobId }, call) {
      requireService(call.caller, 'simulation');
      if (world.liveDataAway) {
        world.refusedPurges += 1;
        throw new DomainError('UNAVAILABLE', 'away', 'away');
      }
      world.purged.push(jobId);
      return { hands: 0 };
    },
  });
  const auth = await serve(authService, 'auth', {
    async getNames({ ids }) {
      return { names: ids.map((id) => ({ id, username: `name-${id.slice(0, 4)}` })) };
    },
  });
  return {
    world,
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
