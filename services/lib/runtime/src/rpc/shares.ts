import type { Party } from './party.ts';

/** What an account or an address has had of a limited resource. */
export interface Use {
  /** Calls that hold a place now, and calls that wait for one. */
  running: number;
  waiting: number;
  /** When the first of the calls began to wait that have been waiting without a break. */
  waitingSinceMs: number;
  /** Time for which places were held, ms, on the scale of the virtual time. Without `elapsedMs` of the running calls. */
  usedMs: number;
  /** Sum of the times at which the running calls started. */
  startedMs: number;
}

/** The uses to which a party's calls are charged. Use it at once: that of a party without calls is forgotten. */
export interface Line {
  readonly party: Party;
  readonly account: Use;
  readonly address: Use;
}

export interface Shares {
  lineOf(party: Party): Line;
  /** Counts a place as held until the returned function is called. */
  start(line: Line): () => void;
  startWait(line: Line): void;
  endWait(line: Line): void;
  /** Returns the call to serve next, of calls in the order of their arrival. */
  first<T extends { readonly line: Line }>(calls: readonly T[]): T | undefined;
}

/** An address has the share of this many accounts when others wait. */
export const accountsOfAddress = 4;
const minForgotten = 1000;

/**
 * Measures the time for which accounts and addresses hold places, and orders waiting calls by it: start-time fair queueing (Goyal, Vin and
 * Cheng, 1996) with costs that are known afterwards. A call's rank is the use of its account, but at least a quarter of the use of its
 * address: many accounts of one address count as four, and an account counts wherever it calls from. The anonymous callers of an address
 * count as one account. The use of a party that returns begins at the rank that is served now, so that nobody saves up a share.
 */
export function createShares(now: () => number): Shares {
  const uses = new Map<string, Use>();
  let virtualMs = 0;
  let forgetAt = minForgotten;

  const isIdle = ({ running, waiting }: Use) => running === 0 && waiting === 0;
  const usedBy = (use: Use) => use.usedMs + use.running * now() - use.startedMs;
  const rankOf = ({ account, address }: Line) => Math.max(usedBy(account), usedBy(address) / accountsOfAddress);

  function useOf(key: string, startMs: number): Use {
    const known = uses.get(key);
    if (known !== undefined) {
      if (isIdle(known)) known.usedMs = Math.max(known.usedMs, startMs);
      return known;
    }
    const use = { usedMs: startMs, running: 0, startedMs: 0, waiting: 0, waitingSinceMs: 0 };
    uses.set(key, use);
    return use;
  }

  function forgetIdle(): void {
    for (const [key, use] of uses) if (isIdle(use)) uses.delete(key);
    forgetAt = Math.max(minForgotten, 2 * uses.size);
  }

  return {
    lineOf(party) {
      if (uses.size >= forgetAt) forgetIdle();
      const { account, address } = party;
      return {
        party,
        account: useOf(account === '' ? `anonymous ${address}` : `account ${account}`, virtualMs),
        address: useOf(`address ${address}`, accountsOfAddress * virtualMs),
      };
    },
    start(line) {
      virtualMs = Math.max(virtualMs, rankOf(line));
      const startedMs = now();
      for (const use of [line.account, line.address]) {
        use.running += 1;
        use.startedMs += startedMs;
      }
      return () => {
        for (const use of [line.account, line.address]) {
          use.usedMs += now() - startedMs;
          use.running -= 1;
          use.startedMs -= startedMs;
        }
      };
    },
    startWait(line) {
      for (const use of [line.account, line.address]) {
        if (use.waiting === 0) use.waitingSinceMs = now();
        use.waiting += 1;
      }
    },
    endWait(line) {
      for (const use of [line.account, line.address]) use.waiting -= 1;
    },
    first(calls) {
      let best: { readonly call: (typeof calls)[number]; readonly rank: number; readonly used: number } | undefined;
      for (const call of calls) {
        const one = { call, rank: rankOf(call.line), used: usedBy(call.line.account) };
        const isBetter = best === undefined || one.rank < best.rank || (one.rank === best.rank && one.used < best.used);
        if (isBetter) best = one;
      }
      return best?.call;
    },
  };
}
