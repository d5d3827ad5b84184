/** Which Keycloak, realm and clients. */
export interface KeycloakSettings {
  /** As browsers reach it and as tokens name it, without a slash at the end. */
  readonly url: string;
  /** As we reach it; often the same. */
  readonly internalUrl: string;
  readonly realm: string;
  /** Confidential: direct grants and a service account. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Public: the site in the browser. */
  readonly webClientId: string;
}

export const issuerOf = ({ url, realm }: KeycloakSettings): string => `${url}/realms/${encodeURIComponent(realm)}`;

/** Address of one of the realm's OpenID Connect calls. */
export const protocolUrl = ({ internalUrl, realm }: KeycloakSettings, call: string): string =>
  `${internalUrl}/realms/${encodeURIComponent(realm)}/protocol/openid-connect/${call}`;
