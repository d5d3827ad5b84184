/**
 * The rules version of new matches. Increase it with every change of the engine that can alter a result or a deck, and keep the rules of
 * the earlier versions. Version 3 deals from a key of seed and public randomness (commitment.ts) and seeds the seats (deck.ts); version 2 has the dead button; version 1 derived
 * button and small blind from the players left.
 */
export const RULES_VERSION = 3;

/** Returns whether matches of these rules can be played and re-dealt here. */
export const isKnownVersion = (version: unknown): version is number =>
  Number.isSafeInteger(version) && Number(version) >= 1 && Number(version) <= RULES_VERSION;

/** Throws RangeError for rules that are not known here. */
export function checkRulesVersion(version: number): void {
  if (!isKnownVersion(version)) throw new RangeError(`rules version ${version} is not known here`);
}
