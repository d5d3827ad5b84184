import { CHUNK_HANDS, encodeChunk } from '@husky/match/chunk';
import { digestNext, digestStart } from '@husky/match/digest';
import type { HandRecord } from '@husky/match/record';

const flushMs = 300;
/** Chunks that may wait before the match does. */
const mostWaiting = 8;

export interface DeliverySettings {
  readonly jobId: string;
  readonly attempt: number;
  readonly rulesVersion: number;
  readonly players: number;
  readonly startingStack: number;
  /** Delivers one chunk, however often it must be tried; rejects when that is over. */
  readonly send: (chunk: Buffer) => Promise<void>;
  readonly onFailed: (error: unknown) => void;
}

/** Takes the hands as they are played and delivers them in order, in chunks, beside the match. */
export class Delivery {
  readonly #settings: DeliverySettings;
  readonly #queue: Buffer[] = [];
  #hands: HandRecord[] = [];
  #firstHand = 1;
  #startStacks: number[];
  #stacks: number[];
  #startBigBlind: number | null = null;
  #bigBlind: number | null = null;
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

  /** Of all hands so far, as lower-case hex. */
  get digest(): string {
    return this.#digest.toString('hex');
  }

  add(number: number, record: HandRecord): void {
    this.#digest = digestNext(this.#digest, number, record);
    this.#hands.push(record);
    for (const [seat, delta] of record.deltas.entries()) this.#stacks[seat] = (this.#stacks[seat] as number) + delta;
    this.#bigBlind = record.actions[1]?.seat ?? null;
    if (this.#hands.length >= CHUNK_HANDS) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), flushMs);
  }

  /** A promise while too much waits to be delivered. */
  hold(): Promise<void> | null {
    if (this.#queue.length < mostWaiting || this.#failed) return null;
    this.#room ??= Promise.withResolvers<void>();
    return this.#room.promise;
  }

  /** Delivers all that is left. `onFailed` has been told when it rejects. */
  async finish(): Promise<void> {
    this.#flush();
    await this.#pump;
    if (this.#failed) throw new Error('not all hands could be delivered');
  }

  /** Drops what waits. */
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
    const chunk = encodeChunk({
      rulesVersion: this.#settings.rulesVersion,
      firstHand: this.#firstHand,
      startStacks: this.#startStacks,
      bigBlindSeat: this.#startBigBlind,
      hands: this.#hands,
    });
    this.#firstHand += this.#hands.length;
    this.#hands = [];
    this.#startStacks = this.#stacks.slice();
    this.#startBigBlind = this.#bigBlind;
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
