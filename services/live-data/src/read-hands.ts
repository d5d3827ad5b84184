import { setImmediate as nextTurn } from 'node:timers/promises';
import { type IndexedHand, unpackIndex } from './domain/hand-index.ts';
import type { Highlight } from './domain/highlights.ts';
import { type Match, readableAttempt } from './domain/match.ts';
import { type MatchIndex, MatchSummary } from './domain/match-index.ts';
import { type HandResult, handResults, readChunk, seriesOf } from './domain/record.ts';
import { unpackSeries } from './domain/series.ts';
import { chunksAfter, findSeries } from './store/chunks.ts';
import type { Database } from './store/database.ts';
import { findHandIndex, findHighlights, putHandIndex } from './store/hand-indexes.ts';

export interface MatchHands {
  readonly attempt: number;
  /** Hand n is at index n - 1. */
  readonly hands: readonly IndexedHand[];
  /** Cumulative results by seat. */
  readonly series: readonly (readonly number[])[];
}

/**
 * Returns index and series of the readable attempt. For a match without a stored index, such as a running one, computes them from the
 * stored chunks.
 */
export async function readHands(db: Database, match: Match): Promise<MatchHands> {
  const attempt = readableAttempt(match);
  if (match.acceptedAttempt !== null) {
    const [index, series] = await Promise.all([
      findHandIndex(db, match.jobId, attempt),
      findSeries(db, match.jobId, attempt),
    ]);
    if (index !== null && series !== null) return { attempt, hands: unpackIndex(index), series: unpackSeries(series) };
  }
  // Without the records: a hand can have thousands of actions.
  const results: Pick<HandResult, 'facts' | 'cumulative'>[] = [];
  for await (const { facts, cumulative } of readResults(db, match)) results.push({ facts, cumulative });
  return { attempt, hands: results.map(({ facts }) => facts), series: seriesOf(match, results) };
}

/** Returns the highlights of a finished match; an empty list for any other match. */
export async function readHighlights(db: Database, match: Match): Promise<readonly Highlight[]> {
  if (match.acceptedAttempt === null) return [];
  return (await findHighlights(db, match.jobId, match.acceptedAttempt)) ?? (await indexMatch(db, match)).highlights;
}

/** Computes and stores the index of a finished match from its chunks. Idempotent. */
export async function indexMatch(db: Database, match: Match): Promise<MatchIndex> {
  const summary = new MatchSummary(match);
  for await (const result of readResults(db, match)) summary.addHand(result);
  const index = await summary.index();
  await putHandIndex(db, match.jobId, readableAttempt(match), index);
  return index;
}

/** Yields all hands of the readable attempt; keeps those of one chunk. Lets other calls run between chunks. */
async function* readResults(db: Database, match: Match): AsyncGenerator<HandResult> {
  let read = 0;
  for await (const chunk of chunksAfter(db, match.jobId, readableAttempt(match), 0)) {
    for (const result of handResults(match, readChunk(chunk.bytes))) {
      if (result.hand <= read) continue;
      read = result.hand;
      yield result;
    }
    await nextTurn();
  }
}
