import Keycloak, { type KeycloakInitOptions } from 'keycloak-js';
import { realmUrl } from '../lib/app-config.ts';
import type { KeycloakSettings } from '../lib/types.ts';
import { checkSession } from './session.ts';
import { createRenewal, scheduleRenewal } from './token-renewal.ts';
import {
  clearRefreshToken,
  getToken,
  type Renewed,
  readClaims,
  setToken,
  storedTokensFor,
  storeRefreshToken,
  subscribeToken,
  type Tokens,
} from './tokens.ts';

// Neither is shown to the user: the first is loaded in a hidden frame, the second redirects at once.
const SILENT_PAGE = '/silent-check-sso.html';
const REDIRECT_PAGE = '/login';
const PROBE_MS = 4_000;
const EXCHANGE_MS = 10_000;
const SILENT_MS = 6_000;
const LOCK = 'husky.renewal';
const LOCK_WAIT_MS = 20_000;

const absolute = (path: string): string => `${window.location.origin}${path}`;

function withTimeout<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Keycloak did not respond in time')), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Creates a keycloak-js client for one exchange; tokens are kept in our own store, which other tabs can read. */
async function createClient(
  settings: KeycloakSettings,
  options: KeycloakInitOptions,
  limitMs: number,
): Promise<Keycloak> {
  const client = new Keycloak(settings);
  await withTimeout(limitMs, client.init({ pkceMethod: 'S256', scope: 'openid', checkLoginIframe: false, ...options }));
  return client;
}

function tokensOf({ token, refreshToken, idToken }: Keycloak): Tokens | null {
  return token === undefined || refreshToken === undefined ? null : { token, refreshToken, idToken };
}

async function isReachable(settings: KeycloakSettings): Promise<boolean> {
  try {
    const address = `${realmUrl(settings)}/.well-known/openid-configuration`;
    return (await fetch(address, { signal: AbortSignal.timeout(PROBE_MS) })).ok;
  } catch {
    return false;
  }
}

async function checkSilently(settings: KeycloakSettings): Promise<Tokens | null | 'unreachable'> {
  if (!window.isSecureContext) return null;
  if (!(await isReachable(settings))) return 'unreachable';
  const options: KeycloakInitOptions = {
    onLoad: 'check-sso',
    silentCheckSsoRedirectUri: absolute(SILENT_PAGE),
    // Its fallback is a redirect of the whole page, which would discard unsaved input.
    silentCheckSsoFallback: false,
    messageReceiveTimeout: PROBE_MS,
  };
  try {
    return tokensOf(await createClient(settings, options, SILENT_MS));
  } catch {
    // keycloak-js leaves its frames behind when it gives up.
    for (const frame of document.querySelectorAll('iframe[title^="keycloak-"]')) frame.remove();
    return null;
  }
}

/** Exchanges a refresh token. Returns 'refused' if Keycloak no longer accepts it. */
async function refresh(settings: KeycloakSettings, tokens: Tokens): Promise<Tokens | 'refused' | 'unreachable'> {
  const { token, refreshToken, idToken } = tokens;
  try {
    const options = { token, refreshToken, ...(idToken === undefined ? {} : { idToken }) };
    return tokensOf(await createClient(settings, options, EXCHANGE_MS)) ?? 'refused';
  } catch (error) {
    const response = error instanceof Error && 'response' in error ? error.response : undefined;
    return response instanceof Response && response.status < 500 ? 'refused' : 'unreachable';
  }
}

/** Runs the work while no other tab of this browser runs it. */
async function withTabLock(work: () => Promise<Renewed>): Promise<Renewed> {
  // Browsers lack locks only on plain http, where keycloak-js does not work either.
  if (!('locks' in navigator)) return work();
  try {
    return await navigator.locks.request(LOCK, { signal: AbortSignal.timeout(LOCK_WAIT_MS) }, work);
  } catch {
    return 'unreachable';
  }
}

/** Keycloak's protocol. Loaded only if the platform uses Keycloak. */
export type KeycloakSession = {
  /** Exchanges the code that Keycloak's redirect left in the address for tokens; null if there is none. */
  takeRedirectResult: () => Promise<Tokens | null>;
  /** Checks in a hidden frame for a session at Keycloak. Null: there is none, or the browser isolates frames. */
  checkSilently: () => Promise<Tokens | null | 'unreachable'>;
  isReachable: () => Promise<boolean>;
  /** Leaves the page for Keycloak's login, which redirects back to the login page. */
  redirectToLogin: (askForPassword: boolean) => Promise<void>;
  /** Leaves the page for Keycloak's logout, which also ends the session of an identity provider behind it. */
  redirectToLogout: (idToken: string) => Promise<void>;
  renew: (stale: string) => Promise<Renewed>;
};

/** Connects the session to Keycloak: starts the renewal of its access tokens and returns the protocol's calls. */
export function openKeycloak(settings: KeycloakSettings): KeycloakSession {
  // Tokens of the forms belong to another client: they have no refresh token and last as long as the session.
  const isRenewable = (token: string) => readClaims(token).azp === settings.clientId;

  const requestTokens = async (stale: string): Promise<Tokens | 'ended' | 'unreachable'> => {
    if (!isRenewable(stale)) return 'ended';
    const stored = storedTokensFor(stale);
    const result = stored === null ? 'refused' : await refresh(settings, stored);
    if (result !== 'refused') return result;
    const tokens = await checkSilently(settings);
    if (tokens === null || tokens === 'unreachable') return tokens ?? 'ended';
    // If another user has signed in at Keycloak, an open page must not change its user silently.
    return readClaims(tokens.token).sub === readClaims(stale).sub ? tokens : 'ended';
  };
  const store = (tokens: Tokens) => {
    storeRefreshToken(tokens);
    setToken(tokens.token);
  };
  const renew = createRenewal({ requestTokens, store, exclusively: withTabLock });

  subscribeToken(() => {
    const token = getToken();
    if (token === null || storedTokensFor(token) === null) clearRefreshToken();
  });
  scheduleRenewal({
    renew,
    isRenewable,
    hasRefreshToken: (token) => storedTokensFor(token) !== null,
    isVisible: () => !document.hidden,
    subscribeVisible: (listener) => document.addEventListener('visibilitychange', listener),
    onEnded: () => void checkSession(),
  });

  return {
    takeRedirectResult: async () => tokensOf(await createClient(settings, {}, EXCHANGE_MS)),
    checkSilently: () => checkSilently(settings),
    isReachable: () => isReachable(settings),
    redirectToLogin: async (askForPassword) => {
      const client = await createClient(settings, {}, EXCHANGE_MS);
      await client.login({ redirectUri: absolute(REDIRECT_PAGE), ...(askForPassword ? { prompt: 'login' } : {}) });
    },
    redirectToLogout: async (idToken) => {
      const client = await createClient(settings, {}, EXCHANGE_MS);
      client.idToken = idToken;
      await client.logout({ redirectUri: absolute('/') });
    },
    renew,
  };
}
