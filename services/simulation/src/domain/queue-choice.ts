import type { JobKind } from './job.ts';

/** A class that has a job to give, and its virtual time. */
export interface WaitingClass {
  readonly kind: JobKind;
  readonly pass: number;
}

export interface Choice {
  readonly kind: JobKind;
  /** The whole queue's virtual time from now on. */
  readonly clock: number;
  /** The chosen class's pass after it has paid for the job. */
  passAfter(cost: number): number;
}

/**
 * Stride scheduling (Waldspurger and Weihl, 1995): the class with the least virtual time goes first and pays cost divided
 * by weight. A class that was empty starts at the queue's own time, so that it saves up nothing while idle.
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
