import type { Hand } from '@husky/holdem/hand';
import type { HandView } from './hand-view.ts';
import type { Seat } from './seat.ts';
import type { Skippable } from './seat-link.ts';

/** Length above which pending events are sent without waiting for a question. A line may have 64 KiB. */
const flushLength = 32 << 10;
/** Unread bytes above which a seat is treated as no longer reading. */
const maxUnsentBytes = 1 << 20;

/**
 * Queues the callbacks of a hand for the bots. Events wait in `seat.pending` and are sent together with the seat's next question, in
 * one write.
 */
export class Announcer {
  readonly #seats: readonly Seat[];
  /** The ids by which bots know the players, by seat. */
  readonly ids: readonly number[];
  readonly #onStuck: (seat: Seat) => void;

  constructor(seats: readonly Seat[], onStuck: (seat: Seat) => void) {
    this.#seats = seats;
    this.ids = seats.map(({ id }) => id);
    this.#onStuck = onStuck;
  }

  /** Announces a new hand: cards and blinds, then the first street. */
  deal(hand: Hand, view: HandView): void {
    const tail = `,${hand.bigBlind},${this.ids[hand.bigBlindSeat]},${this.ids[hand.smallBlindSeat]},[${this.ids}]],`;
    for (const seat of this.#seats) {
      if (!isListening(seat)) continue;
      // The event "h" is two callbacks, set_id and on_start; #queue counts one of them.
      seat.reportableCalls += 1;
      this.#queue(seat, `["h",${hand.startStacks[seat.number]},${view.holeCards(seat.number)}${tail}`);
    }
    this.#announceStart(view, () => (hand.over ? view.closed() : view.current()));
    if (hand.over) this.closeStreet(hand, view, 0);
  }

  /** Announces the end of a street, then the next street or the end of the hand. */
  closeStreet(hand: Hand, view: HandView, street: number): void {
    const closed = () => view.closed();
    this.#announceEnd(view, closed);
    if (!hand.over) {
      view.openStreet(hand.street);
      this.#announceStart(view, () => view.current());
      return;
    }
    let last = closed;
    if (hand.board.length === 5) {
      // After an all-in, streets without betting are announced too.
      for (let dealt = street + 1; dealt <= 3; dealt++) {
        view.openStreet(dealt);
        last = () => view.dealt();
        this.#announceStart(view, last);
        this.#announceEnd(view, last);
      }
    }
    const listening = this.#listening('on_end_game');
    if (listening.length === 0) return;
    const head = `["g",${last()},${view.closedRange()},`;
    const tail = `,${view.result()}],`;
    for (const seat of listening)
      this.#queue(seat, `${head}${view.remaining(seat.number)},${hand.deltas[seat.number]}${tail}`);
  }

  /** Sends the pending events and half-closes the connection; the seat exits once it has read them. */
  dismiss(seat: Seat): void {
    if (!isListening(seat)) return;
    this.#flush(seat);
    seat.link?.finish();
  }

  #announceStart(view: HandView, state: () => string): void {
    const listening = this.#listening('on_round_start');
    if (listening.length === 0) return;
    const head = `["r",${state()},`;
    for (const seat of listening)
      this.#queue(seat, `${head}${view.openingRange(seat.number)},${view.remaining(seat.number)}],`);
  }

  #announceEnd(view: HandView, state: () => string): void {
    const listening = this.#listening('on_end_round');
    if (listening.length === 0) return;
    const head = `["e",${state()},${view.closedRange()},`;
    for (const seat of listening) this.#queue(seat, `${head}${view.remaining(seat.number)}],`);
  }

  /** Returns the seats that are to be told of a call. */
  #listening(callback: Skippable): readonly Seat[] {
    return this.#seats.filter((seat) => isListening(seat) && !seat.skips.has(callback));
  }

  #queue(seat: Seat, event: string): void {
    seat.reportableCalls += 1;
    seat.pending += event;
    if (seat.pending.length > flushLength) this.#flush(seat);
  }

  #flush(seat: Seat): void {
    if (seat.pending === '' || seat.link === null) return;
    if (seat.link.unsentBytes > maxUnsentBytes) {
      this.#onStuck(seat);
      return;
    }
    seat.link.send(0, seat.pending.slice(0, -1));
    seat.pending = '';
  }
}

/** Returns false for bots that are out, have exited or have no chips. */
function isListening(seat: Seat): boolean {
  return seat.out === null && !seat.ended && !seat.busted;
}
