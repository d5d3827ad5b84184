// One stream for all watchers of a public match, over the gateway's modules and a double of live-data.
import { setTimeout as wait } from 'node:timers/promises';
import { DomainError } from '@husky/runtime/rpc/errors';
import { startTelemetry } from '@husky/runtime/telemetry/telemetry';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { createSharedStreams } from '../src/routes/live/shared-stream.ts';
import { createWatchers } from '../src/watchers.ts';

// Before the first stream, which creates its instruments.
const telemetry = await startTelemetry('test');
afterAll(() => telemetry.shutdown());

type Event = Record<string, unknown> & { event: string };

const hand = (attempt: number, number: number, count = 1): Event => {
  const played = { playerIds: ['a'], deltas: [1], cumulative: [1], playedAt: '', outIds: [] };
  return { attempt, hand: number, event: 'handsPlayed', handsPlayed: { hands: Array(count).fill(played) } };
};
const progress = (attempt = 1): Event => ({ attempt, hand: 0, event: 'progress', progress: { numRounds: 9 } });
const ended = (): Event => ({ attempt: 1, hand: 0, event: 'ended', ended: { status: 'Finished', handsPlayed: 3 } });

/** Creates the shared streams over a stream of live-data that the test feeds. The first `refusals` look-ups of names fail. */
function startUpstream(refusals = 0) {
  const queue: (Event | Error)[] = [];
  let wake: () => void = () => undefined;
  let opened = 0;
  let open = 0;
  const callers: unknown[] = [];
  async function* streamMatch(_request: unknown, { caller, signal }: { caller: unknown; signal: AbortSignal }) {
    opened += 1;
    open += 1;
    callers.push(caller);
    signal.addEventListener('abort', () => wake());
    try {
      while (!signal.aborted) {
        const next = queue.shift();
        if (next instanceof Error) throw next;
        if (next !== undefined) yield next;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      open -= 1;
    }
  }
  const names = {
    async of() {
      if (refusals-- > 0) throw new DomainError('UNAVAILABLE', 'overloaded', 'Too many requests');
      return (id: string) => `name of ${id}`;
    },
  };
  const streams = createSharedStreams({
    liveData: { streamMatch },
    names,
    watchers: createWatchers('here'),
  } as unknown as Parameters<typeof createSharedStreams>[0]);
  const send = (...events: (Event | Error)[]) => {
    queue.push(...events);
    wake();
  };
  return { streams, send, callers, opened: () => opened, open: () => open };
}

function watch(streams: ReturnType<typeof createSharedStreams>, attempt = 0, number = 0, full = () => false) {
  const watcher = { text: '', writes: 0, ended: false, error: undefined as unknown };
  const subscription = streams.join(
    'match',
    { attempt, hand: number },
    {
      write: (events) => {
        watcher.text += events.toString();
        watcher.writes += 1;
        return !full();
      },
      end: (error) => Object.assign(watcher, { ended: true, error }),
    },
  );
  onTestFinished(() => subscription.leave());
  const ids = () => [...watcher.text.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id);
  return Object.assign(watcher, { subscription, ids });
}

test('reads the stream of a match once, as an anonymous caller, and writes each hand once to each watcher', async () => {
  const { streams, send, callers, opened } = startUpstream();
  const first = watch(streams);
  send(hand(1, 1), hand(1, 2), progress());
  await vi.waitFor(() => expect(first.ids()).toEqual(['1:1', '1:2']), 10_000);
  const late = watch(streams);
  const resumed = watch(streams, 1, 1);
  send(hand(1, 3), progress());
  for (const watcher of [first, late]) {
    await vi.waitFor(() => expect(watcher.ids()).toEqual(['1:1', '1:2', '1:3']), 10_000);
  }
  await vi.waitFor(() => expect(resumed.ids()).toEqual(['1:2', '1:3']), 10_000);
  expect([opened(), callers]).toEqual([1, [{ kind: 'anonymous' }]]);
});

test('continues after failed look-ups of names', async () => {
  const { streams, send } = startUpstream(2);
  const watcher = watch(streams);
  send(hand(1, 1), hand(1, 2), progress());
  await vi.waitFor(() => expect(watcher.ids()).toEqual(['1:1', '1:2']), 10_000);
  expect(watcher.ended).toBe(false);
});

test('writes the hands of a fast match together', async () => {
  const { streams, send } = startUpstream();
  const watcher = watch(streams);
  send(progress(), hand(1, 64, 64), hand(1, 200, 136), progress());
  await vi.waitFor(() => expect(watcher.ids()).toHaveLength(200), 10_000);
  expect(watcher.ids()).toEqual(Array.from({ length: 200 }, (_, index) => `1:${index + 1}`));
  expect(watcher.writes).toBeLessThan(5);
});

test('resets watchers of an earlier attempt', async () => {
  const { streams, send } = startUpstream();
  const watcher = watch(streams);
  const returning = watch(streams, 1, 7);
  send(hand(1, 1), progress());
  await vi.waitFor(() => expect(watcher.ids()).toEqual(['1:1']), 10_000);
  send({ attempt: 2, hand: 0, event: 'reset' }, hand(2, 1), progress(2));
  for (const one of [watcher, returning]) {
    await vi.waitFor(() => expect(one.ids().slice(-2)).toEqual(['2:0', '2:1']), 10_000);
  }
  expect(returning.ids(), 'not reset while it was ahead of this stream').toEqual(['2:0', '2:1']);
});

test('keeps the hands for a watcher with a full buffer until it has drained', async () => {
  const { streams, send } = startUpstream();
  let full = true;
  const slow = watch(streams, 0, 0, () => full);
  const quick = watch(streams);
  send(hand(1, 1), progress());
  await vi.waitFor(() => expect(slow.ids()).toEqual(['1:1']), 10_000);
  send(hand(1, 2), progress());
  await vi.waitFor(() => expect(quick.ids()).toEqual(['1:1', '1:2']), 10_000);
  expect(slow.ids()).toEqual(['1:1']);
  full = false;
  slow.subscription.resume();
  await vi.waitFor(() => expect(slow.ids()).toEqual(['1:1', '1:2']), 10_000);
});

test('ends all watchers at the end of the match, after its last hand', async () => {
  const { streams, send, open } = startUpstream();
  const watchers = [watch(streams), watch(streams, 1, 2)];
  send(hand(1, 1), hand(1, 2), hand(1, 3), ended());
  for (const watcher of watchers) {
    await vi.waitFor(() => expect(watcher.ended).toBe(true), 10_000);
    expect(watcher.text).toMatch(/id: 1:3\n[\s\S]*event: end\n/);
    expect(watcher.error).toBeUndefined();
  }
  await vi.waitFor(() => expect(open()).toBe(0), 10_000);
});

test('writes the rest and the end to a watcher with a full buffer when it has drained', async () => {
  const { streams, send, open } = startUpstream();
  const slow = watch(streams, 0, 0, () => true);
  send(hand(1, 1), progress());
  await vi.waitFor(() => expect(slow.ids()).toEqual(['1:1']), 10_000);
  send(hand(1, 2), hand(1, 3), ended());
  await vi.waitFor(() => expect(open()).toBe(0), 10_000);
  expect([slow.ids(), slow.ended]).toEqual([['1:1'], false]);
  slow.subscription.resume();
  expect([slow.ids(), slow.ended]).toEqual([['1:1', '1:2', '1:3'], true]);
  expect(slow.text).toContain('event: end');
});

test('ends all watchers with the error when the match becomes private, and reads again for the next one', async () => {
  const { streams, send, opened } = startUpstream();
  const watcher = watch(streams);
  send(hand(1, 1), progress());
  await vi.waitFor(() => expect(watcher.ids()).toEqual(['1:1']), 10_000);
  send(new DomainError('PERMISSION_DENIED', 'private-match', 'This game is private and cannot be accessed.'));
  await vi.waitFor(() => expect(watcher.ended).toBe(true), 10_000);
  expect(watcher.error).toMatchObject({ reason: 'private-match' });
  watch(streams);
  await vi.waitFor(() => expect(opened()).toBe(2), 10_000);
});

test('stops reading when the last watcher leaves', async () => {
  const { streams, open } = startUpstream();
  const [one, two] = [watch(streams), watch(streams)];
  await vi.waitFor(() => expect(open()).toBe(1), 10_000);
  one.subscription.leave();
  one.subscription.leave();
  await wait(0);
  expect(open()).toBe(1);
  two.subscription.leave();
  await vi.waitFor(() => expect(open()).toBe(0), 10_000);
});

test('exports that a stream is late while it stalls, not afterwards', async () => {
  const { streams, send } = startUpstream();
  const watcher = watch(streams);
  send(hand(1, 1), progress());
  await vi.waitFor(() => expect(watcher.ids()).toEqual(['1:1']), 10_000);
  const late = async () => {
    const text = await telemetry.metricsText();
    const value = (name: string) =>
      Number(new RegExp(`^http_streams_delay_${name}[^\\n]* (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
    return value('count') - value('bucket\\{[^}]*le="2000"[^}]*\\}');
  };
  const before = await late();
  // Nothing more is heard of live-data.
  await vi.waitFor(async () => expect(await late()).toBeGreaterThanOrEqual(before + 2), 20_000);
});
