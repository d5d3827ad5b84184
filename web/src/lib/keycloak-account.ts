import type { AppConfig } from './types.ts';

type Settings = NonNullable<AppConfig['keycloak']>;

/** The address of a realm at Keycloak. */
export const realmUrl = ({ url, realm }: Settings): string =>
  `${url.replace(/\/$/, '')}/realms/${encodeURIComponent(realm)}`;

/** Where people look after what Keycloak keeps of them. */
export const keycloakAccountUrl = (settings: Settings): string => `${realmUrl(settings)}/account`;
