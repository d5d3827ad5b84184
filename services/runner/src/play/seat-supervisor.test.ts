import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { matchSetup, until } from '../../test/match-bench.ts';
import { replying, ScriptedHost, type ScriptedSeat } from '../../test/scripted-host.ts';
import type { SeatHost } from '../host/seat-host.ts';
import type { Seat } from './seat.ts';
import { MAX_CALL_TEXT, SeatSupervisor } from './seat-supervisor.ts';

let host: ScriptedHost;
let control: SeatHost;
let nowMs: number;
let supervisor: SeatSupervisor;
let bot: Seat;
let other: Seat;
let scripted: ScriptedSeat;
/** The calls of the hooks. */
let calls: string[];
/** The hook's result for replies: whether they belong to a question that is open or overdue. */
let replyExpected: boolean;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  host = new ScriptedHost([replying(() => []), replying(() => [])]);
  calls = [];
  replyExpected = true;
  const files = { botDir: 'bots/0', packagesDir: null };
  nowMs = 0;
  control = await host.connect();
  supervisor = new SeatSupervisor(matchSetup([files, files]), control, () => nowMs, {
    onReply: ({ number }, { seq }) => {
      calls.push(`reply ${number} ${seq}`);
      return replyExpected;
    },
    onDisconnected: ({ number }) => calls.push(`disconnected ${number}`),
    onOut: ({ number }, fault, detail) => calls.push(`out ${number} ${fault}: ${detail}`),
    onError: ({ message }) => calls.push(message),
  });
  await supervisor.start();
  [bot, other] = supervisor.seats as [Seat, Seat];
  scripted = host.seats[0] as ScriptedSeat;
  supervisor.hand = 3;
  await control.usage();
  host.requests.length = 0;
});
afterEach(async () => {
  vi.useRealTimers();
  for (const { link } of supervisor.seats) link?.close();
  await host.stop();
});

/** Sends lines of the bot and a failed call after them. Resolves once that call is counted, so that the lines have been handled. */
async function send(...lines: readonly string[]): Promise<void> {
  scripted.send(...lines, '["!","on_end_game","last",1]');
  bot.reportableCalls += 1;
  await until(() => expect(bot.failedCalls.list.at(-1)?.text).toBe('last'));
}

/** Lets time pass in which a seat computes and waits for a processor. Resolves once the sample at its end has been handled. */
async function pass(ms: number, { cpuMs = 0, waitMs = 0 } = {}): Promise<void> {
  for (let step = 0; step < ms; step += 40) {
    const part = Math.min(40, ms - step);
    nowMs += part;
    scripted.cpuMs += (cpuMs * part) / ms;
    scripted.waitMs += (waitMs * part) / ms;
    vi.advanceTimersByTime(40);
    // Responses of the host keep the order of the requests.
    await control.usage();
    await new Promise(setImmediate);
  }
}

/** Pushes events of the host. Resolves once they have been handled. */
async function push(...events: readonly object[]): Promise<void> {
  for (const event of events) host.push(event);
  host.push({ event: 'memory-warning', seat: 1, rss_kib: 1 << 20 });
  await until(() => expect(other.peakKib).toBe(1 << 20));
}

describe('a line of a bot', () => {
  it('is passed on when it is a reply', async () => {
    await send('[1,3,0]');
    expect(calls).toEqual(['reply 0 1']);
  });

  it('counts as a failed callback, with the beginning of its text', async () => {
    bot.reportableCalls = 1;
    await send(`["!","on_start","${'x'.repeat(MAX_CALL_TEXT + 1)}",3]`);
    expect(bot.failedCalls.list[0]).toEqual({
      method: 'on_start',
      text: 'x'.repeat(MAX_CALL_TEXT),
      count: 1,
      firstHand: 3,
    });
    expect(bot.reportableCalls).toBe(0);
  });

  it.each([
    ['[1,3,0]', 'an answer to question 1, which was not asked', ['reply 0 1']],
    ['hello', 'a line that is no answer', []],
    ['["!","on_start","x",4]', 'a line that is no answer', []],
    ['x'.repeat(5000), 'an endless line', []],
  ])('ends the bot when it is against the protocol (%#)', async (line, detail, replies) => {
    replyExpected = false;
    bot.reportableCalls = 1;
    scripted.send(line);
    await until(() => expect(calls).toEqual([...replies, `out 0 protocol: ${detail}`]));
    await until(() => expect(host.requests).toEqual(['kill 0 protocol']));
    expect(bot).toMatchObject({ out: 'protocol', outDetail: detail });
  });

  it('asks once for a callback that was skipped', async () => {
    bot.skips.add('on_end_game');
    await send('["+","on_end_game"]');
    expect([[...bot.skips], bot.out]).toEqual([[], null]);
    scripted.send('["+","on_end_game"]');
    await until(() => expect(bot).toMatchObject({ out: 'protocol', outDetail: 'a line that is no answer' }));
  });

  it('is ignored after the match, unless a callback has failed', async () => {
    supervisor.playing = false;
    await send('[1,3,0]', 'hello');
    supervisor.onEndlessLine(bot);
    expect([calls, bot.out]).toEqual([[], null]);
    expect(host.requests).toEqual([]);
  });

  it('is ignored when the bot is out already', async () => {
    supervisor.remove(bot, 'crash', '');
    supervisor.onMessage(bot, { type: 'reply', seq: 1, kind: 3, amount: 0 });
    supervisor.onEndlessLine(bot);
    await push();
    expect(calls).toEqual(['out 0 crash: ']);
    expect(host.requests).toEqual([]);
  });

  it('is ignored when the bot has no chips left', async () => {
    bot.busted = true;
    await send('[1,3,0]', 'hello');
    expect([calls, bot.out]).toEqual([[], null]);
  });
});

describe('an event of the host', () => {
  it('removes a bot that has exited', async () => {
    await push(
      { event: 'exit', seat: 7, reason: 'exit' },
      { event: 'exit', seat: 0, reason: 'exit', detail: 'exit code 3', rss_kib: 4000 },
    );
    await until(() => expect(calls).toEqual(['out 0 crash: exit code 3']));
    expect(bot).toMatchObject({ ended: true, peakKib: 4000 });
  });

  it('removes a bot that has exited only after what it sent before', async () => {
    await push({ event: 'exit', seat: 0, reason: 'exit', detail: 'exit code 3' });
    scripted.socket?.end('[1,3,0]\n');
    await until(() => expect(calls).toEqual(['reply 0 1', 'disconnected 0', 'out 0 crash: exit code 3']));
  });

  it('removes a bot that has exceeded its memory', async () => {
    bot.peakKib = 9000;
    await push({ event: 'exit', seat: 0, reason: 'memory', rss_kib: 4000 });
    await until(() => expect(calls).toEqual(['out 0 memory: ']));
    expect(bot.peakKib).toBe(9000);
  });

  it('notes that a bot uses much memory', async () => {
    await push({ event: 'memory-warning', seat: 0, rss_kib: 110_000 });
    expect(bot.warnedKib).toBe(110_000);
    expect(bot.report().details.notes).toEqual(['hand 3: uses more than 100 MiB of memory']);
    expect(calls).toEqual([]);
  });

  it('is an error of the platform when the host could not run the bot', async () => {
    await push({ event: 'exit', seat: 0, reason: 'host' });
    expect(calls).toEqual(['seat 0 could not be run: ']);
  });

  it('is ignored after the match', async () => {
    supervisor.playing = false;
    host.push({ event: 'exit', seat: 0, reason: 'exit' });
    await send();
    expect([calls, bot.ended]).toEqual([[], false]);
  });
});

it('puts a bot out once, and never one without chips', () => {
  supervisor.remove(bot, 'timeout', 'first');
  supervisor.remove(bot, 'crash', 'second');
  other.busted = true;
  supervisor.remove(other, 'crash', '');
  expect(calls).toEqual(['out 0 timeout: first']);
  expect([bot.outDetail, other.out]).toEqual(['first', null]);
});

describe('a bot without chips', () => {
  it.each([
    ['computes', { cpuMs: 1000 }],
    ['sleeps', {}],
  ])('that %s has a second of its own time for its last callbacks', async (_, used) => {
    supervisor.retire(bot);
    await pass(40);
    await pass(4000, { waitMs: 4000 });
    await pass(960, used);
    expect(bot).toMatchObject({ busted: true, ended: false, stopped: false });
    expect(host.requests).toEqual(['resume 0']);
    await pass(40, used);
    expect(bot.ended).toBe(true);
    await until(() => expect(host.requests).toEqual(['resume 0', 'kill 0 dismissed']));
    await until(() => expect(scripted.socket?.readableEnded).toBe(true));
  });

  it.each([{ ended: true }, { out: 'crash' as const }])('is not ended twice (%j)', async (state) => {
    supervisor.retire(bot);
    Object.assign(bot, state);
    await pass(2000);
    expect(host.requests).toEqual(['resume 0']);
  });

  it('has no clock once its connection has ended', async () => {
    supervisor.retire(bot);
    scripted.socket?.end();
    await until(() => expect(bot.ended).toBe(true));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the end of a match', () => {
  /** Returns a promise of the drain, and whether it has been fulfilled. */
  function draining() {
    supervisor.playing = false;
    const state = { over: false };
    void supervisor.drain().then(() => {
      state.over = true;
    });
    return state;
  }
  const turnOfLoop = () => new Promise(setImmediate);

  it('is reached when every bot has disconnected, is out or still works on an overdue question, which stands still', async () => {
    Object.assign(other, { lateSeq: 4, stopped: false });
    const drain = draining();
    await turnOfLoop();
    expect(drain.over).toBe(false);
    expect([bot.stopped, other.stopped]).toEqual([false, true]);
    scripted.socket?.end();
    await until(() => expect(bot.ended).toBe(true));
    await turnOfLoop();
    expect(drain.over).toBe(true);
    expect(calls).toEqual(['disconnected 0']);
  });

  it('is reached at once when all bots are out', async () => {
    for (const seat of supervisor.seats) supervisor.remove(seat, 'crash', '');
    const drain = draining();
    await turnOfLoop();
    expect(drain.over).toBe(true);
  });

  it('is reached when each bot has used a second of its own time, with those that busted before', async () => {
    supervisor.retire(bot);
    await pass(640, { cpuMs: 600 });
    const drain = draining();
    await pass(400, { cpuMs: 400 });
    expect([drain.over, bot.ended, other.ended]).toEqual([false, true, false]);
    await pass(640);
    expect([drain.over, other.ended]).toEqual([true, true]);
  });

  it('is reached when the host is lost', async () => {
    const drain = draining();
    host.loseDealer();
    await pass(40).catch(() => undefined);
    await until(() => expect(drain.over).toBe(true));
  });

  it('is not reached in play by a bot that disconnects', async () => {
    supervisor.remove(other, 'crash', '');
    scripted.socket?.end();
    await until(() => expect(bot.ended).toBe(true));
    bot.ended = false;
    const drain = draining();
    await turnOfLoop();
    expect(drain.over).toBe(false);
  });
});

describe('closing', () => {
  it('reports each bot with its log and ends connections and timers', async () => {
    supervisor.retire(bot);
    const reports = await supervisor.close(true);
    expect(reports.map(({ seat, log, peakKib }) => [seat, log, peakKib])).toEqual([
      [0, 'log of seat 0\n', 2000],
      [1, 'log of seat 1\n', 2000],
    ]);
    expect(vi.getTimerCount()).toBe(0);
    await until(() => expect(scripted.socket?.readableEnded).toBe(true));
    host.push({ event: 'exit', seat: 0, reason: 'exit' });
    host.loseDealer();
    await new Promise(setImmediate);
    expect(calls).toEqual([]);
  });

  it('rejects when the host is lost before the last hand', async () => {
    host.loseDealer();
    expect(calls).toEqual([expect.stringContaining('the seat host is lost')]);
    await expect(supervisor.close(false)).rejects.toThrow('the seat host is lost');
  });

  it('reports without logs when the host is lost after the last hand', async () => {
    host.loseDealer();
    expect((await supervisor.close(true)).map(({ log }) => log)).toEqual(['', '']);
  });

  it('rejects when the host refuses it', async () => {
    host.refuse('close');
    await expect(supervisor.close(true)).rejects.toThrow('refused by the test');
  });
});

it('reports a host that cannot end a bot', async () => {
  host.refuse('kill');
  supervisor.kill(bot, 'timeout');
  await until(() => expect(calls).toEqual([expect.stringContaining('refused by the test')]));
});
