import Keycloak from 'keycloak-js';
import { signIn } from './session.ts';
import { getToken, setToken } from './token-store.ts';
import type { AppConfig } from './types.ts';

const REFRESH_KEY = 'husky.keycloak-refresh';
const REFRESH_BEFORE_S = 30;
const REFRESH_CHECK_MS = 15_000;

let client: Keycloak | null = null;

function keepTokens(keycloak: Keycloak): void {
  setToken(keycloak.token ?? null);
  if (keycloak.refreshToken) sessionStorage.setItem(REFRESH_KEY, keycloak.refreshToken);
  else sessionStorage.removeItem(REFRESH_KEY);
}

async function start(config: AppConfig): Promise<Keycloak> {
  if (client) return client;
  if (!config.keycloak) throw new Error('identity is keycloak, but the server sent no keycloak settings');
  const keycloak = new Keycloak(config.keycloak);
  const token = getToken();
  const refreshToken = sessionStorage.getItem(REFRESH_KEY);
  await keycloak.init({
    pkceMethod: 'S256',
    responseMode: 'query',
    checkLoginIframe: false,
    ...(token && refreshToken ? { token, refreshToken } : {}),
  });
  client = keycloak;
  setInterval(() => {
    if (!keycloak.authenticated) return;
    keycloak
      .updateToken(REFRESH_BEFORE_S)
      .then((refreshed) => {
        if (refreshed) keepTokens(keycloak);
      })
      .catch(() => sessionStorage.removeItem(REFRESH_KEY));
  }, REFRESH_CHECK_MS);
  return keycloak;
}

/** Takes over the answer of a redirect from Keycloak and keeps the token fresh. */
export async function resumeKeycloak(config: AppConfig): Promise<void> {
  const keycloak = await start(config);
  if (!keycloak.authenticated || !keycloak.token || keycloak.token === getToken()) return;
  keepTokens(keycloak);
  await signIn(keycloak.token);
}

/** Leaves the page for Keycloak's login or registration and comes back to /login, whose guard returns to the kept place. */
export async function visitKeycloak(config: AppConfig, action: 'login' | 'register'): Promise<void> {
  const keycloak = await start(config);
  const redirectUri = `${window.location.origin}/login`;
  await (action === 'register' ? keycloak.register({ redirectUri }) : keycloak.login({ redirectUri }));
}

export async function leaveKeycloak(config: AppConfig): Promise<void> {
  const keycloak = await start(config);
  sessionStorage.removeItem(REFRESH_KEY);
  await keycloak.logout({ redirectUri: window.location.origin });
}
