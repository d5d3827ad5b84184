import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRenewal, renewalDelayMs } from './token-renewal.ts';
import { getToken, type Renewed, setToken, type Tokens } from './tokens.ts';

const START = Date.UTC(2026, 10, 21);
let issued = 0;

/** Issues tokens as Keycloak does, at the time of the clock. */
function issue(lifetimeS = 300): Tokens {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { azp: 'husky-web', sub: 'u', sid: 's', iat, exp: iat + lifetimeS, jti: ++issued };
  const token = `h.${btoa(JSON.stringify(claims))}.s`;
  return { token, refreshToken: `refresh-${issued}`, idToken: undefined };
}

/** Returns a `requestTokens` whose promises the test settles. */
function pendingRequests() {
  const open: { stale: string; resolve: (tokens: Tokens | 'ended' | 'unreachable') => void }[] = [];
  const requestTokens = vi.fn(
    (stale: string) => new Promise<Tokens | 'ended' | 'unreachable'>((resolve) => open.push({ stale, resolve })),
  );
  return { requestTokens, open };
}

const withoutLock = (work: () => Promise<Renewed>) => work();
const store = ({ token }: Tokens) => setToken(token);

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  setToken(null);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('renewing a token', () => {
  it('sends one request for all calls that were refused at the same time', async () => {
    const { requestTokens, open } = pendingRequests();
    const renew = createRenewal({ requestTokens, store, exclusively: withoutLock });
    const [old, next] = [issue(), issue()];
    setToken(old.token);
    const calls = Array.from({ length: 20 }, () => renew(old.token));
    await vi.waitFor(() => expect(open).toHaveLength(1), 10_000);
    open[0]?.resolve(next);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['renewed']));
    expect(requestTokens).toHaveBeenCalledOnce();
    expect(getToken()).toBe(next.token);
  });
  it('sends no request for a call that was sent before the token was replaced', async () => {
    const { requestTokens } = pendingRequests();
    const renew = createRenewal({ requestTokens, store, exclusively: withoutLock });
    setToken(issue().token);
    expect(await renew(issue().token)).toBe('renewed');
    setToken(null);
    expect(await renew(issue().token)).toBe('ended');
    expect(requestTokens).not.toHaveBeenCalled();
  });
  it('requests again after Keycloak was unreachable, but not after the session ended', async () => {
    const requestTokens = vi.fn(async (): Promise<Tokens | 'ended' | 'unreachable'> => 'ended');
    requestTokens.mockResolvedValueOnce('unreachable');
    const renew = createRenewal({ requestTokens, store, exclusively: withoutLock });
    const { token } = issue();
    setToken(token);
    expect(await renew(token)).toBe('unreachable');
    expect(getToken()).toBe(token);
    expect(await renew(token)).toBe('ended');
    expect(await renew(token)).toBe('ended');
    expect(requestTokens).toHaveBeenCalledTimes(2);
  });
  it('discards a result that arrives after the sign-out', async () => {
    const { requestTokens, open } = pendingRequests();
    const renew = createRenewal({ requestTokens, store, exclusively: withoutLock });
    const { token } = issue();
    setToken(token);
    const outcome = renew(token);
    await vi.waitFor(() => expect(open).toHaveLength(1), 10_000);
    setToken(null);
    open[0]?.resolve(issue());
    expect(await outcome).toBe('ended');
    expect(getToken()).toBeNull();
  });
  it('rejects on a failure and requests again the next time', async () => {
    const requestTokens = vi.fn(async (): Promise<Tokens> => issue());
    requestTokens.mockRejectedValueOnce(new Error('no'));
    const renew = createRenewal({ requestTokens, store, exclusively: withoutLock });
    const { token } = issue();
    setToken(token);
    await expect(renew(token)).rejects.toThrow('no');
    expect(await renew(token)).toBe('renewed');
  });
});

describe('several tabs', () => {
  /** Loads the modules twice, as two tabs do, with one local storage and one lock. */
  async function openTabs() {
    const stored = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    });
    let last: Promise<unknown> = Promise.resolve();
    const exclusively = (work: () => Promise<Renewed>): Promise<Renewed> => {
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    };
    const open = async () => {
      vi.resetModules();
      return { renewal: await import('./token-renewal.ts'), tokens: await import('./tokens.ts'), exclusively };
    };
    return [await open(), await open()] as const;
  }

  it('do not use their refresh tokens at the same time: the second takes over the token of the first', async () => {
    const [first, second] = await openTabs();
    const old = issue();
    first.tokens.setToken(old.token);
    second.tokens.rereadToken();
    const { requestTokens, open } = pendingRequests();
    const renewIn = ({ renewal, tokens, exclusively }: typeof first) =>
      renewal.createRenewal({ requestTokens, store: ({ token }) => tokens.setToken(token), exclusively })(old.token);
    const outcomes = [renewIn(first), renewIn(second)];
    await vi.waitFor(() => expect(open).toHaveLength(1), 10_000);
    const next = issue();
    open[0]?.resolve(next);
    expect(await Promise.all(outcomes)).toEqual(['renewed', 'renewed']);
    expect(requestTokens).toHaveBeenCalledOnce();
    expect(second.tokens.getToken()).toBe(next.token);
  });
  it('do not restore a session that another tab signed out of', async () => {
    const [first, second] = await openTabs();
    const old = issue();
    first.tokens.setToken(old.token);
    second.tokens.rereadToken();
    first.tokens.setToken(null);
    const { requestTokens } = pendingRequests();
    const renew = second.renewal.createRenewal({ requestTokens, store, exclusively: second.exclusively });
    expect(await renew(old.token)).toBe('ended');
    expect(requestTokens).not.toHaveBeenCalled();
    expect(second.tokens.getToken()).toBeNull();
  });
});

describe('scheduled renewal of a token', () => {
  type Tab = { visible?: boolean; renewable?: boolean; hasRefreshToken?: boolean };

  // Fresh modules for each test: a schedule lasts as long as its page.
  let setToken: (token: string | null) => void;
  let scheduleRenewal: typeof import('./token-renewal.ts').scheduleRenewal;
  beforeEach(async () => {
    vi.resetModules();
    ({ scheduleRenewal } = await import('./token-renewal.ts'));
    ({ setToken } = await import('./tokens.ts'));
  });

  function start({ visible = true, renewable = true, hasRefreshToken = true }: Tab = {}, outcome: Renewed = 'renewed') {
    const tab = { visible, becomesVisible: (): void => undefined };
    const onEnded = vi.fn();
    const renew = vi.fn(async (_stale: string): Promise<Renewed> => {
      if (outcome === 'renewed') setToken(issue().token);
      return outcome;
    });
    scheduleRenewal({
      renew,
      onEnded,
      isRenewable: () => renewable,
      hasRefreshToken: () => hasRefreshToken,
      isVisible: () => tab.visible,
      subscribeVisible: (listener) => {
        tab.becomesVisible = listener;
      },
    });
    return { tab, renew, onEnded };
  }

  it('renews repeatedly before the token expires', async () => {
    setToken(issue(300).token);
    const { renew } = start();
    await vi.advanceTimersByTimeAsync(254_000);
    expect(renew).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(renew).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(255_000);
    expect(renew).toHaveBeenCalledTimes(2);
  });
  it('renews earlier in a tab with a refresh token', () => {
    expect(renewalDelayMs(300, 0, true)).toBe(255_000);
    expect(renewalDelayMs(300, 0, false)).toBe(285_000);
    expect(renewalDelayMs(300, 100, true)).toBe(155_000);
    expect(renewalDelayMs(300, 900, true)).toBe(0);
    expect(renewalDelayMs(10, 0, true)).toBe(7_000);
    // A clock that is behind the server's.
    expect(renewalDelayMs(300, -3600, true)).toBe(255_000);
  });
  it('uses the age of a stored token, and treats a token that arrives later as new, independent of the clock', async () => {
    const old = issue(300);
    vi.setSystemTime(START + 200_000);
    setToken(old.token);
    const { renew } = start();
    await vi.advanceTimersByTimeAsync(55_000);
    expect(renew).toHaveBeenCalledOnce();
    const next = issue(300);
    vi.setSystemTime(START + 7_200_000);
    setToken(next.token);
    await vi.advanceTimersByTimeAsync(254_000);
    expect(renew).toHaveBeenCalledOnce();
  });
  it('restarts the delay for a token that another tab has renewed', async () => {
    setToken(issue(300).token);
    const { renew } = start();
    await vi.advanceTimersByTimeAsync(250_000);
    setToken(issue(300).token);
    await vi.advanceTimersByTimeAsync(250_000);
    expect(renew).not.toHaveBeenCalled();
  });
  it('lets the token of a hidden tab expire and renews it when the tab becomes visible', async () => {
    setToken(issue(300).token);
    const { tab, renew } = start({ visible: false });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(renew).not.toHaveBeenCalled();
    tab.visible = true;
    tab.becomesVisible();
    await vi.advanceTimersByTimeAsync(0);
    expect(renew).toHaveBeenCalledOnce();
  });
  it('does not renew tokens of the forms', async () => {
    setToken(issue(300).token);
    const { renew } = start({ renewable: false });
    setToken('no token of Keycloak');
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(renew).not.toHaveBeenCalled();
  });
  it('retries while Keycloak is unreachable, and stops at the sign-out', async () => {
    setToken(issue(300).token);
    const { renew, onEnded } = start({}, 'unreachable');
    await vi.advanceTimersByTimeAsync(255_000 + 20_000);
    expect(renew).toHaveBeenCalledTimes(3);
    setToken(null);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(renew).toHaveBeenCalledTimes(3);
    expect(onEnded).not.toHaveBeenCalled();
  });
  it('reports that the session has ended', async () => {
    setToken(issue(300).token);
    const { renew, onEnded } = start({}, 'ended');
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(renew).toHaveBeenCalledOnce();
    expect(onEnded).toHaveBeenCalledOnce();
  });
});
