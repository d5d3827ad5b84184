import type { KeycloakSettings } from './types.ts';

/** The address of a realm at Keycloak. */
export const realmUrl = ({ url, realm }: KeycloakSettings): string =>
  `${url.replace(/\/$/, '')}/realms/${encodeURIComponent(realm)}`;

/** Where people look after what Keycloak keeps of them. */
export const keycloakAccountUrl = (settings: KeycloakSettings): string => `${realmUrl(settings)}/account`;
