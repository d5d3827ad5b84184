import { DomainError } from '@husky/runtime/errors';
import type { OwnQuota } from './quota.ts';

/** What is not given stays as it is. */
export interface SettingsChange {
  readonly banner?: string | undefined;
  readonly frozen?: boolean | undefined;
  readonly tournamentStart?: Date | undefined;
  readonly tournamentEnd?: Date | undefined;
  readonly homeBoard?: string | undefined;
  readonly quota: OwnQuota;
}

const mostBannerLength = 500;
const mostTagLength = 64;

const refuse = (reason: string, message: string) => new DomainError('INVALID_ARGUMENT', reason, message);

export function checkBanner(text: string): string {
  const banner = text.trim();
  if ([...banner].length > mostBannerLength || /[^\P{Cc}\n]/u.test(banner)) {
    throw refuse('banner-invalid', `The banner has at most ${mostBannerLength} characters.`);
  }
  return banner;
}

/** A leaderboard's tag; does not check that it has entries. */
export function checkTag(text: string): string {
  const tag = text.trim();
  if (tag === '' || [...tag].length > mostTagLength || /\p{Cc}/u.test(tag)) {
    throw refuse('home-board-invalid', `The home page's board is a tag of 1 to ${mostTagLength} characters.`);
  }
  return tag;
}

export function checkTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()) || !/(Z|[+-]\d\d:?\d\d)$/.test(text)) {
    throw refuse('time-invalid', 'A time is written with its zone, as in 2025-07-12T00:00:00-07:00.');
  }
  return time;
}
