import type { Hand } from '@husky/holdem/hand';
import type { HandView } from './hand-view.ts';
import type { Seat } from './seat.ts';

/** A line may have 64 KiB: events are sent on before they get there. */
const flushLength = 32 << 10;
/** More than this unread by a seat: it will not catch up. */
const mostUnsent = 1 << 20;

/**
 * Tells bots what happens. Nothing of it is sent by itself: events wait in `seat.pending` and ride along with the seat's next
 * question, all in one write.
 */
export class Announcer {
  readonly #seats: readonly Seat[];
  readonly #allIds: string;
  readonly #onStuck: (seat: Seat) => void;

  constructor(seats: readonly Seat[], onStuck: (seat: Seat) => void) {
    this.#seats = seats;
    this.#allIds = `[${seats.map(({ id }) => id).join(',')}]`;
    this.#onStuck = onStuck;
  }

  /** A new hand: cards and blinds, then the first street. */
  deal(hand: Hand, view: HandView): void {
    const tail = `,${hand.bigBlind},${this.#id(hand.bigBlindSeat)},${this.#id(hand.smallBlindSeat)},${this.#allIds}],`;
    for (const seat of this.#seats) {
      if (!isTold(seat)) continue;
      // set_id and on_start.
      seat.callsTold += 1;
      this.#tell(seat, `["h",${hand.startStacks[seat.number]},${view.holeCards(seat.number)}${tail}`);
    }
    this.#tellStart(hand.over ? view.closed() : view.current(), view);
    if (hand.over) this.closeStreet(hand, view, 0);
  }

  /** A street has closed: what follows is the next one, or the end of the hand. */
  closeStreet(hand: Hand, view: HandView, street: number): void {
    this.#tellEnd(view.closed(), view);
    if (!hand.over) {
      view.openStreet(hand.street);
      this.#tellStart(view.current(), view);
      return;
    }
    let last = view.closed();
    if (hand.board.length === 5) {
      // All-in: the streets that are only dealt are told as well.
      for (let dealt = street + 1; dealt <= 3; dealt++) {
        view.openStreet(dealt);
        last = view.dealt();
        this.#tellStart(last, view);
        this.#tellEnd(last, view);
      }
    }
    const head = `["g",${last},${view.closedRange()},`;
    const tail = `,${view.scores()},${view.shownHands()}],`;
    for (const seat of this.#seats) {
      if (!isTold(seat)) continue;
      this.#tell(seat, `${head}${view.remaining(seat.number)},${hand.deltas[seat.number]}${tail}`);
    }
  }

  /** Sends what waits, and lets the seat end once it has read it. */
  dismiss(seat: Seat): void {
    if (!isTold(seat)) return;
    this.#flush(seat);
    seat.link?.finish();
  }

  #id(seat: number): number {
    return (this.#seats[seat] as Seat).id;
  }

  #tellStart(state: string, view: HandView): void {
    for (const seat of this.#seats) {
      if (!isTold(seat)) continue;
      this.#tell(seat, `["r",${state},${view.openingRange(seat.number)},${view.remaining(seat.number)}],`);
    }
  }

  #tellEnd(state: string, view: HandView): void {
    const head = `["e",${state},${view.closedRange()},`;
    for (const seat of this.#seats) {
      if (isTold(seat)) this.#tell(seat, `${head}${view.remaining(seat.number)}],`);
    }
  }

  #tell(seat: Seat, event: string): void {
    seat.callsTold += 1;
    seat.pending += event;
    if (seat.pending.length > flushLength) this.#flush(seat);
  }

  #flush(seat: Seat): void {
    if (seat.pending === '' || seat.link === null) return;
    if (seat.link.unsent > mostUnsent) {
      this.#onStuck(seat);
      return;
    }
    seat.link.send(`[0,[${seat.pending.slice(0, -1)}]]\n`);
    seat.pending = '';
  }
}

/** Bots that are out, gone or without chips are told nothing. */
function isTold(seat: Seat): boolean {
  return seat.out === null && !seat.ended && !seat.busted;
}
