import { join } from 'node:path';

export const realm = 'husky-holdem';
export const platformClient = 'husky-platform';
export const webClient = 'husky-web';
export const realmFile = join(import.meta.dirname, 'realm.json');

/** Returns the environment variables with which Keycloak replaces the realm file's placeholders at import. */
export function realmVariables(settings: {
  readonly publicUrl: string;
  readonly clientSecret: string;
  readonly smtpUrl: string | undefined;
}): Record<string, string> {
  const { publicUrl, clientSecret, smtpUrl } = settings;
  return { HUSKY_PUBLIC_URL: publicUrl, HUSKY_PLATFORM_SECRET: clientSecret, ...smtpVariables(smtpUrl) };
}

function smtpVariables(smtpUrl: string | undefined): Record<string, string> {
  if (smtpUrl === undefined || smtpUrl === '') return {};
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const ssl = protocol === 'smtps:';
  return {
    HUSKY_SMTP_HOST: hostname,
    HUSKY_SMTP_PORT: port || (ssl ? '465' : '25'),
    HUSKY_SMTP_SSL: String(ssl),
    HUSKY_SMTP_AUTH: String(username !== ''),
    HUSKY_SMTP_USER: decodeURIComponent(username),
    HUSKY_SMTP_PASSWORD: decodeURIComponent(password),
  };
}

/** Replaces `${NAME}` and `${NAME:default}` in the realm file's text with variables, as Keycloak's import does. */
export function fillIn(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{([A-Z_]+)(?::([^}]*))?\}/g, (_all, name: string, defaultValue?: string) =>
    JSON.stringify(variables[name] ?? defaultValue ?? '').slice(1, -1),
  );
}
