import { DomainError } from '@husky/runtime/rpc/errors';
import type { QuotaOverride } from './quota.ts';

/** A change of the event's settings; absent fields do not change. */
export interface SettingsChange {
  readonly banner?: string | undefined;
  readonly frozen?: boolean | undefined;
  readonly tournamentStart?: Date | undefined;
  readonly tournamentEnd?: Date | undefined;
  readonly homeBoard?: string | undefined;
  readonly keepTestRunsDays?: number | undefined;
  readonly keepLogsDays?: number | undefined;
  readonly ladder?: boolean | undefined;
  readonly ladderHands?: number | undefined;
  readonly ladderHandsADay?: number | undefined;
  readonly keepLadderDays?: number | undefined;
  readonly quota: QuotaOverride;
}

const maxBannerLength = 500;
const maxTagLength = 64;
// Removal cannot be undone; the minimum leaves a week to notice a mistyped number.
const minKeepDays = 7;
const maxKeepDays = 3650;

const refusal = (reason: string, message: string) => new DomainError('INVALID_ARGUMENT', reason, message);

/** Returns the banner without surrounding space. Throws INVALID_ARGUMENT. */
export function checkBanner(text: string): string {
  const banner = text.trim();
  if ([...banner].length > maxBannerLength || /[^\P{Cc}\n]/u.test(banner)) {
    throw refusal('banner-invalid', `The banner has at most ${maxBannerLength} characters.`);
  }
  return banner;
}

/** Returns the trimmed tag of a leaderboard, '' for the one with the newest result. Throws INVALID_ARGUMENT. Does not check that the board has entries. */
export function checkTag(text: string): string {
  const tag = text.trim();
  if ([...tag].length > maxTagLength || /\p{Cc}/u.test(tag)) {
    throw refusal('home-board-invalid', `The home page's board is a tag of at most ${maxTagLength} characters.`);
  }
  return tag;
}

/** Checks a number of days after which data is removed; 0: never. Throws INVALID_ARGUMENT. */
export function checkKeepDays(days: number, least = minKeepDays): number {
  if (days === 0 || (Number.isInteger(days) && days >= least && days <= maxKeepDays)) return days;
  const message = `Data is kept for ${least} to ${maxKeepDays.toLocaleString('en-US')} days, or for ever (0).`;
  throw refusal('keep-days-invalid', message);
}

const ladderLimits = {
  ladderHands: { min: 10, max: 1000, what: 'A rotation of the ladder has' },
  ladderHandsADay: { min: 0, max: 100_000_000, what: 'The ladder plays' },
} as const;

/** Checks hands of a rotation or a day of the ladder. Throws INVALID_ARGUMENT. */
export function checkLadderHands(field: keyof typeof ladderLimits, hands: number): number {
  const { min, max, what } = ladderLimits[field];
  if (Number.isInteger(hands) && hands >= min && hands <= max) return hands;
  const unit = field === 'ladderHandsADay' ? 'hands a day' : 'hands';
  throw refusal('ladder-hands-invalid', `${what} ${min} to ${max.toLocaleString('en-US')} ${unit}.`);
}

/** Parses a time in RFC 3339 format. Throws INVALID_ARGUMENT. */
export function checkTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()) || !/(Z|[+-]\d\d:?\d\d)$/.test(text)) {
    throw refusal('time-invalid', 'A time is written with its zone, as in 2025-07-12T00:00:00-07:00.');
  }
  return time;
}
