import { getToken, type Renewed, readClaims, rereadToken, subscribeToken, type Tokens } from './tokens.ts';

export type RenewalParts = {
  /** Requests a new token from Keycloak that replaces the given one. */
  requestTokens: (stale: string) => Promise<Tokens | 'ended' | 'unreachable'>;
  store: (tokens: Tokens) => void;
  /** Runs the work while no other tab of this browser runs its own. */
  exclusively: (work: () => Promise<Renewed>) => Promise<Renewed>;
};

/** Returns null while the stale token is still in use. */
function outcomeFor(stale: string): Renewed | null {
  const token = getToken();
  if (token === stale) return null;
  return token === null ? 'ended' : 'renewed';
}

/**
 * Creates the renewal of access tokens. Concurrent callers in this tab share one request; a tab that waited for another tab
 * takes over the token which that tab stored. A token whose session has ended is not requested again.
 */
export function createRenewal({
  requestTokens,
  store,
  exclusively,
}: RenewalParts): (stale: string) => Promise<Renewed> {
  let pending: Promise<Renewed> | null = null;
  let endedToken: string | null = null;

  const replace = async (stale: string): Promise<Renewed> => {
    rereadToken();
    const before = outcomeFor(stale);
    if (before !== null) return before;
    const result = await requestTokens(stale);
    // After a sign-out or another sign-in during the request, its result is discarded.
    const meanwhile = outcomeFor(stale);
    if (meanwhile !== null) return meanwhile;
    if (result === 'ended') endedToken = stale;
    if (typeof result === 'string') return result;
    store(result);
    return 'renewed';
  };

  return async (stale) => {
    const known = outcomeFor(stale) ?? (stale === endedToken ? 'ended' : null);
    if (known !== null) return known;
    pending ??= exclusively(() => replace(stale)).finally(() => {
      pending = null;
    });
    return pending;
  };
}

const MARGIN_S = 45;
const RETRY_MS = 10_000;

/**
 * Returns the delay before a token of this age is renewed. It depends on the token's lifetime, not on its expiry time, so
 * that a wrong clock does no harm. A tab without a refresh token renews later: another tab has usually renewed by then.
 */
export function renewalDelayMs(lifetimeS: number, ageS: number, hasRefreshToken: boolean): number {
  const margin = Math.min(MARGIN_S, lifetimeS * 0.3) / (hasRefreshToken ? 1 : 3);
  return Math.max(0, lifetimeS - Math.max(0, ageS) - margin) * 1000;
}

export type ScheduleParts = {
  renew: (stale: string) => Promise<Renewed>;
  isRenewable: (token: string) => boolean;
  hasRefreshToken: (token: string) => boolean;
  /** Hidden tabs let the token expire, so that Keycloak's idle timeout works. */
  isVisible: () => boolean;
  subscribeVisible: (listener: () => void) => void;
  onEnded: () => void;
};

/** Renews the token in use before it expires, for as long as the page is open. */
export function scheduleRenewal(parts: ScheduleParts): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let token: string | null = null;
  let issuedAtMs = 0;

  const renew = async (stale: string) => {
    const outcome = await parts.renew(stale);
    if (outcome === 'ended' && getToken() === stale) parts.onEnded();
    if (outcome === 'unreachable' && getToken() === stale) timer = setTimeout(() => void renew(stale), RETRY_MS);
  };
  const schedule = () => {
    clearTimeout(timer);
    if (token === null || !parts.isVisible() || !parts.isRenewable(token)) return;
    const { iat, exp } = readClaims(token);
    if (iat === undefined || exp === undefined) return;
    const stale = token;
    const ageS = (Date.now() - issuedAtMs) / 1000;
    timer = setTimeout(() => void renew(stale), renewalDelayMs(exp - iat, ageS, parts.hasRefreshToken(stale)));
  };
  const onTokenChange = (first: boolean) => {
    const next = getToken();
    if (next === token) return;
    token = next;
    // A token that arrives while the page is open has just been issued; a stored one has its age in its claims.
    issuedAtMs = first ? (readClaims(token).iat ?? 0) * 1000 : Date.now();
    schedule();
  };

  subscribeToken(() => onTokenChange(false));
  parts.subscribeVisible(schedule);
  onTokenChange(true);
}
