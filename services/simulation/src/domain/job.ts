import { createHash } from 'node:crypto';
import type { Limits__Output } from '@husky/contracts/types/simulation/v1/Limits';
import type { StacksMode } from '@husky/match/stacks';
import { DomainError } from '@husky/runtime/rpc/errors';

/** Classes of the queue; each is a kind of jobs. */
export const queueClasses = ['TEST_RUN', 'MATCH', 'BATCH_MATCH'] as const;
export type QueueClass = (typeof queueClasses)[number];
/** Kinds in no class: they are played while no job of a class waits, trials first, and are in no list, count or notice. */
export const unlistedKinds = ['TRIAL', 'LADDER'] as const;
export type UnlistedKind = (typeof unlistedKinds)[number];
export type JobKind = QueueClass | UnlistedKind;

export const isUnlisted = (kind: JobKind): kind is UnlistedKind => unlistedKinds.some((known) => known === kind);

/** Number of players of a match, inside or outside a batch; a test run has two. */
export const tableSize = 6;

/** A match's limits for each bot, as in the proto. */
export type Limits = Readonly<Limits__Output>;

export interface Blinds {
  readonly bigBlind: number;
  readonly multiplier: string;
  readonly interval: number;
}

/** `packagesHash`: '' without packages, null while they are not resolved. */
export interface SeatPlan {
  readonly userId: string;
  readonly botHash: string;
  readonly packagesHash: string | null;
  /** Of the player's upload; empty or absent (in batches of earlier releases): none. */
  readonly nonce?: string;
}

/** Creates the plan of a seat with a pinned bot. A bot without requirements needs no packages. */
export function seatPlan(pin: { userId: string; botHash: string; requirementsHash: string; nonce: string }): SeatPlan {
  const { userId, botHash, requirementsHash, nonce } = pin;
  return { userId, botHash, packagesHash: requirementsHash === noRequirements ? '' : null, nonce };
}

/** 'duplicate': six matches with one deal set, in which every player holds every hand of every seat once. */
export const matchModes = ['classic', 'duplicate'] as const;
export type MatchMode = (typeof matchModes)[number];

/** A job to be created. */
export interface JobPlan {
  readonly id: string;
  readonly kind: JobKind;
  readonly ownerId: string;
  readonly batchId: string | null;
  /** Number within its batch, from 1; null outside batches. */
  readonly gameNumber: number | null;
  /** The holder of its pins: the job itself or its batch. */
  readonly holderId: string;
  readonly numRounds: number;
  readonly blinds: Blinds;
  readonly stacks: StacksMode;
  /** Jobs with the same deal set are created together. */
  readonly dealSetId: string;
  /** Number of the rotation, from 1 to 6; to 12 in a trial; null: classic. */
  readonly rotation: number | null;
  readonly limits: Limits;
  readonly seats: readonly SeatPlan[];
  /** Of a trial: the bot that has the place of the first one in rotations 7 to 12 of its deal set. */
  readonly other?: SeatPlan;
  /** Public from the start; default: private, or as its batch. */
  readonly isPublic?: boolean;
  /** traceparent of its trace; default: the active one. */
  readonly traceContext?: string;
}

/** Returns the place of a match's seed among those of its plan, from 0: the matches of a table have one. */
export function placeInPlan({ gameNumber, rotation }: Pick<JobPlan, 'gameNumber' | 'rotation'>): number {
  return gameNumber === null ? 0 : Math.floor((gameNumber - 1) / (rotation === null ? 1 : tableSize));
}

/** requirementsHash of a requirements.txt without packages. */
const noRequirements = createHash('sha256').update('').digest('hex');

export const startingStack = 10_000;
export const profile = 'documented';

/** Returns the cost of a job in the queue: its hands, plus a hundred for the start of the match. */
export function queueCost(numRounds: number): number {
  return numRounds + 100;
}

/**
 * Returns whether a match is no contest because fewer than two of its bots started. All results of such a job are 0, although
 * the blinds have moved chips. Returns false if faults are unknown.
 */
export function isNoContest(seats: readonly { readonly neverStarted: boolean }[]): boolean {
  return seats.length > 1 && seats.filter(({ neverStarted }) => !neverStarted).length < 2;
}

export const jobNotFound = () => new DomainError('NOT_FOUND', 'job-not-found', 'Job not found');
export const batchNotFound = () => new DomainError('NOT_FOUND', 'batch-not-found', 'Batch not found');

/** Idle: holds no match. Acquired: holds one whose seats are not running yet. Active: its seats run. */
export const runnerState = { idle: 'IDLE', acquired: 'ACQUIRED', active: 'ACTIVE' } as const;
export type RunnerState = (typeof runnerState)[keyof typeof runnerState];

/** A class with a waiting job, and its virtual time. */
export interface WaitingClass {
  readonly kind: QueueClass;
  readonly pass: number;
}

export interface Choice {
  readonly kind: QueueClass;
  /** The new virtual time of the whole queue. */
  readonly clock: number;
  /** The new virtual time of the chosen class after a job of this cost. */
  passAfter(cost: number): number;
}

/**
 * Chooses the class to serve; undefined if none waits. Stride scheduling (Waldspurger and Weihl, 1995): the class with the
 * least virtual time is served and advances by cost divided by weight. A class that was empty starts at the queue's virtual
 * time, so that an idle class accumulates no share.
 */
export function chooseClass(
  waiting: readonly WaitingClass[],
  clock: number,
  weights: Readonly<Record<QueueClass, number>>,
): Choice | undefined {
  const [first] = waiting
    .map(({ kind, pass }) => ({ kind, start: Math.max(pass, clock) }))
    .sort((a, b) => a.start - b.start || order[a.kind] - order[b.kind]);
  if (!first) return undefined;
  return {
    kind: first.kind,
    clock: first.start,
    passAfter: (cost) => first.start + cost / weights[first.kind],
  };
}

const order: Readonly<Record<QueueClass, number>> = { TEST_RUN: 0, MATCH: 1, BATCH_MATCH: 2 };
