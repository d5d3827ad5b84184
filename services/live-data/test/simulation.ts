import { simulationService } from '@husky/contracts/services';
import type { AcceptResultRequest__Output } from '@husky/contracts/types/simulation/v1/AcceptResultRequest';
import type { MatchFacts } from '@husky/contracts/types/simulation/v1/MatchFacts';
import { commitmentOf, publicInput, recordText, sha256Hex } from '@husky/match/commitment';
import { only } from '@husky/runtime/rpc/access';
import { DomainError } from '@husky/runtime/rpc/errors';
import { startDouble } from '@husky/testkit/service-double';
import { type TestMatch, userIdOf } from './new-match.ts';

export { matchOf, newMatch, type TestMatch, userIdOf } from './new-match.ts';

export interface FakeSimulation {
  readonly address: string;
  readonly accepted: AcceptResultRequest__Output[];
  /** `accepted` in the response of AcceptResult; an error is thrown instead. */
  acceptResponse: boolean | DomainError;
  /** Adds a job or replaces its state. */
  put(
    match: TestMatch,
    job?: { status?: 'PENDING' | 'RUNNING' | 'FINISHED' | 'FAILED'; attempt?: number; error?: string },
  ): void;
  remove(jobId: string): void;
  lookups: number;
  /** Called after GetMatch has read the facts, before it returns them. */
  beforeResponse: (jobId: string) => Promise<void>;
  stop(): Promise<void>;
}

/** Returns the commitment of a match with its record in the chain, which is the first. */
export function commitTo(match: TestMatch, roster: Parameters<typeof commitmentOf>[0]['roster']) {
  const { jobId, rulesVersion, numRounds: hands, blinds, seed, stacks } = match;
  const facts = {
    rulesVersion,
    roster,
    hands,
    startingStack: 10_000,
    blinds,
    profile: 'documented',
    stacks,
  };
  const commitment = commitmentOf({ ...facts, seed });
  const zeros = '0'.repeat(64);
  const record = {
    number: 1,
    jobHash: sha256Hex(jobId),
    commitment,
    time: '2025-01-01T00:00:00.000Z',
    previous: zeros,
  };
  const hash = sha256Hex(recordText(record));
  return { commitment, commitmentDetails: { publicInput: publicInput(facts), record: { ...record, hash } } };
}

const revealOf = (jobId: string, seed: MatchFacts['seed']) => ({
  seedReveal: { jobId, seedHex: Buffer.from(seed as Uint8Array).toString('hex') },
});

/** Starts a double of simulation with the calls that live-data makes. expectSimulationContract tests those about matches against one contract. */
export async function startSimulation(): Promise<FakeSimulation> {
  const jobs = new Map<string, MatchFacts>();
  const accepted: AcceptResultRequest__Output[] = [];
  const { address, stop } = await startDouble(simulationService, only('live-data'), {
    async getMatch(request) {
      fake.lookups += 1;
      const facts = jobs.get(request.jobId);
      if (!facts) throw new DomainError('NOT_FOUND', 'job-not-found', 'Job not found.');
      await fake.beforeResponse(request.jobId);
      return facts;
    },
    async countMatches() {
      const deletedMatches = [{ played: true, recordNumber: 17 }];
      return { planned: 4, finished: 3, deleted: 1, deletedAfterPlay: 1, deletedMatches };
    },
    // Not a note: the signature of a file is only passed on.
    signFile: async ({ kind, sha256 }) => ({ note: `${kind} ${sha256}` }),
    // Without rules of retention everything is kept.
    async getSettings() {
      return {};
    },
    async acceptResult(request) {
      if (fake.acceptResponse instanceof DomainError) throw fake.acceptResponse;
      accepted.push(request);
      const facts = jobs.get(request.jobId);
      if (fake.acceptResponse && facts?.job) {
        const job = { ...facts.job, status: 'FINISHED' as const, attempt: request.attempt };
        jobs.set(request.jobId, { ...facts, job, seedPublished: true, ...revealOf(request.jobId, facts.seed) });
      }
      return { accepted: fake.acceptResponse, acceptedAttempt: request.attempt };
    },
  });
  const fake: FakeSimulation = {
    address,
    accepted,
    acceptResponse: true,
    lookups: 0,
    beforeResponse: async () => undefined,
    put(match, { status = 'PENDING', attempt = 0, error = '' } = {}) {
      const { jobId, ownerId, batchId, numRounds, blinds, stacks, kind } = match;
      const seats = match.playerIds.map((userId) => ({ userId, botHash: 'b', packagesHash: '' }));
      jobs.set(jobId, {
        job: {
          id: jobId,
          kind,
          status,
          ownerId,
          batchId,
          jobNumber: 7,
          gameNumber: 7,
          attempt,
          playerIds: [...match.playerIds],
          numRounds,
          blinds,
          stacks,
          errorMessage: error,
          ...commitTo(match, seats),
        },
        seats,
        dealSetId: userIdOf(match.seed.toString('hex')),
        seedPublished: status === 'FINISHED',
        ...(status === 'FINISHED' && revealOf(jobId, match.seed)),
        seed: match.seed,
        rulesVersion: match.rulesVersion,
        startingStack: 10_000,
        profile: 'documented',
      });
    },
    remove: (jobId) => void jobs.delete(jobId),
    stop,
  };
  return fake;
}
