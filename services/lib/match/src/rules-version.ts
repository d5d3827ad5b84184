/** The rules version of new matches. Increase it with every change of the engine that can alter a result or a deck. */
export const RULES_VERSION = 1;

/** Throws RangeError for rules that this version cannot re-deal. */
export function checkRulesVersion(version: number): void {
  if (version !== RULES_VERSION) throw new RangeError(`rules version ${version} is not known here`);
}
