import { useSyncExternalStore } from 'react';
import { api, setRefusalHandler } from '../lib/api.ts';
import { type ApiError, isApiError } from '../lib/api-error.ts';
import { logFailure } from '../lib/log.ts';
import type { User } from '../lib/types.ts';
import { clearReturnPath } from './return-path.ts';
import { adoptStoredToken, embedded, getToken, isSignedOut, markSignedOut, setToken } from './tokens.ts';

/** `ended`: the server has ended the session; the user is kept so that an open form survives a new login. */
export type Session = {
  phase: 'checking' | 'unreachable' | 'anonymous' | 'signed-in';
  user: User | null;
  ended: boolean;
};

const RETRY_MS = 5_000;
/** Visible tabs show changed roles, verification and sign-outs elsewhere after at most this time. */
const RECHECK_MS = 30_000;
const MIN_RECHECK_INTERVAL_MS = 2_000;
const ANONYMOUS: Session = { phase: 'anonymous', user: null, ended: false };
const CHECKING: Session = { phase: 'checking', user: null, ended: false };

let session: Session = getToken() === null ? ANONYMOUS : CHECKING;
let checks = 0;
let pendingChecks = 0;
let checkedAtMs = 0;
let signedInByOtherTab = false;
let recheckTimer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function update(next: Session): void {
  // Most checks change nothing; pages are rendered only after a change.
  if (JSON.stringify(next) === JSON.stringify(session)) return;
  session = next;
  for (const listener of listeners) listener();
}

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const getSession = (): Session => session;

/**
 * Requests the user of the stored token and returns the refusal, if any. Only a refusal signs out; after any other failure
 * the token is kept and the check retried. Of concurrent checks the last one counts.
 */
export async function checkSession(): Promise<ApiError | null> {
  const check = ++checks;
  if (getToken() === null) {
    update(ANONYMOUS);
    return null;
  }
  pendingChecks++;
  checkedAtMs = Date.now();
  try {
    const user = await api.get('/auth/whoami');
    if (check === checks) update({ phase: 'signed-in', user, ended: false });
    return null;
  } catch (error) {
    if (check === checks) handleFailedCheck(error);
    return isApiError(error) ? error : null;
  } finally {
    pendingChecks--;
  }
}

function handleFailedCheck(error: unknown): void {
  if (isApiError(error, 401, 403)) {
    setToken(null);
    update(session.user === null ? ANONYMOUS : { ...session, ended: true });
  } else if (session.user === null) {
    update({ phase: 'unreachable', user: null, ended: false });
    setTimeout(() => {
      if (session.phase === 'unreachable') void checkSession();
    }, RETRY_MS);
  }
}

/** Stores a new token and loads its user, while an open page stays as it is. Returns the refusal, if any. */
export async function signIn(token: string): Promise<ApiError | null> {
  signedInByOtherTab = false;
  markSignedOut(false);
  setToken(token);
  return checkSession();
}

/** Returns whether another tab signed in and this one took over its token. */
export const isSignInOfAnotherTab = (): boolean => signedInByOtherTab;

/** Revokes the token at the server, where a failure is ignored, and removes it here. */
export async function signOut(): Promise<void> {
  const token = getToken();
  const revoked = token === null ? Promise.resolve() : api.post('/auth/logout', { body: { token } });
  checks++;
  // Before the token is removed: other tabs read the mark when they see that.
  markSignedOut(true);
  setToken(null);
  clearReturnPath();
  update(ANONYMOUS);
  await revoked.catch((error: unknown) => logFailure('Logout failed', error));
}

/** Signs out of a session that the server has ended. */
export function dismissEndedSession(): void {
  markSignedOut(true);
  clearReturnPath();
  update(ANONYMOUS);
}

export function useSession(): Session {
  return useSyncExternalStore(subscribeSession, getSession);
}

/** Takes over another tab's token. Only a sign-out leaves an open page; an ended session shows a login dialog over it. */
function onStorage(event: StorageEvent): void {
  if (!adoptStoredToken(event)) return;
  signedInByOtherTab = true;
  if (getToken() === null && session.user !== null && !isSignedOut()) update({ ...session, ended: true });
  else void checkSession();
}

/** Checks the session again in a visible tab, at most every 2 s, because roles change while a user is signed in. */
function recheck(): void {
  const due = Date.now() - checkedAtMs >= MIN_RECHECK_INTERVAL_MS;
  const idle = pendingChecks === 0 && getToken() !== null;
  if (session.phase === 'signed-in' && idle && due && !document.hidden) void checkSession();
}

/** Schedules one more check: the last one may be older than the refusal. Debounced. */
function recheckAfter(delayMs: number): void {
  if (recheckTimer !== undefined) return;
  recheckTimer = setTimeout(() => {
    recheckTimer = undefined;
    recheck();
  }, delayMs);
}

/**
 * Starts the check at load and the reactions to a 401 or 403, to other tabs and to time. Called once, by main. With
 * `awaitRedirect`, the session stays 'checking' until single sign-on has handled the redirect in the address.
 */
export function startSession({ awaitRedirect }: { awaitRedirect: boolean }): void {
  if (embedded) return;
  setRefusalHandler((status) => {
    if (getToken() === null) return;
    const delayMs = MIN_RECHECK_INTERVAL_MS - (Date.now() - checkedAtMs);
    if (pendingChecks === 0 && (status === 401 || delayMs <= 0)) void checkSession();
    else if (status === 403) recheckAfter(delayMs);
  });
  window.addEventListener('storage', onStorage);
  window.addEventListener('focus', recheck);
  document.addEventListener('visibilitychange', recheck);
  setInterval(recheck, RECHECK_MS);
  if (awaitRedirect && getToken() === null) update(CHECKING);
  else void checkSession();
}
