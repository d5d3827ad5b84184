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

/** Returns the well-formed uuids of a request. Throws INVALID_ARGUMENT for more than `max` ids; `noun` names them in the refusal. */
export function uuidsOf(ids: readonly string[], max: number, noun: string): string[] {
  if (ids.length > max) {
    throw new DomainError('INVALID_ARGUMENT', 'too-many-ids', `At most ${max} ${noun} can be requested at once`);
  }
  return ids.filter(isUuid);
}
