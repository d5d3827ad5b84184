import { afterEach, describe, expect, it } from 'vitest';
import { Bench, until } from '../../test/match-bench.ts';
import { calling, type Script } from '../../test/scripted-host.ts';

let bench: Bench;
afterEach(() => bench.host.stop());

const silent: Script = () => [];
const ready = '{"ready":true,"load_ms":5,"skips":[]}';

/** Opens a match in which seat 0 sends these lines and seat 1 nothing, and starts it. */
async function starting(...lines: readonly string[]) {
  bench = new Bench([(line) => (line === '' ? lines : []), silent]);
  const match = await bench.open({ hands: 1 });
  const connected = (seat: number) => until(() => expect(bench.host.seats[seat]?.socket).not.toBeNull());
  const load = async () => {
    await connected(1);
    bench.host.seats[1]?.send(ready);
  };
  return { match, started: match.start(), connected, load };
}

it('opens every seat with its files and limits', async () => {
  bench = new Bench([calling, calling]);
  const match = await bench.open({ profile: 'classic' });
  await match.start();
  const limits = { memory_mib: 256, log_bytes: 65_536 };
  expect(bench.host.opened).toEqual({
    op: 'open',
    match: 'test',
    profile: 'classic',
    seats: [
      {
        seat: 0,
        player_id: 1_935_087_785,
        bot_dir: 'bots/0',
        packages_dir: null,
        ...limits,
        seed: 'fada15d415b9e1b1be8019cdad1ce68f3a9b9eb761fade0e45a82de99831e8d3',
      },
      {
        seat: 1,
        player_id: 3_976_431_193,
        bot_dir: 'bots/1',
        packages_dir: null,
        ...limits,
        seed: '7f5f6cbc61044d2cf4c2e0c45a37163aa219a50658f904ce6cfc56b00a8baccc',
      },
    ],
  });
  expect(match.seats.map(({ loadMs }) => loadMs)).toEqual([5, 5]);
});

it('sends no request to the host when no bot could be fetched', async () => {
  bench = new Bench([calling]);
  const match = await bench.open({ absent: 'too large' });
  await match.start();
  expect(bench.host.requests).toEqual([]);
  expect(await match.close()).toMatchObject([{ seat: 0, details: { outKind: 'startup', outText: 'too large' } }]);
  expect(bench.host.requests).toEqual([]);
});

describe('a bot that is out before the first hand', () => {
  it.each([
    ['twice that it is ready', [ready, ready]],
    ['a text that is not a message', ['hello']],
    ['an endless line', ['x'.repeat(4097)]],
    ['an answer', ['[1,3,0]']],
  ])('has sent %s while it was loaded', async (_, lines) => {
    const { match, started, load } = await starting(...lines);
    await until(() => expect(match.seats[0]?.out).toBe('startup'));
    await until(() => expect(bench.host.requests).toContain('kill 0 protocol'));
    await load();
    await started;
    expect(match.seats[0]).toMatchObject({
      outDetail: 'it wrote to the connection of the platform while it was loaded',
      faults: 1,
    });
    expect(match.seats[1]).toMatchObject({ out: null, faults: 0 });
  });

  it('has exited, with the reason that the host gives', async () => {
    const { match, started, connected, load } = await starting();
    await connected(0);
    bench.host.push({ event: 'memory-warning', seat: 0, rss_kib: 110_000 });
    bench.host.push({ event: 'exit', seat: 7, reason: 'exit', detail: 'of another match' });
    bench.host.push({ event: 'exit', seat: 0, reason: 'exit', detail: 'exit code 1', rss_kib: 2048 });
    await until(() => expect(match.seats[0]?.out).toBe('startup'));
    await load();
    await started;
    expect(match.seats[0]).toMatchObject({
      outDetail: 'exit code 1',
      faults: 1,
      peakKib: 110_000,
      warnedKib: 110_000,
    });
  });

  it('has said why it cannot be loaded, though its exit is reported first', async () => {
    const { match, started, connected, load } = await starting();
    await connected(0);
    bench.host.push({ event: 'exit', seat: 0, reason: 'exit' });
    bench.host.push({ event: 'memory-warning', seat: 1, rss_kib: 110_000 });
    await until(() => expect(match.seats[1]?.warnedKib).toBe(110_000));
    bench.host.seats[0]?.socket?.end('{"ready":false,"error":"SyntaxError"}\n');
    await until(() => expect(match.seats[0]?.out).toBe('startup'));
    await load();
    await started;
    expect(match.seats[0]).toMatchObject({ outDetail: 'SyntaxError', faults: 1 });
  });

  it('has ended its connection and exited without a reason', async () => {
    const { match, started, connected, load } = await starting();
    await connected(0);
    bench.host.seats[0]?.socket?.destroy();
    await until(() => expect(match.seats[0]?.ended).toBe(true));
    bench.host.push({ event: 'exit', seat: 0, reason: 'exit' });
    await load();
    await started;
    expect(match.seats[0]).toMatchObject({ out: 'startup', outDetail: '', faults: 1 });
  });

  it('has exited before the host has opened all seats, and is not started', async () => {
    const { match, started, load } = await starting(ready, 'hello');
    bench.host.push({ event: 'exit', seat: 0, reason: 'exit', detail: 'exit code 1' });
    await load();
    await started;
    expect(match.seats[0]).toMatchObject({ link: null, outDetail: 'exit code 1', faults: 1 });
    expect(bench.host.requests).toEqual(['open']);
  });

  it('counts as one fault, however often it fails', async () => {
    const { match, started, load } = await starting('{"ready":false,"error":"SyntaxError"}');
    await until(() => expect(match.seats[0]?.out).toBe('startup'));
    bench.host.push({ event: 'exit', seat: 0, reason: 'exit', detail: 'exit code 1' });
    bench.host.seats[0]?.send(ready, 'x'.repeat(5000));
    bench.host.push({ event: 'memory-warning', seat: 1, rss_kib: 110_000 });
    await until(() => expect(match.seats[1]?.warnedKib).toBe(110_000));
    await load();
    await started;
    expect(match.seats[0]).toMatchObject({ outDetail: 'SyntaxError', faults: 1 });
  });
});

describe('the start of a match', () => {
  it('fails when the host cannot run a bot', async () => {
    const { started, connected } = await starting();
    const failure = expect(started).rejects.toThrow('seat 0 could not be run: no memory');
    await connected(0);
    bench.host.push({ event: 'exit', seat: 0, reason: 'host', detail: 'no memory' });
    await failure;
  });

  it('fails with the error of `stop`, and when the host is lost', async () => {
    const { match, started } = await starting();
    const failure = expect(started).rejects.toThrow('cancelled');
    match.stop(new Error('cancelled'));
    await failure;
    await bench.host.stop();
    const lost = await starting();
    const loss = expect(lost.started).rejects.toThrow('the seat host is lost');
    await lost.connected(0);
    bench.host.loseDealer();
    await loss;
  });
});
