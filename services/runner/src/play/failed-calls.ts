import type { FailedCalls as Description } from '@husky/contracts/types/live/v1/FailedCalls';

/** Exceptions that are told apart; further ones are counted with the last. */
const mostKinds = 20;

/** Exceptions of a bot's methods other than get_action: they end nothing and fold nothing, but explain what comes after. */
export class FailedCalls {
  readonly #kinds = new Map<string, Required<Description>>();
  #last: Required<Description> | null = null;

  add(method: string, text: string, hand: number): void {
    const key = `${method} ${text}`;
    const known = this.#kinds.get(key) ?? (this.#kinds.size < mostKinds ? undefined : this.#last);
    if (known) {
      known.count += 1;
      return;
    }
    this.#last = { method, text, count: 1, firstHand: hand };
    this.#kinds.set(key, this.#last);
  }

  get list(): Required<Description>[] {
    return [...this.#kinds.values()];
  }
}
