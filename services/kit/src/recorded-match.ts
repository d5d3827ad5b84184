import { parseCard } from '@husky/holdem/card';
import type { Hand } from '@husky/holdem/hand';
import { Table } from '@husky/holdem/table';
import { dealKey, type PublicFacts } from '@husky/match/commitment';
import { deckFor, playerIds } from '@husky/match/deck';
import { actionsOf } from '@husky/match/game-data';
import type { PublishedAction, PublishedHand } from '@husky/match/published-hand';
import { MatchVerifier, VerificationFailure } from '@husky/match/verify-match';
import { type FileHand, type MatchFile, proofOf, publishedHand } from './match-file.ts';
import { KitError } from './wire.ts';

export interface RecordedAction extends PublishedAction {
  /** The bot's fault, or `adjusted`; null if the action was played as requested. */
  readonly verdict: string | null;
}

export interface RecordedHand {
  readonly number: number;
  /** Dealt, with the blinds posted. */
  readonly hand: Hand;
  /** Blinds included: actions[i] belongs to hand.log[i]. */
  readonly actions: readonly RecordedAction[];
}

// Placeholders with ten digits: the real ids are unknown without the seed.
const firstUnknownId = 1_000_000_001;

/** A recorded match that is dealt again. Verifies every hand if the seed is published. */
export class RecordedMatch {
  readonly #file: MatchFile;
  readonly #facts: PublicFacts;
  readonly #table: Table;
  readonly #key: Uint8Array | null;
  readonly #verifier: MatchVerifier | null;

  /** Throws KitError for a file without the match's settings, or whose seed is not the committed one. */
  constructor(file: MatchFile) {
    this.#file = file;
    this.#facts = factsOf(file);
    const { rulesVersion, roster, startingStack, blinds, stacks } = this.#facts;
    const { seed } = file.manifest;
    this.#key = typeof seed === 'string' ? dealKey(Buffer.from(seed, 'hex'), this.#facts) : null;
    this.#verifier = this.#key === null ? null : translateFailures(file, () => new MatchVerifier(proofOf(file)));
    const players = roster.length;
    this.#table = new Table({ rulesVersion, players, startingStack, blinds, stacks: stacks ?? 'carry' });
  }

  /** The ids by which the bots knew the players; placeholders while the seed is not published. */
  get ids(): number[] {
    const seats = this.#facts.roster.length;
    if (this.#key !== null) return playerIds(this.#key, seats);
    return Array.from({ length: seats }, (_, seat) => firstUnknownId + seat);
  }

  /** Whether cards and ids follow from a published seed. */
  get hasSeed(): boolean {
    return this.#key !== null;
  }

  get profile(): 'documented' | 'classic' {
    return this.#facts.profile === 'classic' ? 'classic' : 'documented';
  }

  /** Yields the hands in order, dealt but not played: the caller must apply all actions of a hand before the next one. Throws KitError. */
  async *hands(): AsyncGenerator<RecordedHand> {
    for await (const found of this.#file.hands()) {
      const published = publishedHand(this.#file, found);
      translateFailures(this.#file, () => this.#verifier?.verifyHand(published));
      const number = this.#table.handNumber + 1;
      if (published.number !== number || this.#table.over) throw this.#damaged(number);
      const hand = this.#table.startHand(this.#key === null ? this.#deckOf(published) : deckFor(this.#key, number));
      yield { number, hand, actions: recordedActions(found, published) };
      if (!hand.over) throw this.#damaged(number);
      this.#table.finishHand(hand);
    }
  }

  /** Returns a deck with the recorded cards in their positions. Unrecorded cards are in arbitrary order. */
  #deckOf({ number, holeCards, board }: PublishedHand): Uint8Array {
    const known = new Map<number, number>();
    try {
      for (const [seat, cards] of holeCards.entries()) {
        for (const [index, card] of cards.entries()) known.set(2 * seat + index, parseCard(card));
      }
      for (const [index, card] of board.entries()) known.set(12 + index, parseCard(card));
    } catch {
      throw this.#damaged(number);
    }
    const dealt = new Set(known.values());
    if (dealt.size !== known.size) throw this.#damaged(number);
    const others = Array.from({ length: 52 }, (_, card) => card).filter((card) => !dealt.has(card));
    return Uint8Array.from({ length: 52 }, (_, position) => known.get(position) ?? others.pop() ?? 0);
  }

  #damaged(number: number): KitError {
    return new KitError(
      2,
      `Hand ${number} of ${this.#file.name} does not follow from the rules: the file was changed.`,
    );
  }
}

function factsOf({ name, manifest }: MatchFile): PublicFacts {
  const input = manifest.commitment_input;
  if (typeof input !== 'string') throw new KitError(2, `${name} has no settings of the match (commitment_input).`);
  try {
    const facts = JSON.parse(input) as PublicFacts;
    if (facts.roster.length === manifest.players.length) return facts;
  } catch {
    // Invalid JSON is reported below, as settings that do not fit the players are.
  }
  throw new KitError(2, `${name} has no settings that fit its players: the file was changed.`);
}

function recordedActions({ game }: FileHand, published: PublishedHand): RecordedAction[] {
  const verdicts = actionsOf(game).map(({ verdict }) => verdict ?? null);
  return published.actions.map((action, index) => ({ ...action, verdict: verdicts[index] ?? null }));
}

/** Returns the result of a verification; replaces its VerificationFailure by a KitError with the name of the file. */
function translateFailures<T>(file: MatchFile, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof VerificationFailure)) throw error;
    throw new KitError(1, `${file.name} is not verified. ${error.message}`);
  }
}
