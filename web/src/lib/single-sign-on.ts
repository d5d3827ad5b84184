import { useSyncExternalStore } from 'react';
import { setRenewer } from './api.ts';
import { loadAppConfig } from './app-config.ts';
import { keepTokens, type Tokens } from './kept-tokens.ts';
import type { KeycloakSession } from './keycloak-session.ts';
import { checkSession, getSession, signIn } from './session.ts';
import { readClaims } from './token-claims.ts';
import { getToken, isSignedOut } from './token-store.ts';

const AWAY = 'Single sign-on cannot be reached at the moment. Please try again in a minute.';
const FAILED = 'Single sign-on did not complete. Please try again.';
const INSECURE = 'Single sign-on needs a secure address (https). Please log in with your username and password.';

/** What went wrong on the way from or to Keycloak, for the pages that offer it; '' is nothing. */
let problem = '';
/** Keycloak let this user in and the platform did not: going there again must not bring the same user back unasked. */
let refused = false;
const listeners = new Set<() => void>();

function report(text: string): void {
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
  const { identity, keycloak } = await loadAppConfig();
  if (identity !== 'keycloak' || keycloak === undefined) return null;
  const { openKeycloak } = await import('./keycloak-session.ts');
  return openKeycloak(keycloak);
}

/** Keycloak's part, fetched once, or null where the platform keeps the accounts itself. A failure is not kept. */
export function singleSignOn(): Promise<KeycloakSession | null> {
  opened ??= open().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

/** Whether Keycloak's redirect ended at this address: a code, or the reason why there is none. */
export function bringsAnswer(hash: string): boolean {
  const params = new URLSearchParams(hash.slice(1));
  return params.has('state') && (params.has('code') || params.has('error'));
}

async function admit(tokens: Tokens): Promise<void> {
  keepTokens(tokens);
  const refusal = await signIn(tokens.token);
  refused = refusal !== null && getSession().user === null && getToken() === null;
  if (refused) report(refusal?.detail || FAILED);
}

/** The first look at this page's load, while it lasts. */
let beginning: Promise<void> | null = null;

async function begin(): Promise<void> {
  const answering = bringsAnswer(window.location.hash);
  try {
    const keycloak = await singleSignOn();
    if (keycloak === null) return;
    if (answering) {
      const tokens = await keycloak.takeAnswer();
      if (tokens !== null) await admit(tokens);
      // An old answer that somebody came back to is of no interest once they are signed in.
      else if (getToken() === null) report(FAILED);
    } else if (getToken() === null && !isSignedOut()) {
      // Who signed out here stays so until the next sign-in, though Keycloak may know another session.
      const tokens = await keycloak.askSilently();
      // A form may have been quicker.
      if (tokens === 'away') report(AWAY);
      else if (tokens !== null && getToken() === null) await admit(tokens);
    }
  } catch {
    if (answering && getToken() === null) report(FAILED);
  } finally {
    if (getToken() === null && getSession().phase === 'checking') await checkSession();
  }
}

/** Takes over an answer of Keycloak or asks it silently, and lets it renew tokens. Called once, by main; nothing waits for it. */
export function startSingleSignOn(): void {
  setRenewer(async (stale) => {
    // Only Keycloak names the client that a token was given to.
    if (readClaims(stale).azp === undefined) return 'ended';
    try {
      return (await (await singleSignOn())?.renew(stale)) ?? 'ended';
    } catch {
      return 'away';
    }
  });
  beginning = begin().finally(() => {
    beginning = null;
  });
}

/** Leaves the page for Keycloak. Stays, with a sentence, where that would lead nowhere. */
export async function visitSingleSignOn(): Promise<void> {
  report('');
  if (!window.isSecureContext) {
    report(INSECURE);
    return;
  }
  if (beginning !== null) {
    // Keycloak loses a login that begins while the silent check is under way: it answers "Your login attempt timed out".
    await beginning;
    if (getToken() !== null) return;
    report('');
  }
  try {
    const keycloak = await singleSignOn();
    if (keycloak === null || !(await keycloak.answers())) report(AWAY);
    else await keycloak.visit(refused);
  } catch {
    report(AWAY);
  }
}
