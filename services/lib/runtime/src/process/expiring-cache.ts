import { LRUCache } from 'lru-cache';

type Options<Value extends object> = LRUCache.Options<string, Value, unknown> & { readonly ttl: number };

/**
 * A cache that discards entries which are older than `ttl`, measured by the monotonic clock. LRUCache alone ignores them, but keeps them
 * until as many others have followed as it may hold.
 */
export class ExpiringCache<Value extends object> extends LRUCache<string, Value> {
  readonly #ttl: number;
  #purgedMs = performance.now();

  constructor(options: Options<Value>) {
    // Read at each call, so that a test can replace the clock.
    super({ perf: { now: () => performance.now() }, ...options } as LRUCache.Options<string, Value, unknown>);
    this.#ttl = options.ttl;
  }

  override set(key: string, value: Value | undefined, options?: LRUCache.SetOptions<string, Value, unknown>): this {
    if (performance.now() - this.#purgedMs >= this.#ttl) {
      this.purgeStale();
      this.#purgedMs = performance.now();
    }
    return super.set(key, value, options);
  }
}
