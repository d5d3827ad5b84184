import type { LiveDataServiceDefinition } from '@husky/contracts/types/live/v1/LiveDataService';
import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import { RULES_VERSION } from '@husky/match/rules-version';
import type { RpcClient, RpcOptions } from '@husky/runtime/rpc/grpc-client';
import { expect } from 'vitest';

type Leases = Pick<RpcClient<SimulationServiceDefinition>, 'claimMatch' | 'heartbeat' | 'handBack' | 'reportLoss'>;

/**
 * Asserts the behaviour of simulation on which a runner relies: a claim waits no longer than requested, an assignment is complete, and its
 * lease token identifies the attempt. `queue` adds a match of six players. Used with simulation itself and with the runner's double of it.
 */
export async function expectLeaseContract(simulation: Leases, queue: () => Promise<unknown>): Promise<void> {
  const caller = { kind: 'runner', name: 'contract' } as const;
  const claim = async () => {
    const request = { runner: caller.name, waitMs: 0, version: 'test', rulesVersion: RULES_VERSION };
    return (await simulation.claimMatch(request, { caller })).assignment;
  };
  expect(await claim()).toBeNull();
  await queue();
  const assignment = await claim();
  expect(assignment).toMatchObject({
    attempt: 1,
    leaseToken: expect.stringMatching(/./),
    blinds: { bigBlind: expect.any(Number), multiplier: expect.any(String), interval: expect.any(Number) },
    startingStack: 10_000,
    stacks: 'carry',
    rulesVersion: RULES_VERSION,
    profile: 'documented',
  });
  expect([assignment?.seats.length, assignment?.seed.length]).toEqual([6, 32]);
  expect(assignment?.leaseSeconds).toBeGreaterThan(0);
  for (const limit of Object.values(assignment?.limits ?? { missing: 0 })) expect(limit).toBeGreaterThan(0);
  const lease = { token: assignment?.leaseToken ?? '' };
  for (const state of ['ACQUIRED', 'ACTIVE'] as const) {
    expect(await simulation.heartbeat({ state }, lease)).toEqual({ cancel: false, reason: '' });
  }
  expect(await simulation.handBack({ reason: 'drain' }, lease)).toEqual({});
  await queue();
  const token = (await claim())?.leaseToken ?? '';
  expect(await simulation.reportLoss({ cause: 'disk full', botSuspect: false }, { token })).toEqual({});
}

/** An attempt whose hands are played but not delivered. */
export interface PlayedAttempt {
  /** At least two chunks. */
  readonly chunks: readonly Uint8Array[];
  readonly hands: number;
  readonly digest: string;
  /** The identity of the attempt's lease. */
  readonly lease: RpcOptions;
}

type Delivery = Pick<
  RpcClient<LiveDataServiceDefinition>,
  'openAttempt' | 'deliverChunk' | 'deliverSeatReport' | 'completeMatch'
>;

/**
 * Asserts the behaviour of live-data on which a runner relies: chunks are accepted in order, a result must agree with the stored
 * hands, and every step is idempotent. Used with live-data itself and with the runner's double of it.
 */
export async function expectDeliveryContract(liveData: Delivery, played: PlayedAttempt): Promise<void> {
  const { chunks, hands, digest, lease } = played;
  for (let repeats = 0; repeats < 2; repeats++) {
    const opened = await liveData.openAttempt({ startedAtMs: 1_760_000_000_000 }, lease);
    expect(opened).toEqual({ rulesVersion: RULES_VERSION });
  }
  const refusedChunk = { code: 'FAILED_PRECONDITION', reason: 'chunk-does-not-fit' };
  await expect(liveData.deliverChunk({ chunk: chunks[1] }, lease)).rejects.toMatchObject(refusedChunk);
  await expect(liveData.deliverChunk({ chunk: Buffer.from('no chunk') }, lease)).rejects.toMatchObject(refusedChunk);
  let stored = 0;
  for (const chunk of chunks) {
    const { handsStored } = await liveData.deliverChunk({ chunk }, lease);
    expect(handsStored).toBeGreaterThan(stored);
    stored = handsStored;
    expect(await liveData.deliverChunk({ chunk }, lease)).toEqual({ handsStored });
  }
  expect(stored).toBe(hands);
  expect(await liveData.deliverSeatReport({ seat: 0, log: 'a log' }, lease)).toEqual({});
  const wrong = { code: 'FAILED_PRECONDITION', reason: 'match-does-not-verify' };
  await expect(liveData.completeMatch({ handsPlayed: hands - 1, digest }, lease)).rejects.toMatchObject(wrong);
  const otherDigest = '0'.repeat(64);
  await expect(liveData.completeMatch({ handsPlayed: hands, digest: otherDigest }, lease)).rejects.toMatchObject(wrong);
  for (let repeats = 0; repeats < 2; repeats++) {
    expect(await liveData.completeMatch({ handsPlayed: hands, digest }, lease)).toEqual({ accepted: true });
  }
}
