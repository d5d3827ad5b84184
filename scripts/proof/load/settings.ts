import { readFileSync } from 'node:fs';
import { readVariables } from '@husky/runtime/process/config';
import { siteUrl } from '@husky/runtime/process/url-variables';

/** The profiles of charts/husky-holdem/files/load/profile.js. */
export const profiles = ['smoke', 'load', 'stress', 'soak', 'spike', 'overload'] as const;
export type Profile = (typeof profiles)[number];

/** The validated environment variables of `make load`. */
export interface LoadSettings {
  readonly profile: Profile;
  /** Without a trailing slash; undefined: a platform is started. */
  readonly origin: string | undefined;
  readonly admin: { readonly username: string; readonly password: string };
  readonly users: number;
  /** File of accounts, created if it does not exist; undefined: a temporary file. */
  readonly accounts: string | undefined;
  readonly results: string;
}

/** Reads and validates the environment variables. Throws an error whose message names the invalid one. */
export function readSettings(env: NodeJS.ProcessEnv): LoadSettings {
  const profile = env.PROFILE === undefined || env.PROFILE === '' ? 'smoke' : env.PROFILE;
  const known = profiles.find((name) => name === profile);
  if (known === undefined) throw new Error(`Unknown profile ${profile}. Profiles: ${profiles.join(', ')}`);
  const users = Number(env.USERS ?? 100);
  if (!Number.isInteger(users) || users < 1 || users > 5000) {
    throw new Error(`USERS must be an integer from 1 to 5000, not ${env.USERS}`);
  }
  for (const name of ['RATE', 'DURATION', 'WATCHERS', 'UPLOADS', 'VUS', 'HANDS', 'PAGES']) {
    const text = env[name];
    if (text !== undefined && !(Number(text) > 0)) throw new Error(`${name} must be a positive number, not ${text}`);
  }
  const { ORIGIN: origin } = readVariables({ ORIGIN: siteUrl.optional() }, env);
  const passwordFile = env.ADMIN_PASSWORD_FILE;
  const password = passwordFile === undefined ? env.ADMIN_PASSWORD : readFileSync(passwordFile, 'utf8').trim();
  if (origin !== undefined && password === undefined && env.ACCOUNTS === undefined) {
    throw new Error(
      'ORIGIN needs ADMIN_PASSWORD (and ADMIN_USERNAME, if not admin), or ACCOUNTS with a file of accounts',
    );
  }
  return {
    profile: known,
    origin,
    admin: { username: env.ADMIN_USERNAME ?? 'admin', password: password ?? '' },
    users,
    accounts: env.ACCOUNTS,
    results: env.RESULTS ?? `test-results/load-${known}`,
  };
}
