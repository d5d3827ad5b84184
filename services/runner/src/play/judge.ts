import { Action, type ActionKind } from '@husky/holdem/action';
import { type AdjustReason, adjudicate, type Hand, type IllegalReason } from '@husky/holdem/hand';
import type { Fault } from '@husky/match/fault';
import type { SeatUsage } from '../host/seat-host.ts';
import { NO_ACTION } from './seat-link.ts';

/** The ruling on a reply. If the action played differs from the requested one, `detail` has the request and the reason. */
export interface Judgement {
  readonly kind: ActionKind;
  readonly amount: number;
  readonly adjusted: boolean;
  readonly fault: Fault | null;
  readonly detail: string | undefined;
}

const KIND_NAMES = ['?', 'FOLD', 'CHECK', 'CALL', 'RAISE', 'ALL_IN'] as const;

/** What bots' authors read about a fault or an adjustment. */
const REASONS: Readonly<Record<IllegalReason | AdjustReason, string>> = {
  'illegal-action': 'no such action',
  'illegal-amount': 'the amount must be a number that is not negative; it is the chips to add',
  'illegal-check': 'a check while there is a bet to call; return CALL or FOLD',
  'illegal-raise': 'a raise that does not exceed the current bet; add at least min_raise',
  'not-reopened': 'a short all-in did not reopen the betting',
  'below-minimum': 'less than the minimum raise',
  'minimum-of-zero': 'min_raise was 0',
};

/**
 * Judges the actor's reply. In a reply without an action `amount` is a text: the exception that the bot raised, or the problem of the
 * value that it returned. `shownMinRaise` is the min_raise that the bot was shown.
 */
export function judge(hand: Hand, kind: number, amount: number | string, shownMinRaise: number): Judgement {
  if (typeof amount === 'string') return foldFor(kind === NO_ACTION ? 'illegal' : 'exception', amount);
  const ruling = adjudicate(hand, kind, amount, shownMinRaise);
  const reason = ruling.fault ?? ruling.adjusted;
  const detail = reason === null ? undefined : `${describeRequest(kind, amount)}: ${REASONS[reason]}`;
  if (ruling.fault !== null) return foldFor('illegal', detail);
  return { kind: ruling.kind, amount: ruling.amount, adjusted: ruling.adjusted !== null, fault: null, detail };
}

/** Returns the fold that follows a fault. */
export function foldFor(fault: Fault, detail?: string): Judgement {
  return { kind: Action.FOLD, amount: 0, adjusted: false, fault, detail };
}

function describeRequest(kind: number, amount: number): string {
  const name = KIND_NAMES[kind] ?? `action ${kind}`;
  return amount === 0 ? name : `${name} ${amount}`;
}

/** Weight of wall time in a decision: a bot that only sleeps times out after three times the limit. */
const decisionWallShare = 1 / 3;
/**
 * Maximum wall time that is charged between two samples. A longer gap means that the dealer or the host had no processor, because the
 * machine was throttled or stopped.
 */
export const maxStepMs = 100;

/** A seat's times as the host reports them: totals since the seat's start. */
export interface SeatTimes {
  readonly cpuMs: number;
  /** Time ready to run without a processor. */
  readonly waitMs: number;
}

export function timesOf(usage: SeatUsage): SeatTimes {
  return { cpuMs: usage.cpu_ms, waitMs: usage.wait_ms };
}

/**
 * The clock of one decision, start or end of a seat, updated with samples of the host. The time used is the greater of the seat's
 * processor time and a share of the wall time. Time for which the seat waited for a processor, or the machine stood still, is subtracted
 * from the wall time.
 */
export class DecisionClock {
  readonly limitMs: number;
  readonly #wallShare: number;
  #cpuMs: number;
  #chargedWallMs: number;
  #sampledAtMs: number;
  #last: SeatTimes;

  /** `elapsedMs` since the question; `since` is the part of `times` that this decision can have used. */
  constructor(start: {
    limitMs: number;
    nowMs: number;
    elapsedMs: number;
    times: SeatTimes;
    since: SeatTimes;
    wallShare?: number;
  }) {
    const { elapsedMs, since } = start;
    this.#wallShare = start.wallShare ?? decisionWallShare;
    this.limitMs = start.limitMs;
    this.#cpuMs = Math.min(elapsedMs, Math.max(0, since.cpuMs));
    this.#chargedWallMs = Math.max(0, Math.min(elapsedMs, 2 * maxStepMs) - since.waitMs);
    this.#sampledAtMs = start.nowMs;
    this.#last = start.times;
  }

  /** Adds the host's sample taken at `nowMs`. */
  sample(nowMs: number, times: SeatTimes): void {
    const step = Math.min(nowMs - this.#sampledAtMs, maxStepMs);
    this.#chargedWallMs += Math.max(0, step - (times.waitMs - this.#last.waitMs));
    this.#cpuMs += Math.max(0, times.cpuMs - this.#last.cpuMs);
    this.#sampledAtMs = nowMs;
    this.#last = times;
  }

  get usedMs(): number {
    return Math.max(this.#cpuMs, this.#chargedWallMs * this.#wallShare);
  }

  get expired(): boolean {
    return this.usedMs >= this.limitMs;
  }
}
