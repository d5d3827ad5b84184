import { type BlindSchedule, type Blinds, blindLevel, blindsAt, checkSchedule } from './blinds.ts';
import type { Card } from './card.ts';
import { Hand } from './hand.ts';
import { blindsAfter, type LastBlinds, positionsAfter } from './positions.ts';

export interface TableSetup {
  /** Chooses the rule of the positions (positions.ts); the newest is RULES_VERSION of lib/match. */
  readonly rulesVersion: number;
  readonly players: number;
  readonly startingStack: number;
  readonly blinds: BlindSchedule;
  /** 'reset': every player starts every hand with the starting stack. Absent: 'carry'. */
  readonly stacks?: 'carry' | 'reset';
}

/** The state between two hands; a match can be resumed from it. */
export interface TableState extends LastBlinds {
  /** By seat: the starting stack plus all results so far. Below 0 is possible if stacks are reset; otherwise these are the chips. */
  readonly stacks: readonly number[];
  /** Hands dealt so far. */
  readonly handNumber: number;
}

/** Keeps a match's chips and positions and deals its hands, one at a time. */
export class Table {
  readonly rulesVersion: number;
  readonly blinds: BlindSchedule;
  /** The starting stack if every hand starts with it; null if stacks are carried. */
  readonly resetStack: number | null;
  /** As TableState.stacks. */
  stacks: readonly number[];
  /** The number of the hand in play or last played; 0 before hand 1. */
  handNumber: number;
  #last: LastBlinds;
  readonly chipsInPlay: number;
  #hand: Hand | null = null;
  #level = -1;
  #levelBlinds: Blinds | null = null;

  /** `state` resumes a match. Throws RangeError for an invalid setup. */
  constructor(setup: TableSetup, state?: TableState) {
    checkSchedule(setup.blinds);
    this.rulesVersion = setup.rulesVersion;
    this.blinds = setup.blinds;
    this.resetStack = setup.stacks === 'reset' ? setup.startingStack : null;
    this.stacks = state?.stacks.slice() ?? new Array<number>(setup.players).fill(setup.startingStack);
    if (this.stacks.length !== setup.players) throw new RangeError('the state has another number of players');
    this.handNumber = state?.handNumber ?? 0;
    this.#last = { bigBlindSeat: state?.bigBlindSeat ?? null, nextButton: state?.nextButton ?? null };
    this.chipsInPlay = this.stacks.reduce((sum, chips) => sum + chips, 0);
  }

  /** True once one player holds every chip: no further hand can be dealt. Never true if stacks are reset. */
  get over(): boolean {
    return this.nextStacks.filter((chips) => chips > 0).length < 2;
  }

  /** The stacks before the next hand, by seat. */
  get nextStacks(): readonly number[] {
    return this.resetStack === null ? this.stacks : new Array<number>(this.stacks.length).fill(this.resetStack);
  }

  get state(): TableState {
    return { stacks: this.stacks.slice(), handNumber: this.handNumber, ...this.#last };
  }

  /** Returns the blinds of a hand; hands count from 1. */
  blindsOf(hand: number): Blinds {
    const level = blindLevel(hand, this.blinds.interval);
    if (this.#levelBlinds === null || this.#level !== level) {
      this.#levelBlinds = blindsAt(hand, this.blinds, this.chipsInPlay);
      this.#level = level;
    }
    return this.#levelBlinds;
  }

  /** Deals the next hand. Throws RangeError while a hand is in play or when the match is over. */
  startHand(deck: ArrayLike<Card>): Hand {
    if (this.#hand !== null) throw new RangeError('a hand is still in play');
    if (this.over) throw new RangeError('one player holds every chip');
    const stacks = this.nextStacks;
    const positions = positionsAfter(stacks, this.#last);
    const { small, big } = this.blindsOf(this.handNumber + 1);
    const hand = new Hand({ stacks, ...positions, smallBlind: small, bigBlind: big, deck });
    this.handNumber += 1;
    this.#last = blindsAfter(this.rulesVersion, positions);
    this.#hand = hand;
    return hand;
  }

  /** Books the results of the hand in play, which must be over. Throws RangeError for any other hand. */
  finishHand(hand: Hand): void {
    if (hand !== this.#hand || !hand.over) throw new RangeError('only the finished hand in play can be booked');
    const { deltas } = hand;
    this.stacks = this.stacks.map((chips, seat) => chips + (deltas[seat] as number));
    this.#hand = null;
  }
}
