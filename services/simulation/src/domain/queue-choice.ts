import type { JobKind } from './job.ts';

/** A class with a waiting job, and its virtual time. */
export interface WaitingClass {
  readonly kind: JobKind;
  readonly pass: number;
}

export interface Choice {
  readonly kind: JobKind;
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
  weights: Readonly<Record<JobKind, number>>,
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

const order: Readonly<Record<JobKind, number>> = { TEST_RUN: 0, MATCH: 1, BATCH_MATCH: 2 };
