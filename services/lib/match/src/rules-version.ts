/** The rules every match begun now is played by. Raise it with any change of the engine that could alter a result or a deck. */
export const RULES_VERSION = 1;

/** Throws RangeError for rules that this build cannot re-deal. */
export function checkRulesVersion(version: number): void {
  if (version !== RULES_VERSION) throw new RangeError(`rules version ${version} is not known here`);
}
