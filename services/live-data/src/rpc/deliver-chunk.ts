import type { CompareChunkResponse } from '@husky/contracts/types/live/v1/CompareChunkResponse';
import type { DeliverChunkResponse } from '@husky/contracts/types/live/v1/DeliverChunkResponse';
import { actsOfRecord, playDifference } from '@husky/match/play-difference';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import type { DealerCall } from '../access.ts';
import type { Context, LiveDataHandlers } from '../context.ts';
import { applyChunk, type ChunkContent, readChunk, readDelivered } from '../domain/record.ts';
import type { Intake } from '../intakes.ts';
import { loadMatch } from '../load-match.ts';
import { notifyWatchers } from '../match-feed.ts';
import { type Attempt, findAttempt, storeChunk } from '../store/attempts.ts';
import { chunksAfter, chunkWith } from '../store/chunks.ts';
import { leasedAttempt } from './attempts.ts';

const maxChunkBytes = 512 * 1024;

/** Verifies and stores the next hands of an attempt. Idempotent: a repeated chunk is compared with the stored one. */
export function deliverChunk(context: Context): LiveDataHandlers['deliverChunk'] {
  return async (request, call): Promise<DeliverChunkResponse> => {
    const { jobId, attempt } = call.caller;
    const intake = context.intakes.find(jobId, attempt);
    if (intake !== undefined) {
      const handsStored = await continueIntake(context, intake, request.chunk, call).catch((err: unknown) => {
        // The checks against the tables below fail for the same reason, which the caller then gets.
        context.log.debug({ err, jobId, attempt }, `match ${jobId} continues from the tables: ${messageOf(err)}`);
        return null;
      });
      if (handsStored !== null) return { handsStored };
      context.intakes.drop(jobId);
    }
    const { match, state } = await leasedAttempt(context, call);
    checkChunkSize(request.chunk);
    const content = refuseRangeErrors(() => readDelivered(request.chunk));
    if (content.firstHand <= state.hands) return acceptRepeated(context, state, content, request.chunk);

    const after = refuseRangeErrors(() => applyChunk(match, state, content));
    const chunk = { firstHand: content.firstHand, hands: content.hands.length, bytes: request.chunk };
    const stored = await storeChunk(context.db, jobId, attempt, state.hands, chunk, after, new Date(context.now()));
    if (!stored) {
      const now = await findAttempt(context.db, jobId, attempt);
      if (now === null || now.hands === state.hands) throw refused('this attempt has been completed already');
      return acceptRepeated(context, now, content, request.chunk);
    }
    reportStored(context, jobId);
    return { handsStored: after.hands };
  };
}

/**
 * Verifies and stores the next chunk of an attempt that this replica has received from its start, without reading the tables: storeChunk
 * checks the lease. Returns the number of stored hands, null if other hands were stored meanwhile.
 */
async function continueIntake(
  context: Context,
  intake: Intake,
  bytes: Uint8Array,
  call: DealerCall,
): Promise<number | null> {
  const { match, attempt, state } = intake;
  call.check(match);
  if (bytes.length > maxChunkBytes) return null;
  const content = readDelivered(bytes);
  const after = applyChunk(match, state, content);
  const chunk = { firstHand: content.firstHand, hands: content.hands.length, bytes };
  const now = new Date(context.now());
  if (!(await storeChunk(context.db, match.jobId, attempt, state.hands, chunk, after, now))) return null;
  context.intakes.add(intake, content, after);
  reportStored(context, match.jobId);
  return after.hands;
}

function reportStored(context: Context, jobId: string): void {
  context.values.reportDelivery();
  notifyWatchers(context.messaging, jobId);
}

/** Accepts a chunk that is already stored with the same content, since the dealer may not have received the response. */
async function acceptRepeated(
  context: Context,
  state: Attempt,
  content: ChunkContent,
  bytes: Uint8Array,
): Promise<DeliverChunkResponse> {
  const stored = await chunkWith(context.db, state.jobId, state.attempt, content.firstHand);
  const last = content.firstHand + content.hands.length - 1;
  const same = stored !== null && stored.firstHand === content.firstHand && Buffer.compare(stored.bytes, bytes) === 0;
  // Chunks of a verified attempt may have been repacked and can no longer be compared.
  if (same || (state.verifiedAt !== null && last <= state.hands)) return { handsStored: state.hands };
  throw refused(`hands ${content.firstHand} to ${last} are stored with another content`);
}

/** Throws FAILED_PRECONDITION for a chunk that is too large. */
function checkChunkSize(chunk: Uint8Array): void {
  if (chunk.length > maxChunkBytes) throw refused(`a chunk has at most ${maxChunkBytes} bytes`);
}

/** Returns the result of `work`; throws FAILED_PRECONDITION for its RangeError. */
function refuseRangeErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw refused(error.message);
    throw error;
  }
}

function refused(why: string): DomainError {
  return new DomainError('FAILED_PRECONDITION', 'chunk-does-not-fit', `The chunk does not fit: ${why}.`);
}

/** Compares hands of a repeated match with those of its accepted attempt, act by act. */
export function compareChunk(context: Context): LiveDataHandlers['compareChunk'] {
  return async ({ chunk }, call): Promise<CompareChunkResponse> => {
    const { jobId, attempt } = call.caller;
    const match = await loadMatch(context, jobId);
    call.check(match);
    checkChunkSize(chunk);
    const repeated = refuseRangeErrors(() => readDelivered(chunk));
    const last = repeated.firstHand + repeated.hands.length - 1;
    const recorded = new Map<number, ReturnType<typeof readChunk>['hands'][number]>();
    for await (const { bytes } of chunksAfter(context.db, jobId, attempt, repeated.firstHand - 1)) {
      const { firstHand, hands } = readChunk(bytes);
      for (const [index, record] of hands.entries()) recorded.set(firstHand + index, record);
      if (firstHand + hands.length > last) break;
    }
    for (const [index, record] of repeated.hands.entries()) {
      const hand = repeated.firstHand + index;
      const own = recorded.get(hand);
      const difference = playDifference(hand, own ? actsOfRecord(own) : null, actsOfRecord(record));
      if (difference !== null)
        return { hand, act: difference.act ?? 0, byLimit: difference.byLimit, hands: match.hands };
    }
    return { hand: 0, hands: match.hands };
  };
}
