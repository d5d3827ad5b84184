import { PassThrough } from 'node:stream';
import type { MatchEvent__Output } from '@husky/contracts/types/live/v1/MatchEvent';
import { DomainError } from '@husky/runtime/errors';
import type Koa from 'koa';
import type { Context } from '../../context.ts';
import type { OpenStream, StreamOwner } from '../../streams.ts';

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
  const abort = new AbortController();
  const upstream = context.liveData.streamMatch(
    { jobId: access.jobId, afterAttempt: attempt, afterHand: hand },
    { caller, signal: AbortSignal.any([abort.signal, stream.signal]) },
  );

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
  const heartbeat = setInterval(() => out.write(': still here\n\n'), heartbeatMs);
  out.once('close', () => abort.abort());

  const pump = async () => {
    for await (const event of upstream) {
      const text = await presentEvent(event, context);
      if (text !== '' && !out.write(text))
        await new Promise((resolve) => out.once('drain', resolve).once('close', resolve));
      if (event.event === 'ended') return;
    }
    // An aborted upstream ends without an error.
    if (stream.signal.aborted) throw stream.signal.reason;
  };
  pump()
    .catch((error: unknown) => {
      const detail = error instanceof Error ? error.message : 'The stream ended';
      out.write(frame('error', { detail }));
    })
    .finally(() => {
      clearInterval(heartbeat);
      leave();
      stream.close();
      abort.abort();
      out.end();
    });
}

function frame(type: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

async function presentEvent(event: MatchEvent__Output, context: Context): Promise<string> {
  const id = `${event.attempt}:${event.hand}`;
  if (event.handPlayed) {
    const { gameId, playerIds, deltas, cumulative, playedAt, pot, allIn, showdown, outIds } = event.handPlayed;
    const nameOf = await context.names.of(playerIds);
    const byName = (values: readonly number[]) =>
      Object.fromEntries(playerIds.map((playerId, seat) => [nameOf(playerId), values[seat] ?? 0]));
    const data = {
      game_id: gameId,
      game_uuid: String(event.hand),
      deltas: byName(deltas),
      cumulative: byName(cumulative),
      played_at: playedAt,
      pot,
      all_in: allIn,
      showdown,
      out: outIds.map(nameOf),
    };
    return frame('hand', data, id);
  }
  if (event.progress) {
    const { handsDone, numRounds, handsPerSecond, secondsLeft, status, startingStack } = event.progress;
    return frame('progress', {
      hands_done: handsDone,
      num_rounds: numRounds,
      hands_per_second: handsPerSecond,
      seconds_left: secondsLeft,
      status,
      starting_stack: startingStack,
    });
  }
  if (event.reset) return frame('reset', { attempt: event.attempt }, `${event.attempt}:0`);
  if (event.ended) {
    const { status, handsPlayed, reason } = event.ended;
    return frame('end', { status, hands_played: handsPlayed, reason: reason || null });
  }
  return '';
}
