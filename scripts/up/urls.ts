import { readVariables } from '@husky/runtime/config';
import { messageOf } from '@husky/runtime/errors';
import { urlVariables } from '@husky/runtime/url-variables';
import { CannotStart } from './preflight.ts';

const optional = Object.fromEntries(Object.entries(urlVariables).map(([name, schema]) => [name, schema.optional()]));

/** Returns the URLs among these variables in normal form. Throws CannotStart with one sentence that names the invalid ones. */
export function readUrls(env: NodeJS.ProcessEnv): Partial<Record<keyof typeof urlVariables, string>> {
  try {
    return readVariables(optional, env);
  } catch (error) {
    throw new CannotStart(messageOf(error));
  }
}
