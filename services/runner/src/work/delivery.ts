import type { LastBlinds } from '@husky/holdem/positions';
import { CHUNK_HANDS, encodeChunk } from '@husky/match/chunk';
import { digestNext, digestStart } from '@husky/match/digest';
import { blindsAfterRecord, type HandRecord } from '@husky/match/record';
import type { StacksMode } from '@husky/match/stacks';

const flushMs = 300;
/** Number of undelivered chunks at which no further hand is dealt. */
const maxWaiting = 8;

export interface DeliverySettings {
  readonly jobId: string;
  readonly attempt: number;
  readonly rulesVersion: number;
  readonly players: number;
  readonly startingStack: number;
  readonly stacks: StacksMode;
  /** Delivers one chunk, with retries; rejects when it gives up. */
  readonly send: (chunk: Buffer) => Promise<void>;
  readonly onFailed: (error: unknown) => void;
}

/** Delivers the hands of a match in chunks and in order while it is played. */
export class Delivery {
  readonly #settings: DeliverySettings;
  readonly #queue: Buffer[] = [];
  #hands: HandRecord[] = [];
  #firstHand = 1;
  #startStacks: number[];
  #stacks: number[];
  #startLast: LastBlinds = { bigBlindSeat: null, nextButton: null };
  #last = this.#startLast;
  #digest: Buffer;
  #timer: NodeJS.Timeout | null = null;
  #pump: Promise<void> | null = null;
  #failed = false;
  #room: PromiseWithResolvers<void> | null = null;

  constructor(settings: DeliverySettings) {
    this.#settings = settings;
    this.#stacks = new Array<number>(settings.players).fill(settings.startingStack);
    this.#startStacks = this.#stacks.slice();
    this.#digest = digestStart(settings.jobId, settings.attempt);
  }

  /** Digest over all hands added so far, as lower-case hex. */
  get digest(): string {
    return this.#digest.toString('hex');
  }

  add(number: number, record: HandRecord): void {
    this.#digest = digestNext(this.#digest, number, record);
    this.#hands.push(record);
    for (const [seat, delta] of record.deltas.entries()) this.#stacks[seat] = (this.#stacks[seat] as number) + delta;
    this.#last = blindsAfterRecord(this.#settings.rulesVersion, record, this.#last);
    if (this.#hands.length >= CHUNK_HANDS) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), flushMs);
  }

  /** Returns null when the queue has room for a chunk, otherwise a promise that resolves when it has. */
  hold(): Promise<void> | null {
    if (this.#queue.length < maxWaiting || this.#failed) return null;
    this.#room ??= Promise.withResolvers<void>();
    return this.#room.promise;
  }

  /** Resolves when all hands are delivered. Rejects after `onFailed` was called. */
  async finish(): Promise<void> {
    this.#flush();
    await this.#pump;
    if (this.#failed) throw new Error('not all hands could be delivered');
  }

  /** Drops undelivered hands. */
  stop(): void {
    this.#failed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#queue.length = 0;
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#hands.length === 0 || this.#failed) return;
    const { rulesVersion, stacks, startingStack } = this.#settings;
    const chunk = encodeChunk({
      rulesVersion,
      firstHand: this.#firstHand,
      startStacks: this.#startStacks,
      ...(stacks === 'reset' && { resetStack: startingStack }),
      ...this.#startLast,
      hands: this.#hands,
    });
    this.#firstHand += this.#hands.length;
    this.#hands = [];
    this.#startStacks = this.#stacks.slice();
    this.#startLast = this.#last;
    this.#queue.push(chunk);
    this.#pump ??= this.#run().finally(() => {
      this.#pump = null;
    });
  }

  async #run(): Promise<void> {
    try {
      for (let chunk = this.#queue[0]; chunk !== undefined; chunk = this.#queue[0]) {
        await this.#settings.send(chunk);
        this.#queue.shift();
        this.#room?.resolve();
        this.#room = null;
      }
    } catch (error) {
      this.stop();
      this.#settings.onFailed(error);
    }
  }
}
