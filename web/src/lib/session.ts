import { useSyncExternalStore } from 'react';
import { api, isApiError, setUnauthorizedHandler } from './api.ts';
import { clearReturnPlace } from './return-place.ts';
import { adoptStoredToken, getToken, setToken } from './token-store.ts';
import type { User } from './types.ts';

/** `ended` means: the server no longer knows this session; the user is kept so that an open form survives a new login. */
export type Session = {
  phase: 'checking' | 'unreachable' | 'anonymous' | 'signed-in';
  user: User | null;
  ended: boolean;
};

const RETRY_MS = 5_000;
const ANONYMOUS: Session = { phase: 'anonymous', user: null, ended: false };

let session: Session = getToken() === null ? ANONYMOUS : { phase: 'checking', user: null, ended: false };
let checking = false;
const listeners = new Set<() => void>();

function change(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const getSession = (): Session => session;
export const subscribeSession = subscribe;

/** Asks the server who the stored token belongs to. Only a 401 signs out; any other failure keeps the token and asks again. */
export async function checkSession(): Promise<void> {
  const token = getToken();
  if (token === null) {
    change(ANONYMOUS);
    return;
  }
  checking = true;
  try {
    const user = await api.get<User>('/auth/whoami');
    if (getToken() === token) change({ phase: 'signed-in', user, ended: false });
  } catch (error) {
    if (getToken() === token) handleFailedCheck(error);
  } finally {
    checking = false;
  }
}

function handleFailedCheck(error: unknown): void {
  if (isApiError(error, 401)) {
    setToken(null);
    change(session.user === null ? ANONYMOUS : { ...session, ended: true });
  } else if (session.user === null) {
    change({ phase: 'unreachable', user: null, ended: false });
    setTimeout(() => {
      if (session.phase === 'unreachable') void checkSession();
    }, RETRY_MS);
  }
}

/** Stores a fresh token and loads its user; an open page stays as it is while that happens. */
export async function signIn(token: string): Promise<void> {
  setToken(token);
  await checkSession();
}

/** Revokes the token at the server (a failure there is ignored) and forgets it here. */
export async function signOut(): Promise<void> {
  const token = getToken();
  const revoked = token === null ? Promise.resolve() : api.post('/auth/logout', { token });
  setToken(null);
  clearReturnPlace();
  change(ANONYMOUS);
  await revoked.catch(() => undefined);
}

/** Leaves an ended session for good. */
export function forgetSession(): void {
  change(ANONYMOUS);
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, getSession);
}

/** Starts the check at load and the reactions to a 401 and to other tabs. Called once, by main. */
export function startSession(): void {
  setUnauthorizedHandler(() => {
    if (!checking) void checkSession();
  });
  window.addEventListener('storage', (event) => {
    if (adoptStoredToken(event)) void checkSession();
  });
  void checkSession();
}
