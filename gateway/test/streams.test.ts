// Event streams over a real gateway, with doubles of auth and live-data.
import { authService, liveDataService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/rpc/access';
import { DomainError } from '@husky/runtime/rpc/errors';
import { startDouble } from '@husky/testkit/service-double';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { StreamSettings } from '../src/streams.ts';
import { createWatchers } from '../src/watchers.ts';
import { startEdge } from './edge.ts';

interface Session {
  readonly userId: string;
  admin: boolean;
  isVerified: boolean;
}

async function startStreams(limits: Partial<StreamSettings> = {}) {
  const sessions = new Map<string, Session>();
  let upstreams = 0;
  const auth = await startDouble(authService, anyone, {
    async identify({ accessToken }) {
      const session = sessions.get(accessToken);
      if (!session) throw new DomainError('UNAUTHENTICATED', 'invalid-token', 'Invalid token');
      const { userId: id, admin, isVerified } = session;
      return { id, username: id, admin, isVerified };
    },
  });
  const liveData = await startDouble(liveDataService, anyone, {
    getMatchAccess: async ({ jobId }) => ({ jobId, canRead: jobId !== 'private' }),
    async *streamMatch(_request, { signal }) {
      upstreams += 1;
      yield { attempt: 1, hand: 0, progress: { numRounds: 10 } };
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      upstreams -= 1;
    },
  });
  const { context, origin, stop } = await startEdge({ auth: auth.address, liveData: liveData.address }, { limits });
  onTestFinished(async () => {
    await stop();
    await Promise.all([auth.stop(), liveData.stop()]);
  });
  return {
    context,
    sessions,
    upstreams: () => upstreams,
    /** Opens a stream; `text` is everything received, `ended` resolves when the server ends it. */
    async open(token?: string, job = 'a-match') {
      const abort = new AbortController();
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const url = `${origin}/live/job/${job}/events`;
      const response = await fetch(url, { headers, signal: abort.signal });
      const stream = { status: response.status, headers: response.headers, text: '', leave: () => abort.abort() };
      const ended = (async () => {
        for await (const part of response.body ?? []) stream.text += Buffer.from(part).toString();
      })().catch(() => undefined);
      return Object.assign(stream, { ended });
    },
  };
}

const session = (userId: string): Session => ({ userId, admin: true, isVerified: true });

test.each([
  ['the session is signed out, revoked, or ended by a new password', (edge: Map<string, Session>) => edge.delete('t')],
  ['the user is deleted', (edge: Map<string, Session>) => edge.clear()],
])('ends a stream when %s', async (_what, change) => {
  const edge = await startStreams();
  edge.sessions.set('t', session('ann')).set('other', session('ann')).set('eve', session('eve'));
  const stream = await edge.open('t');
  const visitor = await edge.open();
  const stays = await edge.open('other');
  await vi.waitFor(() => expect(stream.text).toContain('event: progress'), 10_000);
  change(edge.sessions);
  // What the handler of the event user_changed does.
  edge.context.sessions.forget('ann');
  await edge.context.streams.check('ann');
  await stream.ended;
  expect(stream.text).toMatch(/event: error\ndata: {"detail":"Your session has ended."}\n\n$/);
  if (edge.sessions.has('other')) expect(stays.text).not.toContain('event: error');
  expect(visitor.text).not.toContain('event: error');
  await vi.waitFor(() => expect(edge.upstreams()).toBe(edge.sessions.has('other') ? 2 : 1), 10_000);
});

test("ends a stream when its caller's rights change, even without an event", async () => {
  const edge = await startStreams();
  const ann = session('ann');
  edge.sessions.set('t', ann);
  const stream = await edge.open('t');
  ann.admin = false;
  await vi.waitFor(() => expect(stream.text).toContain('Your rights have changed.'), 20_000);
  await stream.ended;
});

test('limits the streams of an account and of an address, and stops counting a stream when it ends', async () => {
  const edge = await startStreams({ STREAMS_MAX: 275 });
  edge.sessions.set('t', session('ann')).set('again', session('ann'));
  const first = await edge.open('t');
  await edge.open('again');
  const third = await edge.open('t');
  await third.ended;
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '10']);
  expect(JSON.parse(third.text)).toEqual({
    reason: 'too-many-streams',
    detail: 'Too many live streams are open for your account (at most 2): please close some and try again',
  });
  for (let count = 0; count < 9; count++) expect((await edge.open()).status).toBe(200);
  const twelfth = await edge.open();
  await twelfth.ended;
  expect(twelfth.text).toContain('from your network (at most 11)');
  first.leave();
  await vi.waitFor(async () => expect((await edge.open('t')).status).toBe(200), 10_000);
});

test('limits the streams of the gateway with 503 and Retry-After', async () => {
  const edge = await startStreams({ STREAMS_MAX: 1 });
  edge.sessions.set('t', session('ann'));
  const first = await edge.open();
  const second = await edge.open('t');
  await second.ended;
  expect([second.status, second.headers.get('retry-after')]).toEqual([503, '10']);
  expect(JSON.parse(second.text)).toMatchObject({ reason: 'overloaded' });
  first.leave();
  await vi.waitFor(async () => expect((await edge.open()).status).toBe(200), 10_000);
});

test('does not count a refused stream', async () => {
  const edge = await startStreams({ STREAMS_MAX: 25 });
  for (let tries = 0; tries < 3; tries++) expect((await edge.open(undefined, 'private')).status).toBe(403);
  expect((await edge.open()).status).toBe(200);
});

test('leaves some streams to each account when others have used up those of its address', async () => {
  const edge = await startStreams({ STREAMS_MAX: 275 });
  edge.sessions.set('ann', session('ann')).set('bob', session('bob'));
  await Promise.all(Array.from({ length: 11 }, () => edge.open()));
  expect((await edge.open()).status).toBe(429);
  const statuses = [];
  for (const token of ['ann', 'ann', 'bob']) statuses.push((await edge.open(token)).status);
  expect(statuses, 'a tenth of those of an account').toEqual([200, 429, 200]);
});

test('counts the streams of a match on all gateways', () => {
  let now = 0;
  const here = createWatchers('here', () => now);
  const there = createWatchers('there', () => now);
  const leave = here.join('match');
  there.join('match');
  there.join('match');
  there.join('other');
  here.receive(there.report());
  here.receive(here.report());
  expect([here.count('match'), here.count('other'), here.count('unknown')]).toEqual([3, 1, 0]);
  leave();
  leave();
  expect(here.count('match')).toBe(2);
  now = 6001;
  expect(here.count('match'), 'a gateway that has stopped reporting').toBe(0);
});

test.each(['', 'null', '{}', '{"from":1,"counts":{}}', '{"from":"x","counts":null}'])(
  'ignores the report %j',
  (text) => {
    const watchers = createWatchers('here');
    watchers.receive(Buffer.from(text));
    expect(watchers.count('match')).toBe(0);
  },
);
