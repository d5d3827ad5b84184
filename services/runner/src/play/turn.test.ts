import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits, openSeats, until } from '../../test/match-bench.ts';
import { ScriptedHost, type ScriptedSeat } from '../../test/scripted-host.ts';
import type { SeatHost } from '../host/seat-host.ts';
import type { Seat } from './seat.ts';
import { Turn } from './turn.ts';

const tooLong = 'timeout 0 more than 1 s: look for an endless loop, or compute less';

let host: ScriptedHost;
let control: SeatHost;
let bot: Seat;
let other: Seat;
let scripted: ScriptedSeat;
let turn: Turn;
let nowMs: number;
/** The calls of the hooks. */
let calls: string[];

beforeEach(async () => {
  const ready = (line: string) => (line === '' ? ['{"ready":true,"load_ms":5,"skips":[]}'] : []);
  host = new ScriptedHost([ready, ready]);
  control = await host.connect();
  const seats = await openSeats(control, [11, 22]);
  [bot, other] = seats as [Seat, Seat];
  scripted = host.seats[0] as ScriptedSeat;
  host.requests.length = 0;
  calls = [];
  nowMs = 10_000;
  turn = new Turn(seats, control, limits, () => nowMs, {
    onReply: ({ number }, { seq }) => calls.push(`reply ${number} ${seq}`),
    onFault: ({ number }, fault, detail) => calls.push(`${fault} ${number}${detail === undefined ? '' : ` ${detail}`}`),
    onSilentExit: ({ number }) => calls.push(`silent exit ${number}`),
    onError: ({ message }) => calls.push(message),
  });
  scripted.cpuMs = 700;
  await turn.start();
});
afterEach(() => host.stop());

/** Lets the bot compute for this time. Resolves once its samples have been handled. */
async function compute(ms: number): Promise<void> {
  nowMs += ms;
  scripted.cpuMs += ms;
  turn.tick();
  await control.usage();
}

/** Begins a turn of the bot in which it does not reply in time. */
async function overdue(): Promise<void> {
  turn.begin(bot, '["a"]');
  await compute(101);
  await compute(1000);
}

const reply = (seat: Seat, seq: number) => turn.reply(seat, { type: 'reply', seq, kind: 3, amount: 0 });

it('does not charge the processor time that loading took', () => {
  expect(bot.cpuMs).toBe(700);
});

describe('a turn', () => {
  it('sends the pending events and the question in one line', async () => {
    bot.pending = '["r"],';
    turn.begin(bot, '["a"]');
    expect(turn.seat).toBe(bot);
    expect(bot.pending).toBe('');
    await until(() => expect(scripted.lines).toEqual(['[1,[["r"],["a"]]]']));
  });

  it('ends with the reply to its question and refuses every other reply', () => {
    turn.begin(bot, '["a"]');
    expect([reply(bot, 2), reply(bot, 0), reply(other, 0), reply(other, 1)]).toEqual([false, false, false, false]);
    expect(reply(bot, 1)).toBe(true);
    expect(turn.seat).toBeNull();
    expect(reply(bot, 1)).toBe(false);
    expect(calls).toEqual(['reply 0 1']);
  });

  it('ends as a timeout at the limit', async () => {
    await overdue();
    expect(calls).toEqual([tooLong]);
    expect(turn.seat).toBeNull();
    expect(bot.lateSeq).toBe(1);
  });

  it.each([
    [900, tooLong],
    [899, 'timeout 0 its bank of 3 s is used up: decide within 100 ms'],
  ])('has a fault that says whether a bank of %i ms has shortened it', async (bankMs, fault) => {
    bot.bankMs = bankMs;
    await overdue();
    expect(calls).toEqual([fault]);
  });

  it('is not ended by another seat', () => {
    turn.begin(bot, '["a"]');
    expect(turn.abandon(other)).toBe(false);
    turn.disconnected(other);
    expect(reply(bot, 1)).toBe(true);
  });

  it('can be abandoned, once', () => {
    turn.begin(bot, '["a"]');
    expect([turn.abandon(bot), turn.abandon(bot)]).toEqual([true, false]);
    expect(turn.seat).toBeNull();
    expect(calls).toEqual([]);
  });

  it('continues a stopped seat, and stops it again afterwards', async () => {
    Object.assign(bot, { stopped: true, outsideMs: 101 });
    turn.begin(bot, '["a"]');
    await control.usage();
    expect(host.requests).toEqual(['resume 0']);
    reply(bot, 1);
    await control.usage();
    expect(host.requests).toEqual(['resume 0', 'pause 0']);
  });
});

describe('an overdue reply', () => {
  it('that comes between turns is accepted once and without a question', async () => {
    await overdue();
    expect([reply(bot, 2), reply(bot, 1), reply(bot, 1)]).toEqual([false, true, false]);
    turn.begin(bot, '["a"]');
    await until(() => expect(scripted.lines).toEqual(['[1,[["a"]]]', '[2,[["a"]]]']));
    expect(reply(bot, 2)).toBe(true);
  });

  it('is waited for before the next question', async () => {
    await overdue();
    turn.begin(bot, '["a"]');
    expect([bot.seq, reply(bot, 2), bot.seq]).toEqual([1, false, 1]);
    expect([reply(bot, 1), bot.seq]).toEqual([true, 2]);
    expect(reply(bot, 2)).toBe(true);
    expect(calls).toEqual([tooLong, 'reply 0 2']);
  });

  it('is waited for until the seat has used the free time, however long it waits for a processor', async () => {
    await overdue();
    scripted.cpuMs += 500;
    turn.begin(bot, '["a"]');
    await control.usage();
    for (let waited = 0; waited < 1000; waited += 50) {
      nowMs += 50;
      scripted.waitMs += 50;
      turn.tick();
      await control.usage();
    }
    await compute(99);
    expect(calls).toEqual([tooLong]);
    await compute(1);
    await compute(40);
    expect(calls).toEqual([tooLong, 'timeout 0 it had not finished an earlier decision']);
    await compute(500);
    expect(calls).toHaveLength(2);
    expect([turn.seat, bot.seq, bot.lateSeq]).toEqual([null, 1, 1]);
    expect(bot.times.describe().count).toBe(1);
  });

  it('is waited for in vain from a seat that sleeps for three times the free time', async () => {
    await overdue();
    turn.begin(bot, '["a"]');
    await control.usage();
    const beganMs = nowMs;
    while (calls.length < 2) {
      nowMs += 40;
      turn.tick();
      await control.usage();
    }
    expect(nowMs - beganMs).toBe(320);
    expect(calls).toEqual([tooLong, 'timeout 0 it had not finished an earlier decision']);
  });
});

describe('a seat whose connection has ended in its turn', () => {
  it('gets two seconds in which the host reports its exit', async () => {
    turn.begin(bot, '["a"]');
    turn.disconnected(bot);
    await compute(1000);
    turn.disconnected(bot);
    expect(reply(bot, 1)).toBe(false);
    await compute(999);
    expect(calls).toEqual([]);
    await compute(1);
    expect(calls).toEqual(['silent exit 0']);
    turn.abandon(bot);
    await compute(5000);
    expect(calls).toHaveLength(1);
  });

  it('gets them too when it had ended before, and gets no question', async () => {
    bot.ended = true;
    turn.begin(bot, '["a"]');
    await compute(1999);
    expect([calls, bot.seq]).toEqual([[], 0]);
    await compute(1);
    expect(calls).toEqual(['silent exit 0']);
  });

  it('is not timed out by a sample that was requested before', async () => {
    turn.begin(bot, '["a"]');
    await compute(101);
    nowMs += 1000;
    scripted.cpuMs += 1000;
    turn.tick();
    turn.disconnected(bot);
    await control.usage();
    expect(calls).toEqual([]);
    expect(turn.seat).toBe(bot);
  });
});

it('has no turn and takes no samples after `stop`', async () => {
  turn.begin(other, '["a"]');
  turn.stop();
  expect(turn.seat).toBeNull();
  expect(reply(other, 1)).toBe(false);
  const { usageRequests } = host;
  nowMs += 5000;
  turn.tick();
  await control.usage();
  expect(host.usageRequests).toBe(usageRequests + 1);
});

it('reports a host that cannot be reached', async () => {
  control.disconnect();
  nowMs += 1000;
  turn.tick();
  await until(() => expect(calls).toEqual([expect.stringContaining('the seat host is lost')]));
});
