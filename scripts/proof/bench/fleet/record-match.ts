import { Action } from '@husky/holdem/action';
import { Table, type TableSetup } from '@husky/holdem/table';
import { CHUNK_HANDS, encodeChunk } from '@husky/match/chunk';
import { deckFor } from '@husky/match/deck';
import { digestNext, digestStart } from '@husky/match/digest';
import { type HandRecord, recordHand } from '@husky/match/record';

/** The input of a queued match. */
export interface QueuedMatch {
  readonly jobId: string;
  readonly seedHex: string;
  readonly numRounds: number;
  readonly setup: TableSetup;
}

/** A played attempt, as a dealer delivers it. */
export interface RecordedMatch {
  readonly chunks: readonly Buffer[];
  readonly digest: string;
  readonly hands: number;
  readonly endedEarly: string;
}

/** Plays an attempt of a match with the real decks and rules and six players that check or call, and encodes it. */
export function recordMatch({ jobId, seedHex, numRounds, setup }: QueuedMatch, attempt = 1): RecordedMatch {
  const seed = Buffer.from(seedHex, 'hex');
  const table = new Table(setup);
  const chunks: Buffer[] = [];
  let digest = digestStart(jobId, attempt);
  let hands: HandRecord[] = [];
  let start = table.state;
  const flush = () => {
    if (hands.length === 0) return;
    const { handNumber, stacks: startStacks, ...last } = start;
    chunks.push(
      encodeChunk({
        rulesVersion: setup.rulesVersion,
        firstHand: handNumber + 1,
        startStacks,
        ...last,
        ...(table.resetStack === null ? {} : { resetStack: table.resetStack }),
        hands,
      }),
    );
    hands = [];
    start = table.state;
  };
  const startedAtMs = Date.now();
  while (table.handNumber < numRounds && !table.over) {
    const number = table.handNumber + 1;
    const hand = table.startHand(deckFor(seed, number));
    const notes = [];
    while (hand.actor !== null) {
      hand.act(hand.options().canCheck ? Action.CHECK : Action.CALL);
      notes.push({ ms: notes.length });
    }
    table.finishHand(hand);
    const record = recordHand(hand, startedAtMs + number, notes);
    digest = digestNext(digest, number, record);
    hands.push(record);
    if (hands.length === CHUNK_HANDS) flush();
  }
  flush();
  const endedEarly = table.handNumber < numRounds ? 'one player holds every chip' : '';
  return { chunks, digest: digest.toString('hex'), hands: table.handNumber, endedEarly };
}
