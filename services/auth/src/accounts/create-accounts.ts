import type { Lifecycle } from '@husky/runtime/process/lifecycle';
import { watchedFile } from '@husky/runtime/process/watched-file';
import type { AuthConfig } from '../config.ts';
import type { AuthContext } from '../context.ts';
import { createAccessTokens, parseSigningKeys, type SigningKeySource } from '../domain/access-tokens.ts';
import { createPasswords } from '../domain/passwords.ts';
import { retryAtStart } from '../retry-at-start.ts';
import { rotateSigningKeys, storedSigningKeys } from '../store/signing-keys.ts';
import type { Accounts } from './accounts.ts';
import { createAdminApi } from './keycloak/admin-api.ts';
import { createKeycloakHttp } from './keycloak/http.ts';
import { createKeycloakAccounts } from './keycloak/keycloak-accounts.ts';
import { startRealmSync } from './keycloak/realm-sync.ts';
import type { KeycloakSettings } from './keycloak/settings.ts';
import { createRealmSignIn } from './keycloak/sign-in.ts';
import { createRealmTokens } from './keycloak/tokens.ts';
import { createOwnAccounts } from './own/own-accounts.ts';

type Dependencies = Pick<AuthContext, 'log' | 'pool' | 'db' | 'transaction' | 'now'>;

export interface AccountsBackend {
  readonly accounts: Accounts;
  /** Replaces signing keys that are due. Idempotent; call it hourly. */
  rotateKeys(): Promise<void>;
}

/** Opens the identity backend that the configuration selects. */
export async function createAccounts(
  config: AuthConfig,
  dependencies: Dependencies,
  life: Pick<Lifecycle, 'onStop' | 'readyWhen'>,
): Promise<AccountsBackend> {
  return config.keycloak
    ? openKeycloakAccounts(config.keycloak, dependencies, life)
    : openOwnAccounts(config, dependencies, life);
}

function openKeycloakAccounts(
  settings: KeycloakSettings,
  dependencies: Dependencies,
  life: Pick<Lifecycle, 'onStop' | 'readyWhen'>,
): AccountsBackend {
  const { log } = dependencies;
  const http = createKeycloakHttp(log);
  const admin = createAdminApi(settings, http, log);
  const sync = startRealmSync({ ...dependencies, admin });
  life.onStop('realm sync', () => sync.stop());
  const tokens = createRealmTokens(settings, http);
  life.readyWhen('Keycloak', async () => {
    const unavailable = http.isUnavailable(tokens.keysUrl);
    if (!http.wasReached()) throw new Error('it has not answered yet');
    return unavailable ? 'it does not answer; sign-in and whatever needs a signed-in user is refused' : undefined;
  });
  const signIn = createRealmSignIn(settings, http, log);
  const accounts = createKeycloakAccounts({ ...dependencies, http, tokens, signIn, admin });
  return { accounts, rotateKeys: async () => undefined };
}

async function openOwnAccounts(
  config: AuthConfig,
  dependencies: Dependencies,
  life: Pick<Lifecycle, 'onStop'>,
): Promise<AccountsBackend> {
  const { log, db, now } = dependencies;
  const { signingKeyFile, signingKeyDays } = config;
  const rotateKeys = async () => {
    if (signingKeyFile === undefined) await rotateSigningKeys(db, signingKeyDays, now());
  };
  // The database may be busy at a start, and replicas that start together wait for each other's lock here.
  await retryAtStart(log, rotateKeys);
  const keys = signingKeyFile === undefined ? storedSigningKeys(db, now) : signingKeysOf(signingKeyFile);
  const passwords = await createPasswords(config.argon2);
  life.onStop('passwords', () => passwords.close());
  return { accounts: createOwnAccounts({ ...dependencies, passwords, tokens: createAccessTokens(keys) }), rotateKeys };
}

function signingKeysOf(file: string): SigningKeySource {
  const keys = watchedFile(file, 'the key that signs access tokens', parseSigningKeys);
  return async () => keys();
}
