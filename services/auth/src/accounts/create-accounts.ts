import type { Lifecycle } from '@husky/runtime/lifecycle';
import { watchedFile } from '@husky/runtime/watched-file';
import type { AuthConfig } from '../config.ts';
import type { AuthContext } from '../context.ts';
import { createAccessTokens, parseSigningKeys, type SigningKeySource } from '../domain/access-tokens.ts';
import { createPasswords } from '../domain/passwords.ts';
import { renewSigningKeys, storedSigningKeys } from '../store/signing-keys.ts';
import { whenReached } from '../when-reached.ts';
import type { Accounts } from './accounts.ts';
import { createAdminApi } from './keycloak/admin-api.ts';
import { followRealm } from './keycloak/follow-realm.ts';
import { createKeycloakHttp } from './keycloak/http.ts';
import { createKeycloakAccounts } from './keycloak/keycloak-accounts.ts';
import type { KeycloakSettings } from './keycloak/settings.ts';
import { createSignIn } from './keycloak/sign-in.ts';
import { createRealmTokens } from './keycloak/tokens.ts';
import { createOwnAccounts } from './own/own-accounts.ts';

type Tools = Pick<AuthContext, 'log' | 'pool' | 'db' | 'transaction' | 'now'>;

export interface KeptAccounts {
  readonly accounts: Accounts;
  /** What is due now and then. */
  tend(): Promise<void>;
}

/** The accounts that the configuration names. */
export async function createAccounts(
  config: AuthConfig,
  tools: Tools,
  life: Pick<Lifecycle, 'onStop' | 'readyWhen'>,
): Promise<KeptAccounts> {
  return config.keycloak ? inKeycloak(config.keycloak, tools, life) : ofOurOwn(config, tools, life);
}

function inKeycloak(
  settings: KeycloakSettings,
  tools: Tools,
  life: Pick<Lifecycle, 'onStop' | 'readyWhen'>,
): KeptAccounts {
  const { log } = tools;
  const http = createKeycloakHttp(log);
  const admin = createAdminApi(settings, http, log);
  const follower = followRealm({ ...tools, admin });
  life.onStop('following Keycloak', () => follower.stop());
  const tokens = createRealmTokens(settings, http);
  life.readyWhen('Keycloak', async () => {
    const silent = http.away(tokens.keysUrl);
    if (!http.met()) throw new Error('it has not answered yet');
    return silent ? 'it does not answer; sign-in and whatever needs a signed-in user is refused' : undefined;
  });
  const signIn = createSignIn(settings, http, log);
  const accounts = createKeycloakAccounts({ ...tools, http, tokens, signIn, admin });
  return { accounts, tend: async () => undefined };
}

async function ofOurOwn(config: AuthConfig, tools: Tools, life: Pick<Lifecycle, 'onStop'>): Promise<KeptAccounts> {
  const { log, db, now } = tools;
  const { signingKeyFile, signingKeyDays } = config;
  const tend = async () => {
    if (signingKeyFile === undefined) await renewSigningKeys(db, signingKeyDays, now());
  };
  // At a start many things want the database at once, and replicas wait for each other here.
  await whenReached(log, tend);
  const keys = signingKeyFile === undefined ? storedSigningKeys(db, now) : signingKeysOf(signingKeyFile);
  const passwords = await createPasswords(config.argon2);
  life.onStop('passwords', () => passwords.close());
  return { accounts: createOwnAccounts({ ...tools, passwords, tokens: createAccessTokens(keys) }), tend };
}

function signingKeysOf(file: string): SigningKeySource {
  const keys = watchedFile(file, 'the key that signs access tokens', parseSigningKeys);
  return async () => keys();
}
