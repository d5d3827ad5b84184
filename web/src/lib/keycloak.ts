import Keycloak, { type KeycloakInitOptions } from 'keycloak-js';
import type { Tokens } from './kept-tokens.ts';
import { realmUrl } from './keycloak-account.ts';
import type { KeycloakSettings } from './types.ts';

// Both may be shown to nobody: the first in a hidden frame, the second leads on at once.
const SILENT_PAGE = '/silent-check-sso.html';
const ANSWER_PAGE = '/login';
const PROBE_MS = 4_000;
const EXCHANGE_MS = 10_000;
const SILENT_MS = 6_000;

const here = (path: string): string => `${window.location.origin}${path}`;

function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Keycloak did not answer in time')), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A client of keycloak-js serves one exchange: what is kept lies in our own store, where the other tabs see it. */
async function open(settings: KeycloakSettings, options: KeycloakInitOptions, limitMs: number): Promise<Keycloak> {
  const client = new Keycloak(settings);
  await within(limitMs, client.init({ pkceMethod: 'S256', scope: 'openid', checkLoginIframe: false, ...options }));
  return client;
}

function tokensOf({ token, refreshToken, idToken }: Keycloak): Tokens | null {
  return token === undefined || refreshToken === undefined ? null : { token, refreshToken, idToken };
}

/** Whether Keycloak and its realm answer at all. */
export async function answers(settings: KeycloakSettings): Promise<boolean> {
  try {
    const address = `${realmUrl(settings)}/.well-known/openid-configuration`;
    return (await fetch(address, { signal: AbortSignal.timeout(PROBE_MS) })).ok;
  } catch {
    return false;
  }
}

/** The tokens for the code that Keycloak's redirect left in the address; null where it brought none. */
export async function takeAnswer(settings: KeycloakSettings): Promise<Tokens | null> {
  return tokensOf(await open(settings, {}, EXCHANGE_MS));
}

/** Asks in a hidden frame whether this browser is signed in at Keycloak. Null: it is not, or the browser keeps frames apart. */
export async function askSilently(settings: KeycloakSettings): Promise<Tokens | null | 'away'> {
  if (!window.isSecureContext) return null;
  if (!(await answers(settings))) return 'away';
  const options: KeycloakInitOptions = {
    onLoad: 'check-sso',
    silentCheckSsoRedirectUri: here(SILENT_PAGE),
    // Its fallback is a redirect of the whole page, which would take away what somebody is typing.
    silentCheckSsoFallback: false,
    messageReceiveTimeout: PROBE_MS,
  };
  try {
    return tokensOf(await open(settings, options, SILENT_MS));
  } catch {
    // keycloak-js leaves its frames behind when it gives up.
    for (const frame of document.querySelectorAll('iframe[title^="keycloak-"]')) frame.remove();
    return null;
  }
}

/** New tokens for a refresh token; 'refused' when Keycloak knows it no longer. */
export async function refresh(settings: KeycloakSettings, tokens: Tokens): Promise<Tokens | 'refused' | 'away'> {
  const { token, refreshToken, idToken } = tokens;
  try {
    const options = { token, refreshToken, ...(idToken === undefined ? {} : { idToken }) };
    return tokensOf(await open(settings, options, EXCHANGE_MS)) ?? 'refused';
  } catch (error) {
    const response = error instanceof Error && 'response' in error ? error.response : undefined;
    return response instanceof Response && response.status < 500 ? 'refused' : 'away';
  }
}

/** Leaves the page for Keycloak's login, which comes back to the login page with an answer. */
export async function visit(settings: KeycloakSettings, askForPassword: boolean): Promise<void> {
  const client = await open(settings, {}, EXCHANGE_MS);
  await client.login({ redirectUri: here(ANSWER_PAGE), ...(askForPassword ? { prompt: 'login' } : {}) });
}

/** Leaves the page for Keycloak's sign-out, which ends its cookies and the sign-in of a provider behind it, and comes back. */
export async function leave(settings: KeycloakSettings, idToken: string): Promise<void> {
  const client = await open(settings, {}, EXCHANGE_MS);
  client.idToken = idToken;
  await client.logout({ redirectUri: here('/') });
}
