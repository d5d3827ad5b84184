import { RULES_VERSION } from '@husky/match/rules-version';

/** Returns the versions by which a participant's machine and a site are compared. */
export async function about(): Promise<object> {
  return { rules_version: RULES_VERSION, node: process.version };
}
