import { CHUNK_HANDS } from '@husky/match/chunk';
import { ExpiringCache } from '@husky/runtime/process/expiring-cache';
import { ofOwnMemory } from '@husky/runtime/process/own-memory';
import type { Match } from './domain/match.ts';
import { MatchSummary } from './domain/match-index.ts';
import { type AttemptState, type ChunkContent, startState } from './domain/record.ts';

// About 250 bytes a hand; a replica with more hands in play verifies some matches from the tables at their end.
const maxHands = 200_000;
/** The memory of an entry without hands, in hands. */
const emptyHands = 100;
// An attempt that another replica completes, or whose job fails, leaves its entry here.
const unusedMs = 3_600_000;

/** An attempt whose hands this replica has verified and stored since the first one. */
export interface Intake {
  /** The match when the attempt was opened. Status, visibility and attempts may have changed since. */
  readonly match: Match;
  readonly attempt: number;
  readonly state: AttemptState;
  readonly summary: MatchSummary;
  /** Whether a stored chunk other than the last one has fewer hands than a full one. */
  readonly small: boolean;
}

/**
 * A cache of the state of attempts in play: a chunk is verified without reading the tables, and a complete match without dealing it
 * again. Any entry can be missing: after a restart, on another replica, or when there are too many hands in play.
 */
export class Intakes {
  readonly #byJob = new ExpiringCache<Intake>({
    maxSize: maxHands,
    sizeCalculation: ({ state }) => emptyHands + state.hands,
    ttl: unusedMs,
    updateAgeOnGet: true,
  });

  /** Adds an attempt that has just been opened; replaces an earlier one of its match. */
  open(match: Match, attempt: number): void {
    const summary = new MatchSummary(match);
    const opened = { ...match, seed: ofOwnMemory(match.seed), currentAttempt: attempt };
    this.#byJob.set(match.jobId, { match: opened, attempt, state: startState(match, attempt), summary, small: false });
  }

  find(jobId: string, attempt: number): Intake | undefined {
    const intake = this.#byJob.get(jobId);
    return intake?.attempt === attempt ? intake : undefined;
  }

  /** Adds a stored chunk; `after` is the state that applyChunk returned for it. */
  add(intake: Intake, content: ChunkContent, after: AttemptState): void {
    const { jobId } = intake.match;
    // Chunks of one attempt that arrive at the same time may have been stored in another order than they are added.
    if (this.#byJob.peek(jobId) !== intake) {
      this.drop(jobId);
      return;
    }
    intake.summary.add(content);
    const small = intake.small || intake.state.hands % CHUNK_HANDS !== 0;
    this.#byJob.set(jobId, { ...intake, state: after, small });
  }

  drop(jobId: string): void {
    this.#byJob.delete(jobId);
  }
}
