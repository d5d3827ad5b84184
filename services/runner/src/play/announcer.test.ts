import { Action } from '@husky/holdem/action';
import { Hand } from '@husky/holdem/hand';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSeats, until } from '../../test/match-bench.ts';
import { calling, ScriptedHost, type ScriptedSeat } from '../../test/scripted-host.ts';
import { Announcer } from './announcer.ts';
import { HandView } from './hand-view.ts';
import { Seat } from './seat.ts';

const ids = [11, 22];
let host: ScriptedHost;
let seats: Seat[];
let stuck: Seat[];
let announcer: Announcer;

beforeEach(async () => {
  host = new ScriptedHost([calling, calling]);
  stuck = [];
  seats = await openSeats(await host.connect(), ids);
  announcer = new Announcer(seats, (seat) => stuck.push(seat));
});
afterEach(async () => {
  for (const { link } of seats) link?.close();
  await host.stop();
});

/** Announces a new hand in which nobody has acted. */
function deal(stacks: readonly number[] = [1000, 1000]): { hand: Hand; view: HandView } {
  const deck = Uint8Array.from({ length: 52 }, (_, card) => card);
  const hand = new Hand({ stacks, button: 0, smallBlindSeat: 0, bigBlindSeat: 1, smallBlind: 5, bigBlind: 10, deck });
  const view = new HandView(hand, 'documented');
  announcer.deal(hand, view);
  return { hand, view };
}

/** Returns the kinds of a seat's pending events, with their streets. */
function pending({ pending: events }: Seat): string[] {
  return (JSON.parse(`[${events.slice(0, -1)}]`) as [string, ...unknown[]][]).map(([kind, first]) =>
    Array.isArray(first) ? `${kind}${first[0]}` : kind,
  );
}

it('announces a new hand in two callbacks, then the first street', () => {
  deal();
  for (const seat of seats) {
    expect(pending(seat)).toEqual(['h', 'r0']);
    expect(seat.reportableCalls).toBe(3);
  }
});

it('tells a bot nothing of the callbacks that it leaves empty', () => {
  const [seat, other] = seats as [Seat, Seat];
  for (const callback of ['on_round_start', 'on_end_game'] as const) seat.skips.add(callback);
  deal([5, 5]);
  expect(pending(seat)).toEqual(['h', 'e0', 'e1', 'e2', 'e3']);
  expect([seat.reportableCalls, other.reportableCalls]).toEqual([6, 11]);
});

it('announces every street of a hand that both blinds put all-in', () => {
  deal([5, 5]);
  expect(pending(seats[0] as Seat)).toEqual(['h', 'r0', 'e0', 'r1', 'e1', 'r2', 'e2', 'r3', 'e3', 'g3']);
});

it('announces no further street after a fold', () => {
  const { hand, view } = deal();
  hand.act(Action.FOLD);
  view.note(0, Action.FOLD, false);
  announcer.closeStreet(hand, view, 0);
  expect(pending(seats[1] as Seat)).toEqual(['h', 'r0', 'e0', 'g0']);
});

it('announces nothing to bots that are out, have exited or have no chips', () => {
  for (const state of [{ out: 'crash' as const }, { ended: true }, { busted: true }]) {
    const seat = new Seat(0, 11, 1000);
    Object.assign(seat, state);
    announcer = new Announcer([seat, seats[1] as Seat], (one) => stuck.push(one));
    const { hand, view } = deal();
    hand.act(Action.FOLD);
    announcer.closeStreet(hand, view, 0);
    expect([seat.pending, seat.reportableCalls]).toEqual(['', 0]);
  }
});

it('sends events without waiting for a question once they exceed 32 KiB', async () => {
  const [seat] = seats as [Seat];
  const [scripted] = host.seats as [ScriptedSeat];
  let longest = 0;
  do {
    longest = Math.max(longest, seat.pending.length);
    deal();
  } while (seat.pending.length > longest);
  expect(longest).toBeGreaterThan(32_000);
  expect(longest).toBeLessThanOrEqual(32_768);
  await until(() => expect(scripted.lines).toHaveLength(1));
  const [seq, events] = JSON.parse(scripted.lines[0] as string);
  expect(seq).toBe(0);
  expect(events.length + pending(seat).length).toBe((seat.reportableCalls * 2) / 3);
});

it('sends the last events to a bot and ends the connection, so that it can exit', async () => {
  const [seat, other] = seats as [Seat, Seat];
  const [scripted] = host.seats as [ScriptedSeat];
  announcer.dismiss(other);
  deal();
  const ended = new Promise((resolve) => scripted.socket?.on('end', resolve));
  announcer.dismiss(seat);
  await ended;
  await until(() => expect(scripted.lines).toHaveLength(1));
  expect(host.seats[1]?.lines).toEqual([]);
  expect(seat.pending).toBe('');
});

it('does not end the connection of a bot that is out already', () => {
  const [seat] = seats as [Seat];
  deal();
  seat.out = 'timeout';
  announcer.dismiss(seat);
  expect(seat.pending).not.toBe('');
});

it('reports a bot as stuck that leaves more than 1 MiB unread', async () => {
  const [seat, other] = seats as [Seat, Seat];
  host.seats[0]?.socket?.pause();
  while (stuck.length === 0) {
    expect(seat.link?.unsentBytes).toBeLessThan(3 << 20);
    deal();
    await new Promise(setImmediate);
  }
  expect(seat.link?.unsentBytes).toBeGreaterThan(1 << 20);
  expect(stuck).toEqual([seat]);
  expect(other.link?.unsentBytes).toBeLessThan(1 << 20);
});
