import { Action } from '@husky/holdem/action';
import { adjudicate, type Hand } from '@husky/holdem/hand';
import { Table, type TableSetup } from '@husky/holdem/table';
import { CHUNK_HANDS, type ChunkContent } from '../src/chunk.ts';
import { deckFor } from '../src/deck.ts';
import { FAULTS } from '../src/fault.ts';
import { type ActionNote, type HandRecord, recordHand } from '../src/record.ts';
import { RULES_VERSION } from '../src/rules-version.ts';

export const seed = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex');
export const sixMax: TableSetup = {
  rulesVersion: RULES_VERSION,
  players: 6,
  startingStack: 10_000,
  blinds: { bigBlind: 10, multiplier: '1.5', interval: 200 },
};

/** Returns a seeded generator of numbers in [0, 1) (xorshift32). */
export function seeded(start: number): () => number {
  let state = start | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export interface Style {
  /** Longest decision in ms. */
  readonly thinkMs: number;
  /** Share of decisions that are faults, 0..1. */
  readonly faults: number;
}

// Folds a third of the time when there is a bet to call, otherwise mostly calls, sometimes raises or replies with an illegal action.
function decide(hand: Hand, random: () => number, style: Style, ms: number): ActionNote {
  if (random() < style.faults) {
    const fault = FAULTS[Math.floor(random() * FAULTS.length)] as ActionNote['fault'];
    hand.act(Action.FOLD);
    return { ms, ...(fault === undefined ? {} : { fault }), detail: `TypeError: 'é' is no number (${fault})` };
  }
  const draw = random();
  const kind = draw < 0.33 ? Action.FOLD : draw < 0.92 ? Action.CALL : draw < 0.999 ? Action.RAISE : Action.ALL_IN;
  const amount = Math.round((hand.options().minRaise || 20) * (0.6 + random()));
  const ruling = adjudicate(hand, kind === Action.FOLD && hand.options().canCheck ? Action.CHECK : kind, amount);
  hand.act(ruling.kind, ruling.amount, ruling.adjusted !== null);
  if (ruling.fault !== null) return { ms, fault: 'illegal', detail: ruling.fault };
  return ruling.adjusted ? { ms, detail: `RAISE ${amount}` } : { ms };
}

/** Plays a random match, dealt from `key`, and returns its chunks as a dealer delivers them. */
export function playMatch(
  setup: TableSetup,
  hands: number,
  style: Style,
  playSeed = 1,
  key: Uint8Array = seed,
): ChunkContent[] {
  const random = seeded(playSeed);
  const table = new Table(setup);
  const chunks: ChunkContent[] = [];
  let clock = 1_760_000_000_000;
  while (!table.over && table.handNumber < hands) {
    const { stacks, handNumber, ...last } = table.state;
    const { resetStack } = table;
    const records: HandRecord[] = [];
    while (records.length < CHUNK_HANDS && !table.over && table.handNumber < hands) {
      const hand = table.startHand(deckFor(key, table.handNumber + 1));
      const notes: ActionNote[] = [];
      let ms = 0;
      while (!hand.over) {
        ms += random() * style.thinkMs;
        notes.push(decide(hand, random, style, ms));
      }
      records.push(recordHand(hand, clock, notes));
      clock += Math.ceil(ms) + 1;
      table.finishHand(hand);
    }
    chunks.push({
      rulesVersion: setup.rulesVersion,
      firstHand: handNumber + 1,
      startStacks: stacks,
      ...(resetStack !== null && { resetStack }),
      ...last,
      hands: records,
    });
  }
  return chunks;
}
