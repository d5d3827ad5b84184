import type { FailedCalls } from '@husky/contracts/types/live/v1/FailedCalls';
import { MatchLuck } from '@husky/estimate/luck-match';
import { deckFor } from '@husky/match/deck';
import type { Fault } from '@husky/match/fault';
import { postsOf } from '@husky/match/record';
import type { Repetition } from './compare.ts';
import type { MatchDigests } from './match-files.ts';
import type { PlayedMatch } from './play-match.ts';

/** The facts of a match that the results of a request use. */
export interface MatchSummary {
  readonly index: number;
  readonly deal_set: number;
  readonly job_id: string;
  readonly seed: string;
  readonly digest: string;
  readonly play_digest: string;
  readonly hands: number;
  readonly ended_early: string;
  readonly decisions: number;
  readonly play_ms: number;
  /** By seat. */
  readonly seats: readonly SeatSummary[];
  /** Chips won in each hand, by seat. Left out of the printed result. */
  readonly nets: readonly (readonly number[])[];
  /** `nets` without luck; only for `luck` of a request. */
  readonly adjusted?: readonly (readonly number[])[];
  /** Only of a match that repeats a match file. */
  readonly like?: Repetition;
}

export interface FailedCall {
  readonly method: string;
  readonly hand: number;
  readonly text: string;
}

/** One bot in one match. */
export interface SeatSummary {
  readonly bot: number;
  readonly net: number;
  readonly faults: Readonly<Partial<Record<Fault, number>>>;
  /** The first fault with the bot's own text; null without a fault. */
  readonly first_fault: { readonly hand: number; readonly fault: string; readonly text: string } | null;
  readonly failed_calls: number;
  /** The first failed call with the bot's own text; null without one. */
  readonly first_failed_call: FailedCall | null;
  /** Why the bot did not play to the end; '' when it did. */
  readonly disabled: string;
  readonly decisions: number;
  readonly times: {
    readonly p50_ms: number;
    readonly p95_ms: number;
    readonly max_ms: number;
    readonly counts: readonly number[];
  };
  readonly cpu_ms: number;
  readonly peak_kib: number;
}

function firstOf([first]: readonly FailedCalls[]): FailedCall | null {
  return first === undefined
    ? null
    : { method: first.method ?? '', hand: first.firstHand ?? 0, text: first.text ?? '' };
}

/** Returns the facts of a match that the results of a request use. */
export function summarize(match: PlayedMatch, { digest, playDigest }: MatchDigests): MatchSummary {
  const { plan, records, reports, end, playMs } = match;
  const nets = plan.order.map((_, seat) => records.map(({ deltas }) => deltas[seat] ?? 0));
  return {
    index: plan.index,
    deal_set: plan.dealSet,
    job_id: plan.jobId,
    seed: plan.settings.seed,
    digest,
    play_digest: playDigest,
    hands: end.handsPlayed,
    ended_early: end.endedEarly,
    decisions: records.reduce((sum, record) => sum + record.actions.length - postsOf(record), 0),
    play_ms: playMs,
    seats: plan.order.map((bot, seat) => {
      const report = reports[seat];
      const times = report?.details.times;
      return {
        bot,
        net: (nets[seat] ?? []).reduce((sum, chips) => sum + chips, 0),
        ...faultsOf(match, seat),
        first_failed_call: firstOf(report?.details.failedCalls ?? []),
        failed_calls: (report?.details.failedCalls ?? []).reduce((sum, { count }) => sum + (count ?? 0), 0),
        disabled: report?.disabled ?? '',
        decisions: times?.count ?? 0,
        times: {
          p50_ms: Number(times?.p50Ms ?? 0),
          p95_ms: Number(times?.p95Ms ?? 0),
          max_ms: Number(times?.maxMs ?? 0),
          counts: times?.counts ?? [],
        },
        cpu_ms: report?.cpuMs ?? 0,
        peak_kib: report?.peakKib ?? 0,
      };
    }),
    nets,
  };
}

/** Returns the nets of a match with reset stacks and fixed blinds without luck, by seat. */
export function adjustedNets({ plan, records }: PlayedMatch): number[][] {
  const { seed, starting_stack: stack, blinds } = plan.settings;
  const [luck, stacks, key] = [new MatchLuck(), plan.order.map(() => stack), Buffer.from(seed, 'hex')];
  const hands = records.map((record, index) =>
    luck.next({ ...record, number: index + 1, stacks, bigBlind: blinds.big_blind, deck: deckFor(key, index + 1) }),
  );
  return plan.order.map((_, seat) => hands.map((nets) => nets[seat] ?? 0));
}

function faultsOf({ records, reports }: PlayedMatch, seat: number): Pick<SeatSummary, 'faults' | 'first_fault'> {
  const faults: Partial<Record<Fault, number>> = {};
  let first: SeatSummary['first_fault'] = null;
  for (const [index, { actions }] of records.entries()) {
    for (const action of actions) {
      if (action.seat !== seat || action.fault === undefined) continue;
      faults[action.fault] = (faults[action.fault] ?? 0) + 1;
      const text = action.detail ?? reports[seat]?.details.outText ?? '';
      first ??= { hand: index + 1, fault: action.fault, text };
    }
  }
  return { faults, first_fault: first };
}
