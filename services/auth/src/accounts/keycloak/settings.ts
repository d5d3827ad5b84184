/** The Keycloak realm and its clients. */
export interface KeycloakSettings {
  /** Public address, for browsers and in tokens, without a trailing slash. */
  readonly url: string;
  /** Address for calls from this service; often the same. */
  readonly internalUrl: string;
  readonly realm: string;
  /** Confidential client with direct grants and a service account. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Public client of the site. */
  readonly webClientId: string;
}

export const issuerOf = ({ url, realm }: KeycloakSettings): string => `${url}/realms/${encodeURIComponent(realm)}`;

/** Returns the address of an OpenID Connect endpoint of the realm. */
export const protocolUrl = ({ internalUrl, realm }: KeycloakSettings, call: string): string =>
  `${internalUrl}/realms/${encodeURIComponent(realm)}/protocol/openid-connect/${call}`;
