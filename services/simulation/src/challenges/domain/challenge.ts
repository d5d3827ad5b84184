import { isHouseUser } from '@husky/contracts/house-user';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { tableSize } from '../../domain/job.ts';
import { checkDay, dayMs } from '../../domain/test-run-quota.ts';

/** How long a challenge waits for answers. */
export const answerMs = dayMs;

/** Most hands of a match, or of each rotation of a set. */
const maxHands = { set: 200, classic: 1000 } as const;
export type Format = keyof typeof maxHands;
const fills = ['house', 'neighbours'] as const;
export type Fill = (typeof fills)[number];
const choices = ['accept', 'ask', 'never'] as const;
/** What a user does with challenges. */
export type Choice = (typeof choices)[number];

export interface NewChallenge {
  readonly opponentIds: readonly string[];
  readonly format: Format;
  readonly numRounds: number;
  readonly fill: Fill;
}

const refusal = (message: string) => new DomainError('INVALID_ARGUMENT', 'challenge-invalid', message);
export const cannotPlay = (message: string) => new DomainError('FAILED_PRECONDITION', 'opponent-unavailable', message);
export const noSuchPlayer = () => new DomainError('NOT_FOUND', 'no-such-user', 'User not found');
export const challengeNotFound = () => new DomainError('NOT_FOUND', 'challenge-not-found', 'Challenge not found');
export const challengeOver = (message: string) => new DomainError('ABORTED', 'challenge-over', message);

/** Checks what can be checked without other users. '' is the default. Throws INVALID_ARGUMENT. */
export function checkChallenge(
  given: { readonly [K in keyof NewChallenge]: K extends 'format' | 'fill' ? string : NewChallenge[K] },
  challengerId: string,
): NewChallenge {
  const { opponentIds, numRounds } = given;
  const format = given.format === 'set' || given.format === 'classic' ? given.format : undefined;
  if (!format) throw refusal("The format is 'set' or 'classic'.");
  const fill = fills.find((known) => known === (given.fill || 'house'));
  if (!fill) throw refusal("Seats are filled with 'house' or 'neighbours'.");
  const max = maxHands[format];
  if (!Number.isInteger(numRounds) || numRounds < 1 || numRounds > max) {
    throw refusal(`A ${format === 'set' ? 'rotation' : 'match'} has 1 to ${max.toLocaleString('en')} hands.`);
  }
  if (opponentIds.length < 1 || opponentIds.length >= tableSize) {
    throw refusal(`A challenge goes to one to ${tableSize - 1} players.`);
  }
  if (opponentIds.includes(challengerId)) throw refusal('You cannot challenge yourself.');
  if (new Set(opponentIds).size < opponentIds.length) throw refusal('A player can be challenged only once at a table.');
  if (!opponentIds.every(isUuid)) throw refusal('A player does not exist.');
  if (opponentIds.some(isHouseUser)) {
    throw refusal('House bots cannot be challenged; they fill the seats that remain.');
  }
  return { opponentIds, format, numRounds, fill };
}

/** Throws INVALID_ARGUMENT for an unknown choice. */
export function checkChoice(given: string): Choice {
  const choice = choices.find((known) => known === given);
  if (!choice) throw refusal(`A choice is one of ${choices.join(', ')}.`);
  return choice;
}

/** Throws if one more challenge would exceed the limit. `blocking`: when the one was sent whose 24 hours must pass before the next. */
export function checkChallengeQuota(maxADay: number, blocking: Date | undefined, now: number): void {
  if (maxADay === 0) {
    throw new DomainError('FAILED_PRECONDITION', 'no-challenges', 'The organisers allow you no challenges at present.');
  }
  const words = { used: 'sent', noun: 'challenge', next: 'be sent', reason: 'too-many-challenges-today' };
  checkDay(words, { most: maxADay, blockingStart: blocking?.getTime() }, now);
}
