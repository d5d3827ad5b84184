import type { TournamentSpec__Output } from '@husky/contracts/types/simulation/v1/TournamentSpec';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { checkStages, maxEntrants, minEntrants, type StageSpec, stagesOf } from './stage.ts';

/** What admins decide about a tournament. */
export interface Spec {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly prize: string;
  readonly template: string;
  readonly entryDeadline: Date;
  /** Null: at the deadline. */
  readonly startsAt: Date | null;
  /** Empty: everybody. */
  readonly entryList: readonly string[];
  readonly ceremony: boolean;
  readonly stages: readonly StageSpec[];
}

const refusal = (message: string) => new DomainError('INVALID_ARGUMENT', 'tournament-invalid', message);
const slugs = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/;

/** Checks what an admin has sent. Throws INVALID_ARGUMENT. `now`: a deadline must be later. */
export function checkSpec(given: TournamentSpec__Output, now: number): Spec {
  if (!slugs.test(given.slug)) {
    throw refusal('The slug has 1 to 50 characters: small letters, digits, and hyphens between them.');
  }
  const entryDeadline = timeOf(given.entryDeadline, 'entry deadline');
  if (entryDeadline.getTime() <= now) {
    throw refusal(`The entry deadline has passed: it is ${new Date(now).toISOString()} now.`);
  }
  const startsAt = given.startsAt === '' ? null : timeOf(given.startsAt, 'start');
  if (startsAt !== null && startsAt < entryDeadline) {
    throw refusal('The start cannot be before the entry deadline.');
  }
  const entryList = [...new Set(given.entryList)];
  if (!entryList.every(isUuid)) throw refusal('A user of the list does not exist.');
  if (entryList.length > 0 && (entryList.length < minEntrants || entryList.length > maxEntrants)) {
    throw refusal(`A list of entrants has ${minEntrants} to ${maxEntrants.toLocaleString('en')} users.`);
  }
  return {
    name: textOf(given.name, 'name', 1, 100),
    slug: given.slug,
    description: textOf(given.description, 'description', 0, 5000),
    prize: textOf(given.prize, 'text about the prize', 0, 1000),
    template: given.stages.length > 0 ? '' : given.template || 'official',
    entryDeadline,
    startsAt,
    entryList,
    ceremony: given.ceremony,
    stages: given.stages.length > 0 ? checkStages(given.stages) : stagesOf(given.template || 'official'),
  };
}

function textOf(text: string, what: string, min: number, max: number): string {
  const trimmed = text.trim();
  const { length } = [...trimmed];
  if (length < min) throw refusal(`The tournament needs a ${what}.`);
  if (length > max || /[^\P{Cc}\n]/u.test(trimmed)) {
    throw refusal(`The ${what} has at most ${max.toLocaleString('en')} characters.`);
  }
  return trimmed;
}

function timeOf(text: string, what: string): Date {
  const time = new Date(text);
  if (!Number.isNaN(time.getTime()) && /\dT\d.*(Z|[+-]\d\d:?\d\d)$/i.test(text)) return time;
  throw refusal(`The ${what} is a time with its zone, as in 2025-07-21T23:59:59-07:00.`);
}
