import { afterEach, describe, expect, it, vi } from 'vitest';
import { Bench, manualSeat, until } from '../../test/match-bench.ts';
import { calling, replying, type Script } from '../../test/scripted-host.ts';

let bench: Bench;
afterEach(async () => {
  vi.useRealTimers();
  await bench.host.stop();
});

describe('a match', () => {
  it('waits between hands until `hold` resolves', async () => {
    const room = Promise.withResolvers<void>();
    let held = 0;
    const hold = () => {
      if (bench.records.length !== 1 || held > 0) return null;
      held += 1;
      return room.promise;
    };
    bench = new Bench([calling, calling]);
    const { match, end } = await bench.begin({ hands: 3, hold });
    await until(() => expect(held).toBe(1));
    expect(match.handsDone).toBe(1);
    room.resolve();
    expect(await end).toEqual({ handsPlayed: 3, endedEarly: '' });
    await match.close();
  });

  it('rejects with the error passed to `stop`, before and during play', async () => {
    bench = new Bench([calling, manualSeat().script]);
    const match = await bench.open();
    expect(match.running).toBe(false);
    await match.start();
    expect(match.running).toBe(true);
    const end = match.play();
    match.stop(new Error('cancelled'));
    match.stop(new Error('later'));
    await expect(end).rejects.toThrow('cancelled');
    await expect(match.play()).rejects.toThrow('cancelled');
    await expect(match.start()).rejects.toThrow('cancelled');
    await match.close();
    expect(match.running).toBe(false);
  });

  it('ends when the host cannot run a seat', async () => {
    const other = manualSeat();
    bench = new Bench([calling, other.script]);
    const { end } = await bench.begin();
    const failure = expect(end).rejects.toThrow('seat 1 could not be run: no memory');
    await other.firstQuestion();
    bench.host.push({ event: 'exit', seat: 1, reason: 'host', detail: 'no memory' });
    await failure;
  });

  it('ends early when one player holds every chip, and ends the process of the other', async () => {
    const allIn = replying((seq) => [`[${seq},5,0]`]);
    bench = new Bench([allIn, allIn]);
    const { match, end } = await bench.begin({ hands: 50 });
    const { handsPlayed, endedEarly } = await end;
    expect(endedEarly).toBe('one player holds every chip');
    expect(handsPlayed).toBeLessThan(50);
    expect(match.handsDone).toBe(handsPlayed);
    expect(match.usage().map(({ seat, verdict }) => [seat, verdict])).toEqual([
      [0, ''],
      [1, ''],
    ]);
    await match.close();
  });

  it('continues without sending questions when all bots are out', async () => {
    const broken: Script = (line) => (line === '' ? ['{"ready":false,"error":"x"}'] : []);
    bench = new Bench([broken, broken]);
    await bench.play({ hands: 40 });
    expect(bench.records).toHaveLength(40);
  });

  it('yields to the event loop every 16 hands while no bot gets a question', async () => {
    const broken: Script = (line) => (line === '' ? ['{"ready":false,"error":"x"}'] : []);
    bench = new Bench([broken, broken]);
    const { end } = await bench.begin({ hands: 40 });
    let [seen, largest] = [0, 0];
    const watch = () => {
      largest = Math.max(largest, bench.records.length - seen);
      seen = bench.records.length;
      if (seen < 40) setImmediate(watch);
    };
    watch();
    await end;
    watch();
    expect(largest).toBe(16);
  });

  it('records when each hand began and how long it had been played at each decision', async () => {
    const first = manualSeat();
    bench = new Bench([first.script, replying((seq) => [`[${seq},1,0]`])]);
    bench.nowMs = 500;
    const { match, end } = await bench.begin({ hands: 1, clock: () => 1_800_000_000_000 + bench.nowMs });
    await first.firstQuestion();
    expect(match.handsDone).toBe(0);
    bench.nowMs = 530;
    first.release();
    await end;
    expect(match.handsDone).toBe(1);
    expect(bench.records[0]).toMatchObject({ startedAtMs: 1_800_000_000_500 });
    expect(bench.records[0]?.actions.map(({ ms }) => ms)).toEqual([0, 0, 30, 30]);
  });

  it('shows the figures of its seats and only the kind of fault of a bot that is out', async () => {
    const other = manualSeat();
    bench = new Bench([calling, other.script]);
    const { match, end } = await bench.begin({ hands: 1 });
    await other.firstQuestion();
    bench.host.push({ event: 'exit', seat: 0, reason: 'exit', detail: 'exit code 3', rss_kib: 3000 });
    await until(() => expect(match.seats[0]?.out).toBe('crash'));
    Object.assign(match.seats[1] as object, { cpuMs: 12.6, peakKib: 2500 });
    expect(match.usage()).toEqual([
      { seat: 0, cpuMs: 0, peakKib: 3000, verdict: 'crash' },
      { seat: 1, cpuMs: 13, peakKib: 2500, verdict: '' },
    ]);
    const replies = setInterval(other.release, 5);
    await end;
    clearInterval(replies);
    expect((await match.close())[0]).toMatchObject({ faults: 1, disabled: 'stopped running: exit code 3' });
  });

  it.each<[string, () => Promise<void> | null]>([
    [
      'throws',
      () => {
        throw new Error('no room');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no room'))],
  ])('ends with the error when `hold` %s', async (_, hold) => {
    bench = new Bench([calling, calling]);
    const { end } = await bench.begin({ hold });
    await expect(end).rejects.toThrow('no room');
  });

  it('ends with the error when a hand cannot be stored', async () => {
    bench = new Bench([calling, calling]);
    const onHand = () => {
      throw new Error('no disk');
    };
    const { match, end } = await bench.begin({ onHand });
    await expect(end).rejects.toThrow('no disk');
    match.stop(new Error('later'));
    await expect(match.play()).rejects.toThrow('no disk');
    expect(bench.host.requests).not.toContain('close');
  });

  it('ends with the error when the host refuses to report times', async () => {
    const slow = manualSeat();
    bench = new Bench([slow.script, calling]);
    const { end } = await bench.begin();
    const failure = expect(end).rejects.toThrow('refused by the test');
    await slow.firstQuestion();
    bench.host.refuse('usage');
    bench.nowMs = 1000;
    await failure;
  });

  it('continues without a player who has lost all chips, sends it the result and ends its process', async () => {
    const allIn = replying((seq) => [`[${seq},5,0]`]);
    bench = new Bench([allIn, allIn, replying((seq) => [`[${seq},1,0]`])]);
    const { match, end } = await bench.begin({ hands: 2 });
    expect((await end).handsPlayed).toBe(2);
    const loser = match.seats.findIndex(({ number }) => bench.records[0]?.deltas[number] === -1000);
    expect(match.seats.map(({ busted }) => busted)).toEqual([0, 1, 2].map((seat) => seat === loser));
    expect(bench.host.seats[loser]?.lines.at(-1)).toContain('["g",');
    await until(() => expect(bench.host.seats[loser]?.socket?.readableEnded).toBe(true));
    await match.close();
  });

  it('leaves no timer behind, however it ends', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    bench = new Bench([calling, calling]);
    await bench.play();
    expect(vi.getTimerCount()).toBe(0);
    await bench.host.stop();
    bench = new Bench([calling, calling]);
    const { match, end } = await bench.begin();
    match.stop(new Error('cancelled'));
    await expect(end).rejects.toThrow('cancelled');
    await match.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not stopped after its last hand', async () => {
    bench = new Bench([calling, calling]);
    const { match, end } = await bench.begin();
    await end;
    match.stop(new Error('too late'));
    expect(match.handsDone).toBe(2);
    expect((await match.close()).map(({ log }) => log)).toEqual(['log of seat 0\n', 'log of seat 1\n']);
  });

  it('can be stopped before its first hand', async () => {
    bench = new Bench([calling, calling]);
    const { match, end } = await bench.begin();
    match.stop(new Error('cancelled'));
    await expect(end).rejects.toThrow('cancelled');
    expect([match.handsDone, bench.records]).toEqual([0, []]);
    bench.host.loseDealer();
    await expect(match.play()).rejects.toThrow('cancelled');
    expect(bench.host.seats.flatMap(({ lines }) => lines)).toEqual([]);
  });

  it('ends without reports when the host is lost', async () => {
    const other = manualSeat();
    bench = new Bench([calling, other.script]);
    const { match, end } = await bench.begin();
    const failure = expect(end).rejects.toThrow('the seat host is lost');
    await other.firstQuestion();
    bench.host.loseDealer();
    await failure;
    await expect(match.close()).rejects.toThrow('the seat host is lost');
  });

  it('has its reports without the logs when the host is lost after the last hand', async () => {
    bench = new Bench([calling, calling]);
    const { match, end } = await bench.begin();
    await end;
    bench.host.loseDealer();
    expect((await match.close()).map(({ log, verdict }) => [log, verdict])).toEqual([
      ['', ''],
      ['', ''],
    ]);
  });
});
