import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSeats, until } from '../../test/match-bench.ts';
import { calling, ScriptedHost, type ScriptedSeat } from '../../test/scripted-host.ts';
import type { SeatHost } from '../host/seat-host.ts';
import { Seat } from './seat.ts';
import { SeatClocks } from './seat-clocks.ts';
import { defaultLimits } from './setup.ts';

let host: ScriptedHost;
let control: SeatHost;
let clocks: SeatClocks;
let bot: Seat;
let other: Seat;
let nowMs: number;
let expired: Seat[];
let errors: Error[];

beforeEach(async () => {
  host = new ScriptedHost([calling, calling]);
  control = await host.connect();
  nowMs = 0;
  expired = [];
  errors = [];
  bot = new Seat(0, 11, 3000);
  other = new Seat(1, 22, 3000);
  clocks = clocksOf([bot, other]);
  await clocks.start();
});
afterEach(() => host.stop());

function clocksOf(seats: readonly Seat[]): SeatClocks {
  return new SeatClocks(control, seats, { ...defaultLimits, decisionMs: 1000, freeMs: 100 }, () => nowMs, {
    onExpired: (seat) => expired.push(seat),
    onError: (error) => errors.push(error),
  });
}

/** Sets the time, and the processor and waiting time that the bot has used by then. */
function reach(ms: number, cpuMs: number, waitMs = 0): void {
  nowMs = ms;
  Object.assign(host.seats[0] as ScriptedSeat, { cpuMs, waitMs });
}

/** Advances the clocks to a time. Resolves, once their samples are accounted, with the number of samples that they requested. */
async function sampledAt(ms: number, cpuMs: number, waitMs = 0): Promise<number> {
  reach(ms, cpuMs, waitMs);
  const before = host.usageRequests;
  clocks.tick();
  // Responses of the host keep the order of the requests.
  await control.usage();
  return host.usageRequests - before - 1;
}

/** Plays one decision of the bot between two times. */
async function decide(fromMs: number, toMs: number, cpuMs: number): Promise<void> {
  nowMs = fromMs;
  clocks.open(bot);
  reach(toMs, cpuMs);
  clocks.close(bot);
  await control.usage();
}

describe('a decision', () => {
  it('within the free time costs nothing and needs no sample', async () => {
    await decide(500, 600, 100);
    expect(host.usageRequests).toBe(1);
    expect(bot.times.describe()).toMatchObject({ count: 1, maxMs: expect.closeTo(100, 0) });
    await sampledAt(1000, 120);
    expect(bot.bankMs).toBe(3000);
    nowMs = 1100;
    clocks.open(bot);
    expect(await sampledAt(1190, 200)).toBe(0);
  });

  it('costs the time beyond the free time, once', async () => {
    await decide(0, 600, 500);
    expect(bot.bankMs).toBe(2600);
    await sampledAt(1000, 500);
    expect(bot.bankMs).toBe(2600);
    clocks.close(bot);
    await control.usage();
    expect(bot.times.describe().count).toBe(1);
    // Its processor time from then on is outside of its turns; a fiftieth of the wall time is free.
    await sampledAt(2000, 700);
    expect(bot.bankMs).toBe(2600 - (200 - 20));
  });

  it('costs the time since its last sample too', async () => {
    clocks.open(bot);
    await sampledAt(101, 101);
    reach(131, 131);
    clocks.close(bot);
    await control.usage();
    expect(bot.bankMs).toBe(3000 - 31);
  });

  it('costs what its own seat has used', async () => {
    clocks.open(other);
    nowMs = 600;
    (host.seats[1] as ScriptedSeat).cpuMs = 500;
    clocks.close(other);
    await control.usage();
    expect([bot.bankMs, other.bankMs]).toEqual([3000, 2600]);
  });

  it('costs a bot that sleeps a third of the wall time', async () => {
    await sampledAt(1000, 0, 100);
    clocks.open(bot);
    for (let ms = 1101; ms < 1900; ms += 50) await sampledAt(ms, 0, 100);
    reach(1900, 0, 100);
    clocks.close(bot);
    await control.usage();
    expect(bot.bankMs).toBe(3000 - (900 / 3 - 100));
  });

  it('of a seat that the host does not know costs nothing', async () => {
    const unknown = new Seat(2, 33, 3000);
    clocks = clocksOf([bot, other, unknown]);
    clocks.open(unknown);
    nowMs = 600;
    clocks.close(unknown);
    await control.usage();
    expect([unknown.bankMs, errors]).toEqual([3000, []]);
  });

  it('is not charged with the processor time of the turns before it', async () => {
    await decide(0, 100, 100);
    await decide(100, 500, 390);
    expect(bot.bankMs).toBe(3000 - (290 - 100));
  });

  it('is not charged with the processor time before the last sample, nor with time spent waiting for a processor', async () => {
    await sampledAt(1000, 20, 100);
    nowMs = 1000;
    clocks.open(bot);
    reach(1600, 320, 100);
    clocks.close(bot);
    await control.usage();
    expect(bot.bankMs).toBe(2800);
    nowMs = 1600;
    clocks.open(bot);
    for (let ms = 1750; ms <= 2500; ms += 50) await sampledAt(ms, 320, ms - 1500);
    reach(2500, 320, 1000);
    clocks.close(bot);
    await control.usage();
    expect(bot.bankMs).toBe(2800);
  });

  it('is sampled every 40 ms beyond the free time, and ends at the limit', async () => {
    clocks.open(bot);
    expect(await sampledAt(100, 100)).toBe(0);
    expect(await sampledAt(101, 101)).toBe(1);
    expect(await sampledAt(140, 140)).toBe(0);
    expect(await sampledAt(141, 141)).toBe(1);
    expect(await sampledAt(999, 999)).toBe(1);
    expect(expired).toEqual([]);
    await sampledAt(1050, 1000);
    expect(expired).toEqual([bot]);
    expect(bot.bankMs).toBe(3000);
    clocks.close(bot);
    await control.usage();
    expect(bot.bankMs).toBe(2100);
    // The time of the decision is accounted: no time outside of its turns is left.
    await sampledAt(2050, 1020);
    expect(bot.bankMs).toBe(2100);
  });

  it('ends after the free time and what is left of the bank', async () => {
    bot.bankMs = 50;
    clocks.open(bot);
    await sampledAt(101, 101);
    await sampledAt(149, 149);
    expect(expired).toEqual([]);
    await sampledAt(190, 150);
    expect(expired).toEqual([bot]);
  });

  it('is counted from its question, also when its turn has been sampled before', async () => {
    await sampledAt(1000, 0);
    await decide(1000, 1050, 50);
    nowMs = 1900;
    clocks.open(bot);
    // The sample of the other seat falls into the free time of this decision.
    expect(await sampledAt(2000, 150)).toBe(1);
    expect(bot.cpuMs).toBe(0);
    reach(2300, 450);
    clocks.close(bot);
    await control.usage();
    expect(bot.bankMs).toBe(3000 - (400 - 100));
  });
});

describe('processor time outside of the turns', () => {
  it('is drawn from the bank, with two hundredths of the wall time free', async () => {
    expect(await sampledAt(999, 500)).toBe(0);
    expect(await sampledAt(1000, 20)).toBe(1);
    expect(bot.bankMs).toBe(3000);
    expect(await sampledAt(1100, 20)).toBe(0);
    await sampledAt(2000, 540);
    expect(bot.bankMs).toBe(2500);
  });

  it('is what exceeds the wall time of the turns without the time spent waiting for a processor', async () => {
    await decide(0, 80, 80);
    await sampledAt(1000, 80, 60);
    expect(bot.bankMs).toBe(3000 - (80 - 20 - 20));
    await decide(1000, 1080, 80);
    await sampledAt(2000, 180, 160);
    expect(bot.bankMs).toBe(2960 - (100 - 0 - 20));
    await decide(2000, 2080, 180);
    await sampledAt(3000, 280, 180);
    expect([bot.bankMs, bot.outsideMs]).toEqual([2880 - (100 - 60 - 20), 140]);
  });

  it('is sampled every 100 ms while a bot computes', async () => {
    await sampledAt(1000, 500);
    expect(await sampledAt(1099, 599)).toBe(0);
    expect(await sampledAt(1100, 600)).toBe(1);
    expect(await sampledAt(1200, 600)).toBe(1);
    expect(await sampledAt(1300, 600)).toBe(0);
    expect(await sampledAt(2199, 600)).toBe(0);
    expect(await sampledAt(2200, 600)).toBe(1);
  });

  it('of more than the free time stops a bot between its turns, also one that has closed its connection', async () => {
    bot.ended = true;
    await sampledAt(1000, 120);
    expect([bot.outsideMs, bot.stopped, host.requests]).toEqual([100, false, []]);
    clocks.resume(bot);
    clocks.suspend(bot);
    await sampledAt(1100, 123);
    expect([bot.bankMs, bot.stopped]).toEqual([3000 - 101, true]);
    await sampledAt(1200, 123);
    expect(host.requests).toEqual(['pause 0']);
    clocks.resume(bot);
    clocks.suspend(bot);
    await control.usage();
    expect(host.requests).toEqual(['pause 0', 'resume 0', 'pause 0']);
  });

  it('of a bot without chips is left to the limit of its last callbacks', async () => {
    bot.busted = true;
    await sampledAt(1000, 900);
    expect([bot.bankMs, bot.outsideMs, bot.stopped]).toEqual([3000, 0, false]);
  });
});

it('does not charge what loading took, nor a seat that was not opened or is of another match', async () => {
  const [opened] = (await openSeats(control, [11])) as [Seat];
  reach(0, 5000);
  clocks = clocksOf([opened, other]);
  await clocks.start();
  expect([opened.cpuMs, opened.bankMs]).toEqual([5000, 3000]);
  clocks = clocksOf([opened]);
  await clocks.start();
  await sampledAt(1000, 5020);
  expect([opened.bankMs, errors]).toEqual([3000, []]);
  opened.link?.close();
});

it('records the highest memory that the host reports', async () => {
  bot.peakKib = 5000;
  await sampledAt(1000, 0);
  expect(bot.peakKib).toBe(5000);
  bot.peakKib = 10;
  await sampledAt(2000, 0);
  expect(bot.peakKib).toBe(2000);
});

it('has one request for a sample at a time', async () => {
  nowMs = 1000;
  clocks.tick();
  nowMs = 2000;
  clocks.tick();
  await control.usage();
  expect(host.usageRequests).toBe(2);
});

it('samples no more when the match has ended', async () => {
  clocks.open(bot);
  clocks.stop();
  expect(await sampledAt(3000, 9000)).toBe(0);
  clocks.close(bot);
  expect(bot.times.describe().count).toBe(0);
});

it('accounts nothing that the host reports after the end', async () => {
  reach(1000, 2000);
  clocks.tick();
  clocks.stop();
  await control.usage();
  expect(bot.bankMs).toBe(3000);
});

it('reports a host that cannot be reached', async () => {
  control.disconnect();
  nowMs = 1000;
  clocks.tick();
  await until(() => expect(errors).toHaveLength(1));
});
