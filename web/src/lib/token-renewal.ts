import type { Tokens } from './kept-tokens.ts';
import { readClaims } from './token-claims.ts';
import { getToken, rereadToken, subscribeToken } from './token-store.ts';

/** What became of an access token that ran out: another one lies there, there is no session any more, or nobody could be asked. */
export type Renewed = 'renewed' | 'ended' | 'away';

export type RenewalParts = {
  /** Asks Keycloak for a new token in place of this one. */
  obtain: (stale: string) => Promise<Tokens | 'ended' | 'away'>;
  store: (tokens: Tokens) => void;
  /** Runs the work while no other tab of this browser runs its own. */
  exclusively: (work: () => Promise<Renewed>) => Promise<Renewed>;
};

/** Null while the stale token is still the one in use. */
function outcomeFor(stale: string): Renewed | null {
  const token = getToken();
  if (token === stale) return null;
  return token === null ? 'ended' : 'renewed';
}

/**
 * Replaces an access token. Everybody in this tab who asks meanwhile waits for the one answer; a tab that waited for another
 * tab takes over what that one stored. A token that is known to have ended is not asked for again.
 */
export function createRenewal({ obtain, store, exclusively }: RenewalParts): (stale: string) => Promise<Renewed> {
  let underway: Promise<Renewed> | null = null;
  let dead: string | null = null;

  const replace = async (stale: string): Promise<Renewed> => {
    rereadToken();
    const before = outcomeFor(stale);
    if (before !== null) return before;
    const answer = await obtain(stale);
    // Signed out, or signed in anew, while Keycloak was asked: the answer is of no use.
    const meanwhile = outcomeFor(stale);
    if (meanwhile !== null) return meanwhile;
    if (answer === 'ended') dead = stale;
    if (typeof answer === 'string') return answer;
    store(answer);
    return 'renewed';
  };

  return async (stale) => {
    const known = outcomeFor(stale) ?? (stale === dead ? 'ended' : null);
    if (known !== null) return known;
    underway ??= exclusively(() => replace(stale)).finally(() => {
      underway = null;
    });
    return underway;
  };
}

const MARGIN_S = 45;
const AGAIN_MS = 10_000;

/**
 * How long to wait with renewing a token of this age. Times are counted by the token's lifetime, not by its end, so a wrong
 * clock does no harm. A tab without a refresh token comes later: another one has usually renewed by then.
 */
export function renewalDelayMs(lifetimeS: number, ageS: number, holdsRefreshToken: boolean): number {
  const margin = Math.min(MARGIN_S, lifetimeS * 0.3) / (holdsRefreshToken ? 1 : 3);
  return Math.max(0, lifetimeS - Math.max(0, ageS) - margin) * 1000;
}

export type FreshnessParts = {
  renew: (stale: string) => Promise<Renewed>;
  isRenewable: (token: string) => boolean;
  holdsRefreshToken: (token: string) => boolean;
  /** Hidden tabs let the token run out, so that Keycloak's idle time-out keeps its meaning. */
  isVisible: () => boolean;
  subscribeVisible: (listener: () => void) => void;
  onEnded: () => void;
};

/** Renews the token in use before it runs out, for as long as the page lives. */
export function keepFresh(parts: FreshnessParts): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let token: string | null = null;
  let bornAtMs = 0;

  const look = async (stale: string) => {
    const outcome = await parts.renew(stale);
    if (outcome === 'ended' && getToken() === stale) parts.onEnded();
    if (outcome === 'away' && getToken() === stale) timer = setTimeout(() => void look(stale), AGAIN_MS);
  };
  const plan = () => {
    clearTimeout(timer);
    if (token === null || !parts.isVisible() || !parts.isRenewable(token)) return;
    const { iat, exp } = readClaims(token);
    if (iat === undefined || exp === undefined) return;
    const stale = token;
    const ageS = (Date.now() - bornAtMs) / 1000;
    timer = setTimeout(() => void look(stale), renewalDelayMs(exp - iat, ageS, parts.holdsRefreshToken(stale)));
  };
  const adopt = (first: boolean) => {
    const next = getToken();
    if (next === token) return;
    token = next;
    // A token that comes while the page lives is new; one that lay there says itself how old it is.
    bornAtMs = first ? (readClaims(token).iat ?? 0) * 1000 : Date.now();
    plan();
  };

  subscribeToken(() => adopt(false));
  parts.subscribeVisible(plan);
  adopt(true);
}
