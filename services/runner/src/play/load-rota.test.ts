import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { calling, ScriptedHost, type ScriptedSeat } from '../../test/scripted-host.ts';
import type { SeatHost } from '../host/seat-host.ts';
import { LoadRota } from './load-rota.ts';
import { Seat } from './seat.ts';

let host: ScriptedHost;
let control: SeatHost;
let rota: LoadRota;
let first: Seat;
let second: Seat;
let third: Seat;
let nowMs: number;
/** The calls of the hooks. */
let calls: string[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  host = new ScriptedHost([calling, calling, calling]);
  control = await host.connect();
  calls = [];
  nowMs = 0;
  const seats = [0, 1, 2].map((number) => new Seat(number, number, 3000));
  [first, second, third] = seats as [Seat, Seat, Seat];
  rota = new LoadRota(control, () => nowMs, {
    start: ({ number }) => calls.push(`start ${number}`),
    onExpired: ({ number }) => calls.push(`expired ${number}`),
    onError: ({ message }) => calls.push(message),
  });
  rota.start(seats, 1000);
});
afterEach(async () => {
  rota.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  await host.stop();
});

/** Lets time pass in which these seats compute. Resolves once the samples have been handled. */
async function pass(ms: number, ...computing: readonly Seat[]): Promise<void> {
  for (let step = 0; step < ms; step += 40) {
    nowMs += 40;
    for (const { number } of computing) (host.seats[number] as ScriptedSeat).cpuMs += 40 / computing.length;
    vi.advanceTimersByTime(40);
    await control.usage();
    await new Promise(setImmediate);
  }
  // Pauses that the last sample caused.
  await control.usage().catch(() => undefined);
}

function leave(seat: Seat): void {
  seat.leave('startup', 'SyntaxError');
  rota.end(seat);
}

describe('loading', () => {
  it('is done by one bot at a time; those that are ready stand still', async () => {
    expect(calls).toEqual(['start 0']);
    await pass(400, first);
    expect(calls).toEqual(['start 0']);
    rota.end(first);
    expect(calls).toEqual(['start 0', 'start 1']);
    leave(second);
    expect(calls).toEqual(['start 0', 'start 1', 'start 2']);
    rota.end(third);
    await control.usage();
    expect(host.requests).toEqual(['pause 0', 'pause 2']);
  });

  it('ends at the limit of the bot’s own processor time, and the next one starts', async () => {
    await pass(960, first);
    expect(calls).toEqual(['start 0']);
    await pass(40, first);
    expect(calls).toEqual(['start 0', 'expired 0', 'start 1']);
    leave(first);
    await pass(960, second);
    expect(calls).toEqual(['start 0', 'expired 0', 'start 1']);
  });

  it('of a bot that sleeps does not hold up the next one, and ends at the limit', async () => {
    await pass(40);
    expect(calls).toEqual(['start 0', 'start 1']);
    await pass(920, second);
    expect(calls).toEqual(['start 0', 'start 1']);
    await pass(40, second);
    expect(calls).toEqual(['start 0', 'start 1', 'expired 0']);
  });

  it('of a bot that waits for a processor goes on', async () => {
    for (let step = 0; step < 100; step++) {
      (host.seats[0] as ScriptedSeat).waitMs += 40;
      await pass(40);
    }
    expect(calls).toEqual(['start 0']);
  });

  it('of a bot that wakes up in the time of another is stopped until that one is ready, and is not charged for it', async () => {
    await pass(40);
    await pass(40, first, second);
    expect(host.requests).toEqual(['pause 0']);
    await pass(800, second);
    rota.end(second);
    expect(calls).toEqual(['start 0', 'start 1', 'start 2']);
    rota.end(third);
    await pass(880, first);
    expect(host.requests).toEqual(['pause 0', 'pause 1', 'pause 2', 'resume 0']);
    expect(calls).not.toContain('expired 0');
    await pass(80, first);
    expect(calls).toContain('expired 0');
  });

  it('goes on with a bot that wakes up when no other has the processor', async () => {
    await pass(120);
    expect(calls).toEqual(['start 0', 'start 1', 'start 2']);
    await pass(80, second);
    expect(host.requests).toEqual([]);
    await pass(40, second, third);
    expect(host.requests).toEqual(['pause 2']);
  });

  it('of the others is not held up by a bot that is out and computes on', async () => {
    leave(first);
    await pass(40, first, second);
    expect(host.requests).toEqual(['pause 0']);
    await pass(80);
    expect(host.requests).toEqual(['pause 0', 'resume 0']);
    await pass(40, first, second, third);
    expect(host.requests).toEqual(['pause 0', 'resume 0', 'pause 1', 'pause 2']);
    await pass(920, first);
    expect(calls).toContain('expired 0');
    expect(host.requests.slice(4)).toEqual(['resume 1']);
  });
});

it('reports a host that cannot be reached', async () => {
  control.disconnect();
  await pass(40).catch(() => undefined);
  expect(calls).toEqual(['start 0', expect.stringContaining('the seat host is lost')]);
});
