import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SeatFindings } from './domain/findings.ts';
import type { Match } from './domain/match.ts';
import { type MatchIndex, MatchSummary } from './domain/match-index.ts';
import {
  type AttemptState,
  applyChunk,
  type ChunkContent,
  isOver,
  type PackedChunk,
  readChunk,
  repack,
  seriesOf,
  startState,
} from './domain/record.ts';
import type { Intake } from './intakes.ts';
import type { Attempt } from './store/attempts.ts';
import { chunksAfter } from './store/chunks.ts';
import type { HandsDatabase } from './store/database.ts';

export interface VerifiedMatch {
  /** Cumulative results by seat. */
  readonly series: readonly (readonly number[])[];
  /** Faults and adjusted actions by seat. */
  readonly findings: readonly SeatFindings[];
  readonly index: MatchIndex;
  /** Whether one player holds all chips. */
  readonly over: boolean;
  /** The hands in full chunks; null if all stored chunks are already full. */
  readonly repacked: readonly PackedChunk[] | null;
}

/**
 * Verifies the hands of a whole attempt and returns their sums. If this replica has already verified all of them (`intake`), uses its sums;
 * otherwise re-deals the stored actions from the seed. Throws RangeError for the first difference. Lets other calls run between chunks.
 */
export async function verifyMatch(
  db: HandsDatabase,
  match: Match,
  attempt: Attempt,
  intake: Intake | undefined,
): Promise<VerifiedMatch> {
  const { state, summary, repacked } =
    intake !== undefined && isSame(intake.state, attempt)
      ? { ...intake, repacked: intake.small ? await repackStored(db, attempt) : null }
      : await verifyStored(db, match, attempt);
  const total = state.stacks.reduce((sum, chips) => sum + chips, 0);
  if (total !== match.playerIds.length * match.startingStack) throw new RangeError('chips were lost or made');
  return {
    series: seriesOf(match, summary.hands),
    findings: summary.findings,
    index: await summary.index(),
    over: isOver(match, state),
    repacked,
  };
}

const isSame = (state: AttemptState, stored: Attempt) =>
  state.hands === stored.hands && Buffer.compare(state.digest, stored.digest) === 0;

async function verifyStored(db: HandsDatabase, match: Match, attempt: Attempt) {
  const contents: ChunkContent[] = [];
  const summary = new MatchSummary(match);
  let state: AttemptState = startState(match, attempt.attempt);
  for await (const chunk of chunksAfter(db, match.jobId, attempt.attempt, 0)) {
    const content = readChunk(chunk.bytes);
    state = applyChunk(match, state, content);
    summary.add(content);
    contents.push(content);
    await nextTurn();
  }
  if (state.hands !== attempt.hands) throw new RangeError(`${state.hands} of ${attempt.hands} hands could be read`);
  if (!isSame(state, attempt)) throw new RangeError('the stored hands changed on the disk');
  return { state, summary, repacked: repack(contents) };
}

async function repackStored(db: HandsDatabase, { jobId, attempt }: Attempt): Promise<PackedChunk[] | null> {
  const contents: ChunkContent[] = [];
  for await (const { bytes } of chunksAfter(db, jobId, attempt, 0)) {
    contents.push(readChunk(bytes));
    await nextTurn();
  }
  return repack(contents);
}
