import { describe, expect, it } from 'vitest';
import { createEventParser, followStream, type Reaction, type ServerEvent, type StreamState } from './follow-stream.ts';
import { type LiveJob, lastEventId, mergeEvents, NO_LIVE_JOB } from './live-merge.ts';

const hand = (attempt: number, number: number, delta = 1): ServerEvent => ({
  id: `${attempt}:${number}`,
  type: 'hand',
  data: JSON.stringify({
    game_id: `g-${attempt}-${number}`,
    game_uuid: String(number),
    deltas: { ann: delta, bob: -delta },
    cumulative: { ann: number * delta, bob: -number * delta },
  }),
});
const event = (type: string, data: unknown, id: string | null = null): ServerEvent => ({
  id,
  type,
  data: JSON.stringify(data),
});
const uuids = (job: LiveJob) => job.hands.map(({ game_uuid }) => game_uuid);

describe('the event parser', () => {
  const text = 'id: 1:1\nevent: hand\ndata: {"a":\ndata: 1}\n\n: a comment\r\n\r\ndata:plain\r\r';

  it('parses events split into chunks of any size', () => {
    for (let size = 1; size <= text.length; size += 1) {
      const parse = createEventParser();
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, piece) =>
        text.slice(piece * size, (piece + 1) * size),
      );
      expect([...pieces, '\n'].flatMap(parse)).toEqual([
        { id: '1:1', type: 'hand', data: '{"a":\n1}' },
        { id: null, type: 'message', data: 'plain' },
      ]);
    }
  });

  it('throws on a line without an end', () => {
    const parse = createEventParser();
    expect(() => parse('x'.repeat(5_000_000))).toThrow(RangeError);
  });
});

describe('merging events', () => {
  it('adds hands in order with their cumulative series', () => {
    const { job, gap } = mergeEvents(NO_LIVE_JOB, [hand(1, 1), hand(1, 2)]);
    expect(gap).toBe(false);
    expect(uuids(job)).toEqual(['1', '2']);
    expect(job.series.get('bob')).toEqual([-1, -2]);
    expect(lastEventId(job)).toBe('1:2');
  });

  it('ignores duplicate hands and hands of an earlier attempt', () => {
    const first = mergeEvents(NO_LIVE_JOB, [hand(2, 1), hand(2, 2)]).job;
    const { job, gap } = mergeEvents(first, [hand(2, 1), hand(1, 3), hand(2, 2)]);
    expect([uuids(job), gap]).toEqual([['1', '2'], false]);
  });

  it('reports a gap and ignores the hands after it', () => {
    const { job, gap } = mergeEvents(NO_LIVE_JOB, [hand(1, 1), hand(1, 3), hand(1, 4)]);
    expect([uuids(job), gap, lastEventId(job)]).toEqual([['1'], true, '1:1']);
    expect(uuids(mergeEvents(job, [hand(1, 2), hand(1, 3), hand(1, 4)]).job)).toEqual(['1', '2', '3', '4']);
  });

  it('discards all hands on a reset and starts the new attempt at its first hand', () => {
    const old = mergeEvents(NO_LIVE_JOB, [
      hand(1, 1),
      event('progress', { hands_done: 1, num_rounds: 9 }),
      hand(1, 2),
    ]).job;
    const { job } = mergeEvents(old, [event('reset', { attempt: 2 }), hand(1, 3), hand(2, 1, 7)]);
    expect([uuids(job), job.series.get('ann'), job.attempt]).toEqual([['1'], [7], 2]);
    expect(job.progress?.numRounds).toBe(9);
    expect(mergeEvents(job, [event('reset', {}, '2:0')]).job.hands).toHaveLength(1);
  });

  it('treats a hand of a later attempt as a reset', () => {
    expect(mergeEvents(NO_LIVE_JOB, [hand(1, 1), hand(2, 1)]).job).toMatchObject({
      attempt: 2,
      hands: [{ game_id: 'g-2-1' }],
    });
    expect(mergeEvents(NO_LIVE_JOB, [hand(1, 1), hand(2, 5)])).toMatchObject({
      gap: true,
      job: { attempt: 2, hands: [] },
    });
  });

  it('keeps the progress and the end', () => {
    const { job } = mergeEvents(NO_LIVE_JOB, [
      event('progress', {
        hands_done: 3,
        num_rounds: 10,
        hands_per_second: 2.5,
        seconds_left: 2.8,
        status: 'Running',
        starting_stack: 10_000,
        stacks: 'reset',
        watchers: 4,
      }),
      event('end', { status: 'Failed' }),
    ]);
    expect(job.progress).toEqual({
      handsDone: 3,
      numRounds: 10,
      handsPerSecond: 2.5,
      secondsLeft: 2.8,
      status: 'Running',
      startingStack: 10_000,
      resetsStacks: true,
      watchers: 4,
    });
    expect(job.ended).toBe('Failed');
  });

  it('ignores invalid data', () => {
    const noise = [
      { id: 'x', type: 'hand', data: '{' },
      { id: '1:1', type: 'hand', data: 'null' },
      event('progress', []),
      event('other', 1),
    ];
    expect(mergeEvents(NO_LIVE_JOB, noise).job.hands).toEqual([
      { game_id: '', game_uuid: '1', pot: 0, allIn: false, showdown: false, out: [] },
    ]);
  });

  it('repeats the last value of a player who is missing in a hand', () => {
    const { job } = mergeEvents(NO_LIVE_JOB, [
      hand(1, 1),
      event('hand', { game_id: 'g', game_uuid: '2', cumulative: { cat: 4 } }, '1:2'),
    ]);
    expect([...job.series]).toEqual([
      ['ann', [1, 1]],
      ['bob', [-1, -1]],
      ['cat', [0, 4]],
    ]);
  });
});

function encode(events: ServerEvent[]): string {
  return events
    .map(({ id, type, data }) => `${id === null ? '' : `id: ${id}\n`}event: ${type}\ndata: ${data}\n\n`)
    .join('');
}

/** Follows a stream with the given responses, one per request, and merges its events as the page does. */
async function follow(responses: (() => Response)[]) {
  let job = NO_LIVE_JOB;
  const resumedFrom: (string | null)[] = [];
  const waits: number[] = [];
  const states: StreamState[] = [];
  const stop = new AbortController();
  await followStream({
    open: async (from) => {
      resumedFrom.push(from);
      const respond = responses[resumedFrom.length - 1];
      if (respond !== undefined) return respond();
      stop.abort();
      throw new Error('no more responses');
    },
    receive: (events): Reaction => {
      const merged = mergeEvents(job, events);
      job = merged.job;
      if (merged.gap) return 'reconnect';
      return job.ended === null ? 'continue' : 'stop';
    },
    lastEventId: () => lastEventId(job),
    onState: (state) => states.push(state),
    wait: async (ms) => void waits.push(ms),
    signal: stop.signal,
  });
  return { job, resumedFrom, waits, states };
}

describe('following a stream', () => {
  const respond = (events: ServerEvent[]) => () => new Response(encode(events));
  const lost = () => {
    throw new TypeError('network error');
  };

  it('requests the stream again from the last hand after a lost connection, without gap or duplicate', async () => {
    const { job, resumedFrom } = await follow([
      respond([hand(1, 1), hand(1, 2)]),
      lost,
      respond([hand(1, 2), hand(1, 3)]),
      respond([hand(1, 4), event('end', { status: 'Finished' })]),
    ]);
    expect(resumedFrom).toEqual([null, '1:2', '1:2', '1:3']);
    expect(uuids(job)).toEqual(['1', '2', '3', '4']);
  });

  it('requests the stream again at once if a hand is missing', async () => {
    const { job, resumedFrom, waits } = await follow([
      respond([hand(1, 1), hand(1, 3)]),
      respond([hand(1, 2), hand(1, 3), event('end', {})]),
    ]);
    expect([resumedFrom, waits, uuids(job)]).toEqual([[null, '1:1'], [0], ['1', '2', '3']]);
  });

  it('waits with exponential backoff while the server is unreachable, and for its Retry-After', async () => {
    const busy = () => new Response('', { status: 503, headers: { 'Retry-After': '40' } });
    const { waits } = await follow([lost, lost, lost, lost, lost, lost, busy, respond([event('end', {})])]);
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 40_000]);
  });

  it.each([401, 403, 404])('stops if it is refused with %i', async (status) => {
    const { resumedFrom, states } = await follow([() => new Response('', { status })]);
    expect([resumedFrom, states]).toEqual([[null], ['connecting', 'refused']]);
  });

  it('stops at the end event', async () => {
    const { states } = await follow([respond([hand(1, 1), event('end', { status: 'Finished' })])]);
    expect(states).toEqual(['connecting', 'live', 'ended']);
  });
});
