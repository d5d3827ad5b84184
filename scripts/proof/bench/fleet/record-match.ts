import type { Assignment__Output } from '@husky/contracts/types/simulation/v1/Assignment';
import { Action } from '@husky/holdem/action';
import { Table } from '@husky/holdem/table';
import { deckFor } from '@husky/match/deck';
import { recordHand } from '@husky/match/record';
import { parseStacks } from '@husky/match/stacks';
import { Delivery } from '../../../../services/runner/src/work/delivery.ts';

/** A played attempt, as a dealer delivers it. */
export interface RecordedMatch {
  readonly chunks: readonly Buffer[];
  readonly digest: string;
  readonly hands: number;
  readonly endedEarly: string;
}

/** Plays a match with the real decks and rules and players that check or call, and encodes it. */
export async function recordMatch(assignment: Assignment__Output): Promise<RecordedMatch> {
  const { jobId, attempt, seed, numRounds, rulesVersion, startingStack, seats, blinds } = assignment;
  if (blinds === null) throw new Error('a match has no blinds');
  const setup = { rulesVersion, players: seats.length, startingStack, stacks: parseStacks(assignment.stacks) };
  const table = new Table({ ...setup, blinds });
  const chunks: Buffer[] = [];
  const delivery = new Delivery({
    ...setup,
    jobId,
    attempt,
    send: async (chunk) => void chunks.push(chunk),
    onFailed: (error) => {
      throw error;
    },
  });
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
    delivery.add(number, recordHand(hand, startedAtMs + number, notes));
  }
  await delivery.finish();
  const endedEarly = table.handNumber < numRounds ? 'one player holds every chip' : '';
  return { chunks, digest: delivery.digest, hands: table.handNumber, endedEarly };
}
