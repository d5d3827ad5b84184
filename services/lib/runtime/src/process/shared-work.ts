import type { Admission } from '../rpc/admission.ts';
import { currentParty } from '../rpc/party.ts';

/** Work in the places of an admission whose result concurrent callers share. */
export interface SharedWork<T> {
  /**
   * Returns the result of the work with this key. Each party waits for a place in its own line, and the first that gets one starts the work
   * for all: nobody waits behind a party that only asked for the same earlier. A caller whose party gets no place is refused, unless the
   * work has started.
   */
  run(key: string, work: () => Promise<T>): Promise<T>;
  /** Whether the work with this key waits or runs. */
  has(key: string): boolean;
}

interface Shared<T> {
  readonly result: PromiseWithResolvers<T>;
  readonly started: AbortController;
  /** The waits of the parties, by account and address. Each ends with the result or a refusal. */
  readonly waits: Map<string, Promise<T>>;
}

export function createSharedWork<T>(places: Admission): SharedWork<T> {
  const shared = new Map<string, Shared<T>>();

  function find(key: string): Shared<T> {
    const known = shared.get(key);
    if (known) return known;
    const added: Shared<T> = { result: Promise.withResolvers<T>(), started: new AbortController(), waits: new Map() };
    // Without callers any more a failure is nobody's.
    added.result.promise.catch(() => undefined);
    shared.set(key, added);
    return added;
  }

  async function waitAndStart(key: string, line: string, one: Shared<T>, work: () => Promise<T>): Promise<T> {
    const { result, started, waits } = one;
    let leave: () => void;
    try {
      leave = await places.enter('shared', { signal: started.signal });
    } catch (error) {
      if (started.signal.aborted) return result.promise;
      waits.delete(line);
      if (waits.size === 0) shared.delete(key);
      throw error;
    }
    try {
      if (!started.signal.aborted) {
        started.abort();
        result.resolve(work());
        await result.promise.finally(() => shared.delete(key));
      }
    } finally {
      leave();
    }
    return result.promise;
  }

  return {
    run(key, work) {
      const one = find(key);
      if (one.started.signal.aborted) return one.result.promise;
      const { account, address } = currentParty();
      const line = `${account} ${address}`;
      const wait = one.waits.get(line) ?? waitAndStart(key, line, one, work);
      if (!one.waits.has(line) && shared.get(key) === one) one.waits.set(line, wait);
      return wait;
    },
    has: (key) => shared.has(key),
  };
}
