import { houseUserId } from '@husky/contracts/house-user';
import { DomainError } from '@husky/runtime/errors';
import { isUuid } from '@husky/runtime/uuid';

/** Tag of the standing that single matches are added to. */
export const standingTag = '2025';
/** Tag of the entries that matches of batches are added to. */
export const batchTag = 'llm-batch';

const platformTags: readonly string[] = [standingTag, batchTag];

/** Returns whether the platform creates a tag's entries from finished matches. */
export const isPlatformTag = (tag: string): boolean => platformTags.includes(tag);

const maxTagLength = 64;
// 10^12 dollars: sums of many such scores are still exact in a JSON number.
const maxScoreCents = 1e14;

/** Validates the tag of a score added by hand and returns it trimmed. */
export function checkTag(text: string): string {
  const tag = text.trim();
  if (tag === '' || [...tag].length > maxTagLength || /\p{Cc}/u.test(tag)) {
    throw new DomainError('INVALID_ARGUMENT', 'tag-invalid', `A tag has 1 to ${maxTagLength} characters`);
  }
  if (isPlatformTag(tag)) {
    const message = `The tag ${tag} belongs to the platform: its entries come from finished matches`;
    throw new DomainError('FAILED_PRECONDITION', 'tag-reserved', message);
  }
  return tag;
}

export function checkScore(scoreCents: number): number {
  if (Number.isInteger(scoreCents) && Math.abs(scoreCents) <= maxScoreCents) return scoreCents;
  const message = 'A score is between -1,000,000,000,000 and 1,000,000,000,000 dollars';
  throw new DomainError('INVALID_ARGUMENT', 'score-out-of-range', message);
}

/** Validates the owner of an entry: any user except the house bot. Does not check whether the user was deleted. */
export function checkOwner(userId: string): string {
  if (!isUuid(userId)) throw new DomainError('NOT_FOUND', 'user-not-found', 'User not found');
  if (userId === houseUserId) {
    throw new DomainError('FAILED_PRECONDITION', 'house-account', 'The house bot gets no leaderboard entries');
  }
  return userId;
}
