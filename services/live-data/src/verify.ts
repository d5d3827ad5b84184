import { setImmediate as nextTurn } from 'node:timers/promises';
import { CHUNK_HANDS } from '@husky/match/chunk';
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
import type { Database } from './store/database.ts';

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
  db: Database,
  match: Match,
  attempt: Attempt,
  intake: Intake | undefined,
): Promise<VerifiedMatch> {
  const { state, summary, small } =
    intake !== undefined && isSame(intake.state, attempt) ? intake : await verifyStored(db, match, attempt);
  const total = state.stacks.reduce((sum, chips) => sum + chips, 0);
  if (total !== match.playerIds.length * match.startingStack) throw new RangeError('chips were lost or made');
  return {
    series: seriesOf(match, summary.hands),
    findings: summary.findings,
    index: await summary.index(),
    over: isOver(match, state),
    repacked: small ? await repack(storedContents(db, attempt)) : null,
  };
}

const isSame = (state: AttemptState, stored: Attempt) =>
  state.hands === stored.hands && Buffer.compare(state.digest, stored.digest) === 0;

async function verifyStored(
  db: Database,
  match: Match,
  attempt: Attempt,
): Promise<Pick<Intake, 'state' | 'summary' | 'small'>> {
  const summary = new MatchSummary(match);
  let state: AttemptState = startState(match, attempt.attempt);
  let small = false;
  for await (const content of storedContents(db, attempt)) {
    small ||= state.hands % CHUNK_HANDS !== 0;
    state = applyChunk(match, state, content);
    summary.add(content);
  }
  if (state.hands !== attempt.hands) throw new RangeError(`${state.hands} of ${attempt.hands} hands could be read`);
  if (!isSame(state, attempt)) throw new RangeError('the stored hands changed on the disk');
  return { state, summary, small };
}

async function* storedContents(db: Database, { jobId, attempt }: Attempt): AsyncGenerator<ChunkContent> {
  for await (const { bytes } of chunksAfter(db, jobId, attempt, 0)) {
    yield readChunk(bytes);
    await nextTurn();
  }
}
