import { randomUUID } from 'node:crypto';
import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import { RULES_VERSION } from '@husky/match/rules-version';
import type { RpcClient } from '@husky/runtime/rpc/grpc-client';
import { expect } from 'vitest';

/** A match whose attempt is running. */
export interface RunningMatch {
  readonly jobId: string;
  readonly attempt: number;
  /** By seat. */
  readonly playerIds: readonly string[];
  readonly numRounds: number;
}

/**
 * Asserts the behaviour of simulation on which live-data relies: GetMatch returns complete facts that do not change, AcceptResult
 * is idempotent and ends the job. Used with simulation itself and with live-data's double of it, with live-data's identity.
 */
export async function expectSimulationContract(
  simulation: Pick<RpcClient<SimulationServiceDefinition>, 'getMatch' | 'acceptResult'>,
  { jobId, attempt, playerIds, numRounds }: RunningMatch,
): Promise<void> {
  await expect(simulation.getMatch({ jobId: randomUUID() })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    reason: 'job-not-found',
  });

  const { job, ...facts } = await simulation.getMatch({ jobId, withProof: true });
  expect(job).toMatchObject({
    id: jobId,
    status: 'RUNNING',
    attempt,
    playerIds,
    numRounds,
    errorMessage: '',
    stacks: 'carry',
  });
  expect(job?.ownerId).not.toBe('');
  expect(job?.blinds).toEqual({
    bigBlind: expect.any(Number),
    multiplier: expect.stringMatching(/^\d+(\.\d+)?$/),
    interval: expect.any(Number),
  });
  expect(facts.seats.map(({ userId }) => userId)).toEqual(playerIds);
  expect(facts.seed).toHaveLength(32);
  expect(facts).toMatchObject({ rulesVersion: RULES_VERSION, profile: 'documented' });
  expect(facts.startingStack).toBeGreaterThan(0);

  const results = playerIds.map((userId) => ({ userId, delta: 0 }));
  const report = { jobId, attempt, handsPlayed: numRounds, results, digest: 'd' };
  for (const call of ['first', 'repeated']) {
    expect(await simulation.acceptResult(report), call).toEqual({ accepted: true, acceptedAttempt: attempt });
  }

  const { job: ended, seedReveal, ...factsAfter } = await simulation.getMatch({ jobId, withProof: true });
  expect(ended).toMatchObject({ id: jobId, status: 'FINISHED', attempt });
  const { seedReveal: before, ...others } = facts;
  expect([facts.seedPublished, before]).toEqual([false, null]);
  expect(seedReveal).toMatchObject({ jobId, seedHex: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(factsAfter).toEqual({ ...others, seedPublished: true });
}
