import { isHouseUser } from '@husky/contracts/house-user';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';

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

/** Returns what tags are compared by: case and compatible characters make no other board. */
const tagKey = (tag: string): string => tag.normalize('NFKC').toLowerCase();

/** Validates the tag of a score added by hand and returns it trimmed, in the normal form NFC. */
export function checkTag(text: string): string {
  const tag = text.trim().normalize('NFC');
  if (tag === '' || [...tag].length > maxTagLength || /\p{Cc}/u.test(tag)) {
    throw new DomainError('INVALID_ARGUMENT', 'tag-invalid', `A tag has 1 to ${maxTagLength} characters`);
  }
  const platformTag = platformTags.find((one) => one === tagKey(tag));
  if (platformTag !== undefined) {
    const message = `The tag ${platformTag} belongs to the platform: its entries come from finished matches`;
    throw new DomainError('FAILED_PRECONDITION', 'tag-reserved', message);
  }
  return tag;
}

/** Throws ALREADY_EXISTS for a new tag that differs from one of `tags` only in case or in compatible characters. */
export function refuseLookalike(tag: string, tags: readonly string[]): void {
  const same = tags.find((other) => tagKey(other) === tagKey(tag));
  if (same === undefined || tags.includes(tag)) return;
  throw new DomainError('ALREADY_EXISTS', 'tag-taken', `There is a board ${same}: write its tag in the same way`);
}

export function checkScore(scoreCents: number): number {
  if (Number.isInteger(scoreCents) && Math.abs(scoreCents) <= maxScoreCents) return scoreCents;
  const message = 'A score is between -1,000,000,000,000 and 1,000,000,000,000 dollars';
  throw new DomainError('INVALID_ARGUMENT', 'score-out-of-range', message);
}

/** Validates the owner of an entry: any user except the house bot. Does not check whether the user was deleted. */
export function checkOwner(userId: string): string {
  if (!isUuid(userId)) throw new DomainError('NOT_FOUND', 'user-not-found', 'User not found');
  if (isHouseUser(userId)) {
    throw new DomainError('FAILED_PRECONDITION', 'house-account', 'The house bot gets no leaderboard entries');
  }
  return userId;
}
