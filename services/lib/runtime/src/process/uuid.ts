import { createHash } from 'node:crypto';
import { DomainError } from '../rpc/errors.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns whether a text is a well-formed uuid. Callers treat malformed ids as unknown ones. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/**
 * Returns whether a text is a uuid in lower case, as ids are stored. For ids that are also keys of caches and names of subjects, which
 * compare texts.
 */
export function isLowerCaseUuid(text: string): boolean {
  return isUuid(text) && text === text.toLowerCase();
}

/** Formats 32 hex digits as a uuid. Returns any other number of digits as it is. */
export const uuidFromHex = (digits: string): string =>
  digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Returns the uuid that stands for a text where ids are uuids: the first half of its SHA-256. */
export const uuidOfText = (text: string): string =>
  uuidFromHex(createHash('sha256').update(text).digest('hex').slice(0, 32));

/** Returns the well-formed uuids of a request. Throws INVALID_ARGUMENT for more than `max` ids; `noun` names them in the refusal. */
export function uuidsOf(ids: readonly string[], max: number, noun: string): string[] {
  if (ids.length > max) {
    throw new DomainError('INVALID_ARGUMENT', 'too-many-ids', `At most ${max} ${noun} can be requested at once`);
  }
  return ids.filter(isUuid);
}
