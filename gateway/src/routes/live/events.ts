import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { quietChannelMs } from '@husky/contracts/channel';
import type { MatchItem__Output } from '@husky/contracts/types/live/v1/MatchItem';
import { DomainError } from '@husky/runtime/rpc/errors';
import type Koa from 'koa';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { OpenStream, StreamOwner } from '../../streams.ts';
import { Freshness } from './freshness.ts';
import { presentMatches } from './present.ts';
import { frame, presentEvent } from './present-event.ts';
import type { nowResponse } from './schema.ts';
import { dropSlowReader, type Position } from './shared-stream.ts';

const heartbeatMs = 15_000;

/**
 * Streams a match as server-sent events. The id of a hand's event is `attempt:hand`, contiguous within an attempt; a
 * client that reconnects with Last-Event-ID gets the missed events. A refusal before the first event is an HTTP error. The
 * stream ends with an `error` event when the caller's session ends or rights change.
 */
export async function streamMatch(
  ctx: Koa.Context,
  jobId: string,
  owner: StreamOwner,
  context: Context,
): Promise<void> {
  const stream = context.streams.open(owner);
  try {
    await openEvents(ctx, jobId, owner.caller, context, stream);
  } catch (error) {
    stream.close();
    throw error;
  }
}

async function openEvents(
  ctx: Koa.Context,
  jobId: string,
  caller: StreamOwner['caller'],
  context: Context,
  stream: OpenStream,
): Promise<void> {
  const [attempt = 0, hand = 0] = /^\d{1,6}:\d{1,9}$/.test(ctx.get('last-event-id'))
    ? ctx.get('last-event-id').split(':').map(Number)
    : [];
  const access = await context.liveData.getMatchAccess({ jobId }, { caller });
  if (!access.canRead) {
    throw new DomainError('PERMISSION_DENIED', 'private-match', 'This game is private and cannot be accessed.');
  }
  const leave = context.watchers.join(access.jobId);
  const out = new PassThrough();
  ctx.status = 200;
  ctx.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  ctx.body = out;
  out.write('retry: 2000\n\n');
  // Skipped while the watcher reads nothing, so that its buffer does not grow.
  const heartbeat = setInterval(() => out.writableNeedDrain || out.write(': still here\n\n'), heartbeatMs);
  const abort = new AbortController();
  out.once('close', () => abort.abort());
  const reader = dropSlowReader(out, () => abort.abort());
  const signal = AbortSignal.any([abort.signal, stream.signal]);
  const at = { attempt, hand };
  const watching = access.isPublic
    ? watchPublic(access.jobId, at, out, signal, context)
    : watchPrivate(access.jobId, at, caller, out, signal, context);
  watching
    .then(() => {
      // An aborted upstream ends without an error.
      if (stream.signal.aborted) throw stream.signal.reason;
    })
    .catch((error: unknown) => {
      const detail = error instanceof Error ? error.message : 'The stream ended';
      out.write(frame('error', { detail }));
    })
    .finally(() => {
      clearInterval(heartbeat);
      reader.stop();
      leave();
      stream.close();
      abort.abort();
      out.end();
    });
}

/** Writes the stream of a private match. Reads it with the identity of the watcher. */
async function watchPrivate(
  jobId: string,
  at: Position,
  caller: StreamOwner['caller'],
  out: PassThrough,
  signal: AbortSignal,
  context: Context,
): Promise<void> {
  const request = { jobId, afterAttempt: at.attempt, afterHand: at.hand };
  const freshness = new Freshness();
  try {
    for await (const event of context.liveData.streamMatch(request, { caller, signal })) {
      if (event.handPlayed) freshness.received(event.handPlayed.playedAt);
      const text = await presentEvent(event, jobId, context);
      const full = text !== '' && !out.write(text);
      freshness.written();
      if (event.event === 'progress') freshness.progress();
      if (full) {
        freshness.pause();
        await once(out, 'drain', { signal }).catch(() => undefined);
        freshness.resume();
      }
      if (event.event === 'ended') return;
    }
  } finally {
    freshness.stop();
  }
}

/** Writes the stream of a public match from the stream that its watchers share. */
function watchPublic(
  jobId: string,
  at: Position,
  out: PassThrough,
  signal: AbortSignal,
  context: Context,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const subscription = context.sharedStreams.join(jobId, at, {
      write: (events) => out.write(events),
      end: (error) => (error === undefined ? resolve() : reject(error)),
    });
    out.on('drain', () => subscription.resume());
    const leave = () => {
      subscription.leave();
      resolve();
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}

type Now = z.output<typeof nowResponse>;

const maxRunning = 50;
const maxFinished = 6;
const asAnonymous = { caller: { kind: 'anonymous' } } as const;

/** Lists the public matches in play and the last finished ones; without any, the last ones of the ladder that are public. */
export async function listMatchesNow(context: Context): Promise<Now> {
  const list = (status: string, pageSize: number, ladder = false) =>
    context.liveData.listMatches({ publicOnly: true, status, page: 1, pageSize, order: 'newest', ladder }, asAnonymous);
  const [running, others] = await Promise.all([list('Running', maxRunning), list('Finished', maxFinished)]);
  const newest = others.matches[0]?.firstGameCreatedAt ?? '';
  const isQuiet = running.matches.length === 0 && !(Date.parse(newest) > Date.now() - quietChannelMs);
  const ofLadder = isQuiet ? await list('Finished', maxFinished, true) : others;
  const finished = ofLadder.matches.length > 0 ? ofLadder : others;
  const items = [...running.matches, ...finished.matches];
  const presented = await presentMatches(items, context);
  const all = items.map((item, at) => presentNow(item, presented[at] as (typeof presented)[number], context));
  return { running: all.slice(0, running.matches.length), finished: all.slice(running.matches.length) };
}

function presentNow(
  item: MatchItem__Output,
  shown: Awaited<ReturnType<typeof presentMatches>>[number],
  context: Context,
): Now['running'][number] {
  const { hands, first_game_created_at, is_public: _, ...rest } = shown;
  return {
    ...rest,
    hands_done: hands,
    num_rounds: item.numRounds,
    hands_per_second: Math.round(item.handsPerSecond * 100) / 100,
    watchers: context.watchers.count(item.jobId),
    started_at: first_game_created_at,
  };
}
