import { RULES_VERSION } from '@husky/match/rules-version';

/** Returns the versions of the rules and of Node. */
export async function about(): Promise<object> {
  return { rules_version: RULES_VERSION, node: process.version };
}
