import { forgetKeptTokens, keepTokens, keptTokensFor, type Tokens } from './kept-tokens.ts';
import * as keycloak from './keycloak.ts';
import { checkSession } from './session.ts';
import { readClaims } from './token-claims.ts';
import { createRenewal, keepFresh, type Renewed } from './token-renewal.ts';
import { getToken, setToken, subscribeToken } from './token-store.ts';
import type { KeycloakSettings } from './types.ts';

const LOCK = 'husky.renewal';
const LOCK_WAIT_MS = 20_000;

/** Everything of Keycloak's mode that other modes need not load. */
export type KeycloakSession = {
  takeAnswer: () => Promise<Tokens | null>;
  askSilently: () => Promise<Tokens | null | 'away'>;
  answers: () => Promise<boolean>;
  visit: (askForPassword: boolean) => Promise<void>;
  leave: (idToken: string) => Promise<void>;
  renew: (stale: string) => Promise<Renewed>;
};

async function inOneTabAtATime(work: () => Promise<Renewed>): Promise<Renewed> {
  // Browsers without locks are used over plain http only, where keycloak-js cannot work anyway.
  if (!('locks' in navigator)) return work();
  try {
    return await navigator.locks.request(LOCK, { signal: AbortSignal.timeout(LOCK_WAIT_MS) }, work);
  } catch {
    return 'away';
  }
}

/** Opens the way to Keycloak and keeps the token of its sessions fresh from now on. */
export function openKeycloak(settings: KeycloakSettings): KeycloakSession {
  // Tokens of the forms are given to another client; they have no refresh token and end after the session's length.
  const isRenewable = (token: string) => readClaims(token).azp === settings.clientId;

  const obtain = async (stale: string): Promise<Tokens | 'ended' | 'away'> => {
    if (!isRenewable(stale)) return 'ended';
    const kept = keptTokensFor(stale);
    const answer = kept === null ? 'refused' : await keycloak.refresh(settings, kept);
    if (answer !== 'refused') return answer;
    const tokens = await keycloak.askSilently(settings);
    if (tokens === null || tokens === 'away') return tokens ?? 'ended';
    // Somebody else signed in at Keycloak meanwhile: an open page must not change hands unseen.
    return readClaims(tokens.token).sub === readClaims(stale).sub ? tokens : 'ended';
  };
  const store = (tokens: Tokens) => {
    keepTokens(tokens);
    setToken(tokens.token);
  };
  const renew = createRenewal({ obtain, store, exclusively: inOneTabAtATime });

  subscribeToken(() => {
    const token = getToken();
    if (token === null || keptTokensFor(token) === null) forgetKeptTokens();
  });
  keepFresh({
    renew,
    isRenewable,
    holdsRefreshToken: (token) => keptTokensFor(token) !== null,
    isVisible: () => !document.hidden,
    subscribeVisible: (listener) => document.addEventListener('visibilitychange', listener),
    onEnded: () => void checkSession(),
  });

  return {
    takeAnswer: () => keycloak.takeAnswer(settings),
    askSilently: () => keycloak.askSilently(settings),
    answers: () => keycloak.answers(settings),
    visit: (askForPassword) => keycloak.visit(settings, askForPassword),
    leave: (idToken) => keycloak.leave(settings, idToken),
    renew,
  };
}
