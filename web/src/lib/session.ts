import { useSyncExternalStore } from 'react';
import { api, setRefusalHandler } from './api.ts';
import { type ApiError, isApiError } from './api-error.ts';
import { clearReturnPlace } from './return-place.ts';
import { adoptStoredToken, getToken, isSignedOut, markSignedOut, setToken } from './token-store.ts';
import type { User } from './types.ts';

/** `ended` means: the server no longer knows this session; the user is kept so that an open form survives a new login. */
export type Session = {
  phase: 'checking' | 'unreachable' | 'anonymous' | 'signed-in';
  user: User | null;
  ended: boolean;
};

const RETRY_MS = 5_000;
/** Roles, verification and sign-outs elsewhere are seen after at most this long in a tab that is looked at. */
const LOOK_MS = 30_000;
const LOOK_AGAIN_MS = 2_000;
const ANONYMOUS: Session = { phase: 'anonymous', user: null, ended: false };
const CHECKING: Session = { phase: 'checking', user: null, ended: false };

let session: Session = getToken() === null ? ANONYMOUS : CHECKING;
let checks = 0;
let checking = 0;
let checkedAtMs = 0;
let ofAnotherTab = false;
let lookingAgain: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function change(next: Session): void {
  // Most checks find what is known; pages need not be drawn again for that.
  if (JSON.stringify(next) === JSON.stringify(session)) return;
  session = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const getSession = (): Session => session;
export const subscribeSession = subscribe;

/**
 * Asks the server who the stored token belongs to, and answers how it refused. Only a refusal signs out; any other failure
 * keeps the token and asks again. Of several checks at a time the last one counts.
 */
export async function checkSession(): Promise<ApiError | null> {
  const check = ++checks;
  if (getToken() === null) {
    change(ANONYMOUS);
    return null;
  }
  checking++;
  checkedAtMs = Date.now();
  try {
    const user = await api.get('/auth/whoami');
    if (check === checks) change({ phase: 'signed-in', user, ended: false });
    return null;
  } catch (error) {
    if (check === checks) handleFailedCheck(error);
    return isApiError(error) ? error : null;
  } finally {
    checking--;
  }
}

function handleFailedCheck(error: unknown): void {
  if (isApiError(error, 401, 403)) {
    setToken(null);
    change(session.user === null ? ANONYMOUS : { ...session, ended: true });
  } else if (session.user === null) {
    change({ phase: 'unreachable', user: null, ended: false });
    setTimeout(() => {
      if (session.phase === 'unreachable') void checkSession();
    }, RETRY_MS);
  }
}

/** Stores a fresh token and loads its user; an open page stays as it is while that happens. Answers how it was refused. */
export async function signIn(token: string): Promise<ApiError | null> {
  ofAnotherTab = false;
  markSignedOut(false);
  setToken(token);
  return checkSession();
}

/** Whether another tab signed in, and this one only follows. */
export const isSignInOfAnotherTab = (): boolean => ofAnotherTab;

/** Revokes the token at the server (a failure there is ignored) and forgets it here. */
export async function signOut(): Promise<void> {
  const token = getToken();
  const revoked = token === null ? Promise.resolve() : api.post('/auth/logout', { body: { token } });
  checks++;
  markSignedOut(true);
  setToken(null);
  clearReturnPlace();
  change(ANONYMOUS);
  await revoked.catch(() => undefined);
}

/** Leaves an ended session for good. */
export function forgetSession(): void {
  markSignedOut(true);
  clearReturnPlace();
  change(ANONYMOUS);
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, getSession);
}

/** What another tab did with the token. Only a sign-out leads away from an open page; an ended session asks for a new one. */
function follow(event: StorageEvent): void {
  if (!adoptStoredToken(event)) return;
  ofAnotherTab = true;
  if (getToken() === null && session.user !== null && !isSignedOut()) change({ ...session, ended: true });
  else void checkSession();
}

/** Asks again who this is, where nobody else does at the moment: roles change while somebody is signed in. */
function look(): void {
  const rested = Date.now() - checkedAtMs >= LOOK_AGAIN_MS;
  const idle = checking === 0 && getToken() !== null;
  if (session.phase === 'signed-in' && idle && rested && !document.hidden) void checkSession();
}

/** What the last look has seen may be older than the refusal: one more, however many refusals there are till then. */
function lookAfter(restMs: number): void {
  if (lookingAgain !== undefined) return;
  lookingAgain = setTimeout(() => {
    lookingAgain = undefined;
    look();
  }, restMs);
}

/**
 * Starts the check at load and the reactions to a 401 or 403, to other tabs and to time. Called once, by main. While an
 * `answer` of single sign-on lies in the address, who is signed in stays open until that has been taken over.
 */
export function startSession({ answer }: { answer: boolean }): void {
  setRefusalHandler((status) => {
    if (getToken() === null) return;
    const restMs = LOOK_AGAIN_MS - (Date.now() - checkedAtMs);
    if (checking === 0 && (status === 401 || restMs <= 0)) void checkSession();
    else if (status === 403) lookAfter(restMs);
  });
  window.addEventListener('storage', follow);
  window.addEventListener('focus', look);
  document.addEventListener('visibilitychange', look);
  setInterval(look, LOOK_MS);
  if (answer && getToken() === null) change(CHECKING);
  else void checkSession();
}
