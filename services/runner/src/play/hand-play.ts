import type { Hand } from '@husky/holdem/hand';
import { Table } from '@husky/holdem/table';
import { deckFor } from '@husky/match/deck';
import { type ActionNote, type HandRecord, recordHand } from '@husky/match/record';
import type { Announcer } from './announcer.ts';
import { HandView } from './hand-view.ts';
import { type Judgement, judge } from './judge.ts';
import type { MatchSetup } from './setup.ts';

/** The match's table and the hand in play: deals, applies decisions, has them told, and makes the record. */
export class HandPlay {
  readonly table: Table;
  readonly #setup: MatchSetup;
  readonly #ids: readonly number[];
  readonly #announcer: Announcer;
  #hand: Hand | null = null;
  #view: HandView | null = null;
  #notes: ActionNote[] = [];
  #startedAtMs = 0;
  #startMs = 0;

  /** `ids` are the players' towards bots, by seat. */
  constructor(setup: MatchSetup, ids: readonly number[], announcer: Announcer) {
    this.#setup = setup;
    this.#ids = ids;
    this.#announcer = announcer;
    const { seats, startingStack, blinds } = setup;
    this.table = new Table({ players: seats.length, startingStack, blinds });
  }

  /** The seat to act, or null when a hand is to be dealt. */
  get actor(): number | null {
    return this.#hand === null ? null : this.#hand.actor;
  }

  get handsDone(): number {
    return this.#hand === null || this.#hand.over ? this.table.handNumber : this.table.handNumber - 1;
  }

  deal(): void {
    this.#startedAtMs = Date.now();
    this.#startMs = performance.now();
    this.#notes = [];
    const hand = this.table.startHand(deckFor(this.#setup.seed, this.table.handNumber + 1));
    const view = new HandView(hand, this.#setup.profile, this.#ids);
    this.#hand = hand;
    this.#view = view;
    this.#announcer.deal(hand, view);
  }

  /** The event that asks the actor, without a comma after it. */
  question(): string {
    const [hand, view] = this.#inPlay();
    const { minRaise, maxRaise } = hand.options();
    const stack = hand.stacks[hand.actor as number];
    return `["a",${view.current()},${view.raiseRange(minRaise, maxRaise)},${stack}]`;
  }

  /** What the actor's answer comes to, not yet applied. */
  judge(kind: number, amount: number | string): Judgement {
    const [hand, view] = this.#inPlay();
    return judge(hand, kind, amount, view.minRaise(hand.options().minRaise));
  }

  apply({ kind, amount, adjusted, fault, asked }: Judgement): void {
    const [hand, view] = this.#inPlay();
    const { street, currentBet, actor } = hand;
    const seat = actor as number;
    const before = hand.bets[seat] as number;
    hand.act(kind, amount, adjusted);
    const ms = performance.now() - this.#startMs;
    this.#notes.push({ ms, ...(fault === null ? {} : { fault }), ...(asked === undefined ? {} : { asked }) });
    const logged = hand.log[hand.log.length - 1];
    if (logged === undefined) return;
    view.note(seat, logged.kind, before + logged.amount > currentBet);
    if (hand.over || hand.street !== street) this.#announcer.closeStreet(hand, view, street);
  }

  /** Books the finished hand; null when none is to be booked. */
  book(): HandRecord | null {
    const hand = this.#hand;
    if (hand === null) return null;
    const record = recordHand(hand, this.#startedAtMs, this.#notes);
    this.table.finishHand(hand);
    this.#hand = null;
    this.#view = null;
    return record;
  }

  #inPlay(): [Hand, HandView] {
    if (this.#hand === null || this.#view === null) throw new Error('no hand is in play');
    return [this.#hand, this.#view];
  }
}
