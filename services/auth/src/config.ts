import { type BackendSettings, backendSettings, readPart, readSecret } from '@husky/runtime/process/config';
import type { ValuesOf } from '@husky/runtime/process/variables';
import type { KeycloakSettings } from './accounts/keycloak/settings.ts';

// OWASP's recommendation for Argon2id.
const argon2 = { memoryKib: 19_456, passes: 2, lanes: 1 };
const signingKeyDays = 30;

export interface AuthConfig extends BackendSettings {
  /** Base address of links in mails, without a trailing slash. */
  readonly publicUrl: string;
  readonly firstAdmin: { readonly username: string; readonly password: string; readonly email: string } | undefined;
  /** The realm that holds the accounts; undefined when auth holds them itself. */
  readonly keycloak: KeycloakSettings | undefined;
  /** A JWK or JWK set; without it keys are created in the database. */
  readonly signingKeyFile: string | undefined;
  /** Days for which a stored key signs before it is replaced; 0: it is never replaced. */
  readonly signingKeyDays: number;
  readonly argon2: { readonly memoryKib: number; readonly passes: number; readonly lanes: number };
  readonly mail: { readonly smtpUrl: string | undefined; readonly outboxFolder: string; readonly from: string };
}

export function readConfig(env: NodeJS.ProcessEnv): AuthConfig {
  const read = readPart('auth', env);
  if ((read.ADMIN_USERNAME === undefined) !== (read.ADMIN_PASSWORD_FILE === undefined)) {
    throw new Error('Configuration is not complete: ADMIN_USERNAME and ADMIN_PASSWORD_FILE go together');
  }
  return {
    ...backendSettings('auth', read),
    publicUrl: read.PUBLIC_URL,
    firstAdmin:
      read.ADMIN_USERNAME === undefined || read.ADMIN_PASSWORD_FILE === undefined
        ? undefined
        : { username: read.ADMIN_USERNAME, password: readSecret(read.ADMIN_PASSWORD_FILE), email: read.ADMIN_EMAIL },
    keycloak: keycloakSettings(read),
    signingKeyFile: read.AUTH_SIGNING_KEY_FILE,
    signingKeyDays,
    argon2,
    mail: { smtpUrl: read.SMTP_URL, outboxFolder: read.MAIL_OUTBOX_DIR, from: read.MAIL_FROM },
  };
}

function keycloakSettings(read: ValuesOf<'auth'>): KeycloakSettings | undefined {
  if (read.IDENTITY !== 'keycloak') return undefined;
  if (read.KEYCLOAK_URL === undefined || read.KEYCLOAK_CLIENT_SECRET_FILE === undefined) {
    throw new Error(
      'Configuration is not complete: IDENTITY=keycloak needs KEYCLOAK_URL and KEYCLOAK_CLIENT_SECRET_FILE',
    );
  }
  return {
    url: read.KEYCLOAK_URL,
    internalUrl: read.KEYCLOAK_INTERNAL_URL ?? read.KEYCLOAK_URL,
    realm: read.KEYCLOAK_REALM,
    clientId: read.KEYCLOAK_CLIENT_ID,
    clientSecret: readSecret(read.KEYCLOAK_CLIENT_SECRET_FILE),
    webClientId: read.KEYCLOAK_WEB_CLIENT_ID,
  };
}
