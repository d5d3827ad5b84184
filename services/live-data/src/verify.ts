import { setImmediate as nextTurn } from 'node:timers/promises';
import { addFindings, SeatFindings } from './domain/findings.ts';
import type { Match } from './domain/match.ts';
import {
  type AttemptState,
  applyChunk,
  type ChunkContent,
  type HandResult,
  handResults,
  isOver,
  type PackedChunk,
  readChunk,
  repack,
  seriesOf,
  startState,
} from './domain/record.ts';
import type { Attempt } from './store/attempts.ts';
import { chunksAfter } from './store/chunks.ts';
import type { Database } from './store/database.ts';

export interface VerifiedMatch {
  /** Cumulative results by seat. */
  readonly series: readonly (readonly number[])[];
  /** Faults and adjusted actions by seat. */
  readonly findings: readonly SeatFindings[];
  readonly results: readonly HandResult[];
  /** True: one player holds all chips. */
  readonly over: boolean;
  /** The hands in full chunks; null if all stored chunks are already full. */
  readonly repacked: readonly PackedChunk[] | null;
}

/**
 * Re-deals a whole attempt from the seed and the stored actions. Throws RangeError for the first difference. Lets other calls
 * run between chunks.
 */
export async function verifyWhole(db: Database, match: Match, attempt: Attempt): Promise<VerifiedMatch> {
  const contents: ChunkContent[] = [];
  const findings = match.playerIds.map(() => new SeatFindings());
  const results: HandResult[] = [];
  let state: AttemptState = startState(match, attempt.attempt);
  for await (const chunk of chunksAfter(db, match.jobId, attempt.attempt, 0)) {
    const content = readChunk(chunk.bytes);
    state = applyChunk(match, state, content);
    results.push(...handResults(match, content));
    addFindings(findings, content);
    contents.push(content);
    await nextTurn();
  }
  if (state.hands !== attempt.hands) throw new RangeError(`${state.hands} of ${attempt.hands} hands could be read`);
  if (Buffer.compare(state.digest, attempt.digest) !== 0) throw new RangeError('the stored hands changed on the disk');
  const total = state.stacks.reduce((sum, chips) => sum + chips, 0);
  if (total !== match.playerIds.length * match.startingStack) throw new RangeError('chips were lost or made');
  return {
    series: seriesOf(match, results),
    findings,
    results,
    over: isOver(match, state),
    repacked: repack(contents),
  };
}
