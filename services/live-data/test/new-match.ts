import { createHash, randomBytes } from 'node:crypto';
import { jobIdFrom } from '@husky/match/game-id';
import { RULES_VERSION } from '@husky/match/rules-version';
import { uuidOfText } from '@husky/runtime/process/uuid';
import type { Match } from '../src/domain/match.ts';

export interface TestMatch {
  readonly jobId: string;
  readonly rulesVersion: number;
  readonly ownerId: string;
  readonly batchId: string;
  readonly playerIds: readonly string[];
  readonly numRounds: number;
  readonly blinds: { readonly bigBlind: number; readonly multiplier: string; readonly interval: number };
  readonly stacks: 'carry' | 'reset';
  readonly seed: Buffer;
  readonly kind: 'MATCH' | 'LADDER' | 'TRIAL';
}

export const userIdOf = uuidOfText;

export function newMatch(change: Partial<TestMatch> = {}): TestMatch {
  return {
    jobId: jobIdFrom(randomBytes(10)),
    rulesVersion: RULES_VERSION,
    ownerId: userIdOf('owner'),
    batchId: '',
    playerIds: ['ann', 'bob', 'cem', 'dee', 'eve', 'fay'].map(userIdOf),
    numRounds: 200,
    blinds: { bigBlind: 10, multiplier: '1', interval: 1 },
    stacks: 'carry',
    seed: createHash('sha256').update('a seed of a test').digest(),
    kind: 'MATCH',
    ...change,
  };
}

/** Returns the stored form of a match while it runs. */
export function matchOf({ blinds, kind, ...facts }: TestMatch): Match {
  return {
    ...facts,
    batchId: facts.batchId || null,
    ladder: kind !== 'MATCH',
    sealed: false,
    batchNumber: 0,
    gameNumber: 7,
    bigBlind: blinds.bigBlind,
    blindMultiplier: blinds.multiplier,
    blindInterval: blinds.interval,
    startingStack: 10_000,
    dealSetId: null,
    rotation: 0,
    isPublic: false,
    status: 'Running',
    currentAttempt: 1,
    acceptedAttempt: null,
    firstHandAt: null,
    hands: 0,
    endReason: '',
    handsRemovedAt: null,
    logsRemovedAt: null,
  };
}
