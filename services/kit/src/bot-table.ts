import type { Hand } from '@husky/holdem/hand';
import { Announcer } from '@husky/runner/play/announcer';
import { HandView } from '@husky/runner/play/hand-view';
import { type Judgement, judge } from '@husky/runner/play/judge';
import { Seat } from '@husky/runner/play/seat';
import { parseMessage } from '@husky/runner/play/seat-link';
import type { Profile } from '@husky/runner/play/setup';
import { KitError } from './wire.ts';

/** A question to a bot: the events that it has not seen yet, the last of which requests an action. */
export interface Question {
  readonly seat: number;
  /** Events of the seat protocol as JSON, without the brackets. */
  readonly events: string;
}

/**
 * Writes the events for bots and rules on their replies, as the dealer of a match does, but without clocks and processes: the caller runs
 * the bots.
 */
export class BotTable {
  readonly #seats: readonly Seat[];
  readonly #announcer: Announcer;
  readonly #profile: Profile;
  #hand: Hand | null = null;
  #view: HandView | null = null;

  /** @param hasBot whether the caller runs a bot for a seat; other seats get no events. */
  constructor(ids: readonly number[], profile: Profile, hasBot: (seat: number) => boolean) {
    this.#profile = profile;
    this.#seats = ids.map((id, number) => new Seat(number, id, 0));
    for (const seat of this.#seats) seat.ended = !hasBot(seat.number);
    this.#announcer = new Announcer(this.#seats, () => undefined);
  }

  /** Announces a hand. The hand before it must be over. */
  start(hand: Hand): void {
    // Bots without chips get no more events.
    for (const seat of this.#seats) seat.busted = hand.dealtIn[seat.number] === false;
    this.#hand = hand;
    this.#view = new HandView(hand, this.#profile);
    this.#announcer.deal(hand, this.#view);
  }

  /** Returns the question to the player whose turn it is. Throws RangeError once the hand is over. */
  question(): Question {
    const [hand, view] = this.#requireHand();
    const { minRaise, maxRaise } = hand.options();
    const seat = hand.actor as number;
    const events = `${this.pending(seat)}["a",${view.current()},${view.raiseRange(minRaise, maxRaise)},${hand.stacks[seat]}]`;
    return { seat, events };
  }

  /** Returns the events that wait for a seat, as JSON with a comma after each, and removes them. */
  pending(seat: number): string {
    const { pending = '' } = this.#seats[seat] ?? {};
    if (this.#seats[seat] !== undefined) this.#seats[seat].pending = '';
    return pending;
  }

  /** Rules on a reply line of the seat protocol. Throws KitError for another line. */
  judge(line: string): Judgement {
    const [hand, view] = this.#requireHand();
    const message = parseMessage(line);
    if (message?.type !== 'reply') throw new KitError(2, 'The answer of the bot was cut off.');
    return judge(hand, message.kind, message.amount, view.minRaise(hand.options().minRaise));
  }

  /** Applies an action of the player whose turn it is and announces what follows. Throws RangeError for an illegal one. */
  apply({ kind, amount, adjusted }: Pick<Judgement, 'kind' | 'amount' | 'adjusted'>): void {
    const [hand, view] = this.#requireHand();
    const { street, currentBet } = hand;
    const seat = hand.actor as number;
    const before = hand.bets[seat] ?? 0;
    hand.act(kind, amount, adjusted);
    const played = hand.log.at(-1);
    if (played !== undefined) view.note(seat, played.kind, before + played.amount > currentBet);
    if (hand.over || hand.street !== street) this.#announcer.closeStreet(hand, view, street);
  }

  #requireHand(): [Hand, HandView] {
    if (this.#hand === null || this.#view === null) throw new Error('no hand is in play');
    return [this.#hand, this.#view];
  }
}
