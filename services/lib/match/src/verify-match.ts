import { type AppliedAction, actionNames } from '@husky/holdem/action';
import { cardCode } from '@husky/holdem/card';
import type { Hand } from '@husky/holdem/hand';
import { Table } from '@husky/holdem/table';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { isSignedRound, quicknet } from './beacon.ts';
import {
  dealKey,
  type PublicFacts,
  type PublishedRecord,
  recordText,
  type SeedProof,
  sha256Hex,
} from './commitment.ts';
import { deckFor, SEED_BYTES } from './deck.ts';
import type { PublishedAction, PublishedHand } from './published-hand.ts';
import { isKnownVersion } from './rules-version.ts';
import { seedProblem } from './seed-list.ts';

/** What was published about the deals of a match. */
export interface PublishedProof {
  readonly jobId: string;
  readonly commitment: string;
  /** The committed text without the key `seed`. */
  readonly publicInput: string;
  /** 64 hex digits. */
  readonly seed: string;
  /** Null for matches older than the chain. */
  readonly record: PublishedRecord | null;
  /** Null for matches whose seed is of no list. */
  readonly seedProof: SeedProof | null;
}

export interface VerifiedMatch {
  readonly hands: number;
  /** Actions of all hands, blinds included. */
  readonly actions: number;
  /** The match's record in the chain; null without one. */
  readonly recordNumber: number | null;
}

/** A published fact that differs from what the seed, the commitment or the rules give. */
export class VerificationFailure extends Error {
  override readonly name = 'VerificationFailure';
  /** Null if the failure concerns the whole match. */
  readonly hand: number | null;

  constructor(hand: number | null, difference: string) {
    super(hand === null ? difference : `Hand ${hand}: ${difference}`);
    this.hand = hand;
  }
}

/**
 * Verifies a match from published data alone: the seed against the commitment, the commitment against its record, and each hand
 * against the seed and the rules. Pass all hands in order to `verifyHand`, then call `finish`. All methods throw VerificationFailure
 * at the first difference. Runs in browsers and Node.
 */
export class MatchVerifier {
  /** What was committed to. */
  readonly facts: PublicFacts;
  /** From which every card of the match is dealt. */
  readonly key: Uint8Array;
  readonly #proof: PublishedProof;
  readonly #table: Table;
  readonly #committedAtMs: number | null;
  #actions = 0;

  constructor(proof: PublishedProof) {
    this.#proof = proof;
    const seed = seedOf(proof.seed);
    const facts = committedFacts(proof);
    if (proof.record !== null) checkRecord(proof.record, proof);
    const place = { seed, proof: proof.seedProof, recordNumber: proof.record?.number ?? null };
    const problem = seedProblem(place, facts);
    if (problem !== undefined) throw new VerificationFailure(null, problem);
    if (facts.beacon?.chain === quicknet.hash && !isSignedRound(quicknet, facts.beacon))
      throw new VerificationFailure(null, `beacon.signature: round ${facts.beacon.round} was not signed so.`);
    this.key = dealKey(seed, facts);
    this.#committedAtMs = proof.record === null ? null : Date.parse(proof.record.time);
    this.facts = facts;
    this.#table = new Table({
      rulesVersion: facts.rulesVersion,
      players: facts.roster.length,
      startingStack: facts.startingStack,
      blinds: facts.blinds,
      stacks: facts.stacks ?? 'carry',
    });
  }

  /** The starting stack plus all results so far, by seat. */
  get stacks(): readonly number[] {
    return this.#table.stacks;
  }

  /** Deals the next hand, which must have this number and begin after the commitment. The caller acts until it is over. */
  startHand(number: number, startedAtMs: number): Hand {
    const table = this.#table;
    const next = table.handNumber + 1;
    if (number !== next) throw new VerificationFailure(next, `it is missing: hand ${number} follows.`);
    if (number > this.facts.hands)
      throw new VerificationFailure(number, `the commitment allows ${this.facts.hands} hands.`);
    if (table.over) throw new VerificationFailure(number, 'one player held every chip before it.');
    if (this.#committedAtMs !== null && !(startedAtMs > this.#committedAtMs))
      throw new VerificationFailure(number, 'it began before the commitment was made.');
    return table.startHand(deckFor(this.key, number));
  }

  /** Books the hand in play, which must be over. */
  finishHand(hand: Hand): void {
    this.#checkOver(hand);
    this.#table.finishHand(hand);
    this.#actions += hand.log.length;
  }

  /** Re-deals the next hand and compares it: stacks, positions, blinds, cards, each action and pot, and the payouts. Returns it. */
  verifyHand(published: PublishedHand): Hand {
    const { number } = published;
    const compare = (subject: string, expected: Shown, found: Shown) => compareIn(number, subject, expected, found);
    const hand = this.startHand(number, published.startedAtMs);
    compare('stacks before the hand', hand.startStacks, published.startStacks);
    compare('button', seatName(hand.button), seatName(published.button));
    // Files of earlier releases do not name the seats of the blinds.
    if (published.bigBlindSeat !== undefined) {
      const smallBlindSeat = hand.posts === 2 ? hand.smallBlindSeat : null;
      const nameOf = (seat: number | null | undefined) => (seat == null ? null : seatName(seat));
      compare('seat of the small blind', nameOf(smallBlindSeat), nameOf(published.smallBlindSeat));
      compare('seat of the big blind', seatName(hand.bigBlindSeat), seatName(published.bigBlindSeat));
    }
    compare('blinds', [hand.smallBlind, hand.bigBlind], [published.smallBlind, published.bigBlind]);
    for (const [seat, dealt] of hand.dealtIn.entries()) {
      const cards = dealt ? hand.holeCards(seat).map(cardCode) : [];
      compare(`cards of ${seatName(seat)}`, cards, published.holeCards[seat] ?? []);
    }
    this.#replay(hand, published.actions);
    compare('board', hand.board.map(cardCode), published.board);
    compare('stacks after the hand', hand.stacks, published.finalStacks);
    compare('chips won and lost', hand.deltas, published.deltas);
    this.finishHand(hand);
    return hand;
  }

  #replay(hand: Hand, actions: readonly PublishedAction[]): void {
    const number = this.#table.handNumber;
    let pot = 0;
    for (const [index, action] of actions.entries()) {
      const subject = `action ${index + 1}`;
      if (index >= hand.log.length) {
        if (hand.actor === null) throw new VerificationFailure(number, `${subject}: the hand was over.`);
        compareIn(number, `player of ${subject}`, seatName(hand.actor), seatName(action.seat));
        try {
          hand.act(action.kind, action.amount);
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          throw new VerificationFailure(number, `${subject} (${describeAction(action)}) is illegal: ${error.message}.`);
        }
      }
      const played = hand.log[index] as AppliedAction;
      compareIn(number, subject, describeAction(played), describeAction(action));
      compareIn(number, `street of ${subject}`, played.street, action.street);
      pot += played.amount;
      compareIn(number, `pot after ${subject}`, pot, action.potAfter);
    }
    if (actions.length < hand.log.length) throw new VerificationFailure(number, 'the blinds are missing.');
    this.#checkOver(hand);
  }

  #checkOver({ actor }: Hand): void {
    if (actor !== null)
      throw new VerificationFailure(this.#table.handNumber, `it ends while ${seatName(actor)} is to act.`);
  }

  /** Checks that the match was played to its end. Call it after the last hand. */
  finish(): VerifiedMatch {
    const { handNumber: hands, over } = this.#table;
    if (hands < this.facts.hands && !over)
      throw new VerificationFailure(hands + 1, `it is missing: ${this.facts.hands} hands were committed to.`);
    return { hands, actions: this.#actions, recordNumber: this.#proof.record?.number ?? null };
  }
}

/**
 * Checks that records follow each other in the chain, each with the hash of its own text and of the record before. Throws
 * VerificationFailure for the first one that does not.
 */
export function checkLinks(records: readonly PublishedRecord[]): void {
  let before: PublishedRecord | undefined;
  for (const record of records) {
    checkHash(record);
    if (before !== undefined) {
      const follows =
        record.number === before.number + 1 && record.previous === before.hash && record.time >= before.time;
      if (!follows)
        throw new VerificationFailure(null, `Record ${record.number} of the chain does not follow the one before.`);
    }
    before = record;
  }
}

/** Checks that a record has the hash of its own text. Throws VerificationFailure. */
export function checkHash(record: PublishedRecord): void {
  compareIn(null, `Hash of record ${record.number} of the chain`, sha256Hex(recordText(record)), record.hash);
}

function checkRecord(record: PublishedRecord, { jobId, commitment }: PublishedProof): void {
  checkHash(record);
  compareIn(null, 'Match of the record in the chain', sha256Hex(jobId.toLowerCase()), record.jobHash);
  compareIn(null, 'Commitment of the record in the chain', commitment, record.commitment);
}

function seedOf(hex: string): Uint8Array {
  if (!new RegExp(`^[0-9a-f]{${2 * SEED_BYTES}}$`, 'i').test(hex))
    throw new VerificationFailure(null, `The seed is not ${2 * SEED_BYTES} hex digits.`);
  return hexToBytes(hex);
}

/** Checks the hash of the committed facts and the seed against the commitment. Returns the facts. */
function committedFacts({ publicInput, seed, commitment }: PublishedProof): PublicFacts {
  const facts = parsed(publicInput);
  const keys = Object.entries({ ...facts, seed: bytesToHex(seedOf(seed)) }).sort(([a], [b]) => (a < b ? -1 : 1));
  compareIn(
    null,
    'Hash of the seed and the committed facts',
    commitment,
    sha256Hex(JSON.stringify(Object.fromEntries(keys))),
  );
  if (!isKnownVersion(facts.rulesVersion))
    throw new VerificationFailure(null, `Rules version ${facts.rulesVersion} cannot be verified here.`);
  return facts;
}

// The hash proves that the platform wrote these facts, so their form is not checked again.
function parsed(publicInput: string): PublicFacts {
  try {
    return JSON.parse(publicInput) as PublicFacts;
  } catch {
    throw new VerificationFailure(null, 'The input of the commitment is not JSON.');
  }
}

type Shown = string | number | null | readonly (string | number)[];

function compareIn(hand: number | null, subject: string, expected: Shown, found: Shown): void {
  const [expectedText, foundText] = [textOf(expected), textOf(found)];
  if (expectedText === foundText) return;
  throw new VerificationFailure(hand, `${subject}: expected ${expectedText || 'none'}, found ${foundText || 'none'}.`);
}

const textOf = (value: Shown): string => (Array.isArray(value) ? value.join(' ') : String(value));

/** Seats are counted from 1 in sentences, as on the site. */
const seatName = (seat: number): string => `seat ${seat + 1}`;

function describeAction({ seat, kind, amount }: Pick<PublishedAction, 'seat' | 'kind' | 'amount'>): string {
  return `${actionNames[kind]}${amount > 0 ? ` ${amount}` : ''} by ${seatName(seat)}`;
}
