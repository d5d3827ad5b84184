import { type TrialField, trialFields, trialLimits, trialMatches } from '@husky/contracts/trials';
import { type TrialDecision, type TrialPair, trialDecision } from '@husky/estimate/trial';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { SeatPlan } from '../../domain/job.ts';
import { dayMs } from '../../domain/test-run-quota.ts';

/** Of all matches of trials. */
export const trialBlinds = { bigBlind: 10, multiplier: '1', interval: 1 } as const;
/** Trials that a user may have in play. */
const maxUnfinished = 2;
/** Void sets after which a trial fails. */
export const maxVoidSets = 3;
/** Deal sets in play at the same time: enough for many runners, few that are played in vain when the trial is decided. */
export const setsAhead = 3;

export interface TrialRule {
  readonly field: TrialField;
  readonly alpha: number;
  /** Big blinds per 100 hands. */
  readonly margin: number;
  /** Budget: hands of both versions. */
  readonly maxHands: number;
  /** Hands of each rotation. */
  readonly numRounds: number;
}

/** A hand that A and B played in the same seat with the same cards. `a`, `b`: chips won. */
export interface DifferentHand {
  readonly set: number;
  readonly rotation: number;
  readonly hand: number;
  readonly a: number;
  readonly b: number;
  /** Ids of the hands. */
  readonly gameA: string;
  readonly gameB: string;
}
const shownHands = 5;

const refusal = (message: string) => new DomainError('INVALID_ARGUMENT', 'trial-invalid', message);

/** Checks the rule of a request; '' and 0 are the defaults. Throws INVALID_ARGUMENT for a value out of bounds. */
export function checkTrial(given: { readonly [K in keyof TrialRule]: K extends 'field' ? string : number }): TrialRule {
  const inRange = (key: keyof typeof trialLimits, value: number, what: string, unit = '') => {
    const { min, max, normal } = trialLimits[key];
    const number = value || normal;
    if (number >= min && number <= max) return number;
    throw refusal(`${what} is ${min} to ${max.toLocaleString('en-US')}${unit}.`);
  };
  const field = trialFields.find((known) => known === (given.field || 'house'));
  if (!field) throw refusal("The field is 'neighbours' or 'house'.");
  const rule = {
    field,
    alpha: inRange('alpha', given.alpha, 'The probability of a wrong verdict (alpha)'),
    margin: inRange('margin', given.margin, 'The margin', ' big blinds per 100 hands'),
    maxHands: inRange('maxHands', given.maxHands, 'The budget (max_hands)', ' hands'),
    numRounds: inRange('rotationHands', given.numRounds, 'The number of hands of a rotation'),
  };
  if (handsOfSet(rule) <= rule.maxHands) return rule;
  throw refusal(`A deal set has ${handsOfSet(rule)} hands, more than the budget of ${rule.maxHands}: raise max_hands.`);
}

export const identical = () =>
  new DomainError(
    'ALREADY_EXISTS',
    'trial-identical',
    'Both submissions are the same files: there is no difference to find.',
  );
export const opponentLeft = 'An opponent has left the platform. Start another trial: it has other opponents.';
export const opponentLost = () => new DomainError('FAILED_PRECONDITION', 'opponent-lost', opponentLeft);
export const trialNotFound = () => new DomainError('NOT_FOUND', 'trial-not-found', 'Trial not found');

/** What a user has used of the limits on trials: `hands` that trials of 24 hours have played or may still play. */
export interface TrialUse {
  readonly unfinished: number;
  readonly hands: number;
  /** Start (ms since the epoch) of the oldest trial of 24 hours. */
  readonly oldest: number | null;
}

/** Throws if one more trial with this budget would exceed a limit. */
export function checkTrialQuota(maxHandsADay: number, use: TrialUse, maxHands: number, now: number): void {
  if (maxHandsADay === 0)
    throw new DomainError('FAILED_PRECONDITION', 'no-trials', 'The organisers allow you no trials at present.');
  if (use.unfinished >= maxUnfinished) {
    const message = `You already have ${maxUnfinished} trials that have not ended. Please wait for one to end, or cancel it.`;
    throw new DomainError('RESOURCE_EXHAUSTED', 'too-many-trials', message, { retryAfterS: 60 });
  }
  const left = Math.max(0, maxHandsADay - use.hands);
  if (maxHands <= left) return;
  const number = (value: number) => value.toLocaleString('en-US');
  const message = `This trial may play ${number(maxHands)} hands, but ${number(left)} of the ${number(maxHandsADay)} hands of trials in 24 hours are left to you. Lower max_hands, or wait.`;
  const retryAfterS = Math.max(1, Math.ceil(((use.oldest ?? now) + dayMs - now) / 1000));
  throw new DomainError('RESOURCE_EXHAUSTED', 'too-many-trial-hands', message, { retryAfterS });
}

export const handsOfSet = ({ numRounds }: Pick<TrialRule, 'numRounds'>): number => trialMatches * numRounds;

/** Returns whether the budget has room for one more deal set beside so many. The same in the kit, whose trials end at the same set. */
export const hasBudget = (rule: Pick<TrialRule, 'numRounds' | 'maxHands'>, sets: number): boolean =>
  (sets + 1) * handsOfSet(rule) <= rule.maxHands;

/** Decides a trial on its pairs in order, in big blinds per 100 hands; an end that excludes nothing is null. */
export function decide(
  pairs: readonly TrialPair[],
  { alpha, margin }: Pick<TrialRule, 'alpha' | 'margin'>,
): Omit<TrialDecision, 'low' | 'high'> & { readonly low: number | null; readonly high: number | null } {
  const { bigBlind } = trialBlinds;
  const found = trialDecision(pairs, { alpha, margin: margin * bigBlind });
  const end = (chips: number) => (Number.isFinite(chips) ? chips / bigBlind : null);
  return { ...found, estimate: found.estimate / bigBlind, low: end(found.low), high: end(found.high) };
}

/** Returns the hands that differed most, of those known and further ones. */
export const mostDifferent = (hands: readonly DifferentHand[]): DifferentHand[] =>
  hands
    .filter(({ a, b }) => a !== b)
    .sort((x, y) => Math.abs(y.a - y.b) - Math.abs(x.a - x.b) || x.set - y.set || x.rotation - y.rotation)
    .slice(0, shownHands);

/** Names the bot of a place in the seats of a trial, for its owner. */
export const botName = (place: number): string => ['A', 'B'][place] ?? 'An opponent';

/** Seats of A, B and the five opponents. */
export type TrialSeats = readonly SeatPlan[];
