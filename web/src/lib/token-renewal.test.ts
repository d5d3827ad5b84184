import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tokens } from './kept-tokens.ts';
import { createRenewal, type Renewed, renewalDelayMs } from './token-renewal.ts';
import { getToken, setToken } from './token-store.ts';

const START = Date.UTC(2026, 10, 21);
let issued = 0;

/** A token as Keycloak gives it, of the clock's time. */
function issue(lifetimeS = 300): Tokens {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { azp: 'husky-web', sub: 'u', sid: 's', iat, exp: iat + lifetimeS, jti: ++issued };
  const token = `h.${btoa(JSON.stringify(claims))}.s`;
  return { token, refreshToken: `refresh-${issued}`, idToken: undefined };
}

/** Promises that are settled by the test. */
function questions() {
  const open: { stale: string; answer: (tokens: Tokens | 'ended' | 'away') => void }[] = [];
  const obtain = vi.fn(
    (stale: string) => new Promise<Tokens | 'ended' | 'away'>((answer) => open.push({ stale, answer })),
  );
  return { obtain, open };
}

const atOnce = (work: () => Promise<Renewed>) => work();
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
  it('asks once for all calls that were refused at the same time', async () => {
    const { obtain, open } = questions();
    const renew = createRenewal({ obtain, store, exclusively: atOnce });
    const [old, next] = [issue(), issue()];
    setToken(old.token);
    const calls = Array.from({ length: 20 }, () => renew(old.token));
    await vi.waitFor(() => expect(open).toHaveLength(1), 10_000);
    open[0]?.answer(next);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['renewed']));
    expect(obtain).toHaveBeenCalledOnce();
    expect(getToken()).toBe(next.token);
  });
  it('does not ask for a call that was sent before the token was replaced', async () => {
    const { obtain } = questions();
    const renew = createRenewal({ obtain, store, exclusively: atOnce });
    setToken(issue().token);
    expect(await renew(issue().token)).toBe('renewed');
    setToken(null);
    expect(await renew(issue().token)).toBe('ended');
    expect(obtain).not.toHaveBeenCalled();
  });
  it('asks again after nobody answered, and never again after the session ended', async () => {
    const obtain = vi.fn(async (): Promise<Tokens | 'ended' | 'away'> => 'ended');
    obtain.mockResolvedValueOnce('away');
    const renew = createRenewal({ obtain, store, exclusively: atOnce });
    const { token } = issue();
    setToken(token);
    expect(await renew(token)).toBe('away');
    expect(getToken()).toBe(token);
    expect(await renew(token)).toBe('ended');
    expect(await renew(token)).toBe('ended');
    expect(obtain).toHaveBeenCalledTimes(2);
  });
  it('throws away an answer that comes after the sign-out', async () => {
    const { obtain, open } = questions();
    const renew = createRenewal({ obtain, store, exclusively: atOnce });
    const { token } = issue();
    setToken(token);
    const outcome = renew(token);
    await vi.waitFor(() => expect(open).toHaveLength(1), 10_000);
    setToken(null);
    open[0]?.answer(issue());
    expect(await outcome).toBe('ended');
    expect(getToken()).toBeNull();
  });
  it('passes a failure on and starts anew the next time', async () => {
    const obtain = vi.fn(async (): Promise<Tokens> => issue());
    obtain.mockRejectedValueOnce(new Error('no'));
    const renew = createRenewal({ obtain, store, exclusively: atOnce });
    const { token } = issue();
    setToken(token);
    await expect(renew(token)).rejects.toThrow('no');
    expect(await renew(token)).toBe('renewed');
  });
});

describe('several tabs', () => {
  /** Two instances of the modules, as two tabs have them, over one local storage and one lock. */
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
      return { renewal: await import('./token-renewal.ts'), tokens: await import('./token-store.ts'), exclusively };
    };
    return [await open(), await open()] as const;
  }

  it('do not use their refresh tokens at the same time: the second takes over what the first got', async () => {
    const [first, second] = await openTabs();
    const old = issue();
    first.tokens.setToken(old.token);
    second.tokens.rereadToken();
    const { obtain, open } = questions();
    const renewIn = ({ renewal, tokens, exclusively }: typeof first) =>
      renewal.createRenewal({ obtain, store: ({ token }) => tokens.setToken(token), exclusively })(old.token);
    const outcomes = [renewIn(first), renewIn(second)];
    await vi.waitFor(() => expect(open).toHaveLength(1), 10_000);
    const next = issue();
    open[0]?.answer(next);
    expect(await Promise.all(outcomes)).toEqual(['renewed', 'renewed']);
    expect(obtain).toHaveBeenCalledOnce();
    expect(second.tokens.getToken()).toBe(next.token);
  });
  it('do not bring back a session that another one signed out of', async () => {
    const [first, second] = await openTabs();
    const old = issue();
    first.tokens.setToken(old.token);
    second.tokens.rereadToken();
    first.tokens.setToken(null);
    const { obtain } = questions();
    const renew = second.renewal.createRenewal({ obtain, store, exclusively: second.exclusively });
    expect(await renew(old.token)).toBe('ended');
    expect(obtain).not.toHaveBeenCalled();
    expect(second.tokens.getToken()).toBeNull();
  });
});

describe('keeping a token fresh', () => {
  type Tab = { visible?: boolean; renewable?: boolean; holds?: boolean };

  // Modules of their own for each test: a watch lasts as long as its page.
  let setToken: (token: string | null) => void;
  let keepFresh: typeof import('./token-renewal.ts').keepFresh;
  beforeEach(async () => {
    vi.resetModules();
    ({ keepFresh } = await import('./token-renewal.ts'));
    ({ setToken } = await import('./token-store.ts'));
  });

  function watch({ visible = true, renewable = true, holds = true }: Tab = {}, outcome: Renewed = 'renewed') {
    const tab = { visible, becomesVisible: (): void => undefined };
    const onEnded = vi.fn();
    const renew = vi.fn(async (_stale: string): Promise<Renewed> => {
      if (outcome === 'renewed') setToken(issue().token);
      return outcome;
    });
    keepFresh({
      ...{ renew, onEnded },
      isRenewable: () => renewable,
      holdsRefreshToken: () => holds,
      isVisible: () => tab.visible,
      subscribeVisible: (listener) => {
        tab.becomesVisible = listener;
      },
    });
    return { tab, renew, onEnded };
  }

  it('renews before the end, again and again', async () => {
    setToken(issue(300).token);
    const { renew } = watch();
    await vi.advanceTimersByTimeAsync(254_000);
    expect(renew).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(renew).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(255_000);
    expect(renew).toHaveBeenCalledTimes(2);
  });
  it('lets a tab with a refresh token go first', () => {
    expect(renewalDelayMs(300, 0, true)).toBe(255_000);
    expect(renewalDelayMs(300, 0, false)).toBe(285_000);
    expect(renewalDelayMs(300, 100, true)).toBe(155_000);
    expect(renewalDelayMs(300, 900, true)).toBe(0);
    expect(renewalDelayMs(10, 0, true)).toBe(7_000);
    // A clock that is behind the server's.
    expect(renewalDelayMs(300, -3600, true)).toBe(255_000);
  });
  it('counts a token that lay there by its own age, and one that comes as new whatever the clock says', async () => {
    const old = issue(300);
    vi.setSystemTime(START + 200_000);
    setToken(old.token);
    const { renew } = watch();
    await vi.advanceTimersByTimeAsync(55_000);
    expect(renew).toHaveBeenCalledOnce();
    const next = issue(300);
    vi.setSystemTime(START + 7_200_000);
    setToken(next.token);
    await vi.advanceTimersByTimeAsync(254_000);
    expect(renew).toHaveBeenCalledOnce();
  });
  it('follows a token that another tab has renewed', async () => {
    setToken(issue(300).token);
    const { renew } = watch();
    await vi.advanceTimersByTimeAsync(250_000);
    setToken(issue(300).token);
    await vi.advanceTimersByTimeAsync(250_000);
    expect(renew).not.toHaveBeenCalled();
  });
  it('lets the token of a hidden tab run out, and renews it when the tab is looked at', async () => {
    setToken(issue(300).token);
    const { tab, renew } = watch({ visible: false });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(renew).not.toHaveBeenCalled();
    tab.visible = true;
    tab.becomesVisible();
    await vi.advanceTimersByTimeAsync(0);
    expect(renew).toHaveBeenCalledOnce();
  });
  it('leaves tokens of the forms alone', async () => {
    setToken(issue(300).token);
    const { renew } = watch({ renewable: false });
    setToken('no token of Keycloak');
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(renew).not.toHaveBeenCalled();
  });
  it('tries again while Keycloak is away, and stops with the sign-out', async () => {
    setToken(issue(300).token);
    const { renew, onEnded } = watch({}, 'away');
    await vi.advanceTimersByTimeAsync(255_000 + 20_000);
    expect(renew).toHaveBeenCalledTimes(3);
    setToken(null);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(renew).toHaveBeenCalledTimes(3);
    expect(onEnded).not.toHaveBeenCalled();
  });
  it('tells when the session has ended', async () => {
    setToken(issue(300).token);
    const { renew, onEnded } = watch({}, 'ended');
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(renew).toHaveBeenCalledOnce();
    expect(onEnded).toHaveBeenCalledOnce();
  });
});
