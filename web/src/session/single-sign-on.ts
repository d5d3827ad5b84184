import { useSyncExternalStore } from 'react';
import { setRenewer } from '../lib/api.ts';
import { startConfig } from '../lib/app-config.ts';
import type { KeycloakSession } from './keycloak.ts';
import { checkSession, getSession, signIn } from './session.ts';
import { embedded, getToken, isSignedOut, readClaims, storeRefreshToken, type Tokens } from './tokens.ts';

const UNREACHABLE = 'Single sign-on cannot be reached at the moment. Please try again in a minute.';
const FAILED = 'Single sign-on did not complete. Please try again.';
const INSECURE = 'Single sign-on needs a secure address (https). Please log in with your username and password.';

/** The error of the last redirect to or from Keycloak; '' is none. */
let problem = '';
/** Whether the platform refused a user whom Keycloak accepted: the next login must ask for the password. */
let refused = false;
const listeners = new Set<() => void>();

function setProblem(text: string): void {
  problem = text;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSingleSignOnProblem(): string {
  return useSyncExternalStore(subscribe, () => problem);
}

let opened: Promise<KeycloakSession | null> | null = null;

async function open(): Promise<KeycloakSession | null> {
  const { identity, keycloak } = await startConfig();
  if (identity !== 'keycloak' || keycloak === undefined) return null;
  const { openKeycloak } = await import('./keycloak.ts');
  return openKeycloak(keycloak);
}

/** Loads keycloak.ts once; resolves with null if the platform has its own accounts. After a failure the next call retries. */
export function singleSignOn(): Promise<KeycloakSession | null> {
  opened ??= open().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

/** Returns whether the address has the result of a redirect from Keycloak: a code or an error. */
export function hasRedirectResult(hash: string): boolean {
  const params = new URLSearchParams(hash.slice(1));
  return params.has('state') && (params.has('code') || params.has('error'));
}

async function acceptTokens(tokens: Tokens): Promise<void> {
  storeRefreshToken(tokens);
  const refusal = await signIn(tokens.token);
  refused = refusal !== null && getSession().user === null && getToken() === null;
  if (refused) setProblem(refusal?.detail || FAILED);
}

/** The check at load, while it runs. */
let initialCheck: Promise<void> | null = null;

async function checkAtLoad(): Promise<void> {
  const redirected = hasRedirectResult(window.location.hash);
  try {
    const keycloak = await singleSignOn();
    if (keycloak === null) return;
    if (redirected) {
      const tokens = await keycloak.takeRedirectResult();
      if (tokens !== null) await acceptTokens(tokens);
      // An old result in the history does not matter to a user who is signed in.
      else if (getToken() === null) setProblem(FAILED);
    } else if (getToken() === null && !isSignedOut()) {
      // A user who signed out here stays signed out until the next sign-in, even with a session at Keycloak.
      const tokens = await keycloak.checkSilently();
      // The user may have signed in by the form during the check.
      if (tokens === 'unreachable') setProblem(UNREACHABLE);
      else if (tokens !== null && getToken() === null) await acceptTokens(tokens);
    }
  } catch {
    if (redirected && getToken() === null) setProblem(FAILED);
  } finally {
    if (getToken() === null && getSession().phase === 'checking') await checkSession();
  }
}

/** Handles a redirect from Keycloak or checks silently for a session, and renews tokens from then on. Called once, by main. */
export function startSingleSignOn(): void {
  if (embedded) return;
  setRenewer(async (stale) => {
    // Only Keycloak's tokens name the client that they were issued to.
    if (readClaims(stale).azp === undefined) return 'ended';
    try {
      return (await (await singleSignOn())?.renew(stale)) ?? 'ended';
    } catch {
      return 'unreachable';
    }
  });
  initialCheck = checkAtLoad().finally(() => {
    initialCheck = null;
  });
}

/** Leaves the page for Keycloak's login. If that is not possible, stays and reports the problem. */
export async function redirectToSingleSignOn(): Promise<void> {
  setProblem('');
  if (!window.isSecureContext) {
    setProblem(INSECURE);
    return;
  }
  if (initialCheck !== null) {
    // Keycloak loses a login that begins during the silent check: "Your login attempt timed out".
    await initialCheck;
    if (getToken() !== null) return;
    setProblem('');
  }
  try {
    const keycloak = await singleSignOn();
    if (keycloak === null || !(await keycloak.isReachable())) setProblem(UNREACHABLE);
    else await keycloak.redirectToLogin(refused);
  } catch {
    setProblem(UNREACHABLE);
  }
}
