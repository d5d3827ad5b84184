import {
  type BackendSettings,
  backendSettings,
  backendVariables,
  readSecret,
  readVariables,
} from '@husky/runtime/config';
import { urlVariables } from '@husky/runtime/url-variables';
import { z } from 'zod';
import type { KeycloakSettings } from './accounts/keycloak/settings.ts';
import { schema } from './store/database.ts';

const variables = {
  ...backendVariables,
  PUBLIC_URL: urlVariables.PUBLIC_URL,
  ADMIN_USERNAME: z.string().optional(),
  ADMIN_PASSWORD_FILE: z.string().optional(),
  ADMIN_EMAIL: z.string().default('admin@localhost'),
  AUTH_SIGNING_KEY_FILE: z.string().optional(),
  SIGNING_KEY_DAYS: z.coerce.number().int().min(0).max(3650).default(30),
  ARGON2_MEMORY_KIB: z.coerce.number().int().min(8).max(1_048_576).default(19_456),
  ARGON2_PASSES: z.coerce.number().int().min(1).max(20).default(2),
  ARGON2_LANES: z.coerce.number().int().min(1).max(16).default(1),
  IDENTITY: z.enum(['own', 'keycloak']).default('own'),
  KEYCLOAK_URL: urlVariables.KEYCLOAK_URL.optional(),
  KEYCLOAK_INTERNAL_URL: urlVariables.KEYCLOAK_INTERNAL_URL.optional(),
  KEYCLOAK_REALM: z.string().default('husky-holdem'),
  KEYCLOAK_CLIENT_ID: z.string().default('husky-platform'),
  KEYCLOAK_CLIENT_SECRET_FILE: z.string().optional(),
  KEYCLOAK_WEB_CLIENT_ID: z.string().default('husky-web'),
  SMTP_URL: urlVariables.SMTP_URL.optional(),
  MAIL_FROM: z.string().default("Husky Hold'em <no-reply@localhost>"),
  MAIL_OUTBOX_DIR: z.string().default('.data/mail'),
};

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
  const read = readVariables(variables, env);
  if ((read.ADMIN_USERNAME === undefined) !== (read.ADMIN_PASSWORD_FILE === undefined)) {
    throw new Error('Configuration is not complete: ADMIN_USERNAME and ADMIN_PASSWORD_FILE go together');
  }
  return {
    ...backendSettings(read, schema),
    publicUrl: read.PUBLIC_URL,
    firstAdmin:
      read.ADMIN_USERNAME === undefined || read.ADMIN_PASSWORD_FILE === undefined
        ? undefined
        : { username: read.ADMIN_USERNAME, password: readSecret(read.ADMIN_PASSWORD_FILE), email: read.ADMIN_EMAIL },
    keycloak: keycloakSettings(read),
    signingKeyFile: read.AUTH_SIGNING_KEY_FILE,
    signingKeyDays: read.SIGNING_KEY_DAYS,
    argon2: { memoryKib: read.ARGON2_MEMORY_KIB, passes: read.ARGON2_PASSES, lanes: read.ARGON2_LANES },
    mail: { smtpUrl: read.SMTP_URL, outboxFolder: read.MAIL_OUTBOX_DIR, from: read.MAIL_FROM },
  };
}

function keycloakSettings(read: z.infer<z.ZodObject<typeof variables>>): KeycloakSettings | undefined {
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
