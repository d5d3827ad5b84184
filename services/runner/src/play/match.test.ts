import { MAX_DETAIL_LENGTH } from '@husky/match/record';
import { afterEach, describe, expect, it } from 'vitest';
import { Bench, dialogues, fromFixture, manualSeat, until } from '../../test/match-bench.ts';
import { calling, questionIn, replying, type Script, type ScriptedSeat } from '../../test/scripted-host.ts';

let bench: Bench;
afterEach(() => bench.host.stop());

const tooLong = 'more than 1 s: look for an endless loop, or compute less';

describe('the dealer’s side of the seat protocol', () => {
  it.each(dialogues)('sends the lines of the fixture, $profile profile', async ({ profile, seats }) => {
    bench = new Bench(seats.map(({ seat }) => fromFixture(seat)));
    const reports = await bench.play({ hands: 1, profile });
    expect(bench.host.seats.map(({ lines }) => lines)).toEqual(seats.map(({ dealer }) => dealer));
    expect(bench.records[0]?.deltas).toEqual([300, -300]);
    expect(reports[1]).toMatchObject({
      verdict: 'faults: 1 illegal',
      faults: 1,
      disabled: '',
      details: {
        failedCalls: [
          {
            method: 'on_round_start',
            text: 'KeyError: 3; use .get(key, default), or look with `in` first',
            count: 1,
            firstHand: 1,
          },
        ],
      },
    });
  });
});

/** Begins a match of this many hands, in which seat 0 has a question and does not answer. */
async function questioned(hands: number) {
  const slow = manualSeat();
  bench = new Bench([slow.script, calling]);
  const begun = await bench.begin({ hands });
  await slow.firstQuestion();
  return { ...begun, slow };
}

/** Ends the connection of seat 0 while it has a question. */
async function endConnectionOfQuestioned(hands: number) {
  const { match, end } = await questioned(hands);
  bench.host.seats[0]?.socket?.destroy();
  await until(() => expect(match.seats[0]?.ended).toBe(true));
  return { match, end };
}

describe('a turn', () => {
  it('ends with a time-out when the processor time of a decision reaches the limit', async () => {
    const { match, end } = await questioned(1);
    bench.nowMs = 101;
    (bench.host.seats[0] as ScriptedSeat).cpuMs = 101;
    await until(() => expect(match.seats[0]?.cpuMs).toBe(101));
    bench.nowMs = 2000;
    (bench.host.seats[0] as ScriptedSeat).cpuMs = 1200;
    await end;
    const [report] = await match.close();
    expect(bench.faultsOf(0)).toEqual([`timeout: ${tooLong}`]);
    expect(report).toMatchObject({
      verdict: 'faults: 1 timeout',
      details: { times: { count: 1, maxMs: expect.closeTo(2000, -1) } },
    });
  });

  it('ends earlier once the bank is used up, and its fault says so', async () => {
    const { match, end } = await questioned(1);
    Object.assign(match.seats[0] as object, { bankMs: 50 });
    const seat = bench.host.seats[0] as ScriptedSeat;
    for (const ms of [101, 150]) {
      bench.nowMs = ms;
      seat.cpuMs = ms;
      await until(() => expect(match.seats[0]?.cpuMs).toBe(ms));
      bench.nowMs = ms + 40;
    }
    await end;
    expect(bench.faultsOf(0)).toEqual([
      expect.stringMatching(/^timeout: its bank of \d+ s is used up: decide within 100 ms$/),
    ]);
  });

  it('gives an overdue seat the free time to send its late reply before the next question', async () => {
    const { match, end, slow } = await questioned(3);
    const seat = bench.host.seats[0] as ScriptedSeat;
    bench.nowMs = 1101;
    seat.cpuMs = 1101;
    await until(() => expect(bench.records).toHaveLength(1));
    // In hand 2 its turn begins after the other seat's call.
    await until(() => {
      if (bench.records.length < 2) bench.nowMs += 10;
      expect(bench.records).toHaveLength(2);
    });
    expect(bench.faultsOf(0)).toEqual([`timeout: ${tooLong}`, 'timeout: it had not finished an earlier decision']);
    expect(seat.lines.filter((line) => questionIn(line) > 0)).toHaveLength(1);
    slow.release();
    const replies = setInterval(slow.release, 5);
    expect((await end).handsPlayed).toBe(3);
    clearInterval(replies);
    expect(bench.faultsOf(0)).toHaveLength(2);
    expect((await match.close())[0]?.verdict).toMatch(/^faults: 2 timeout/);
  });

  it('of a seat whose connection has ended waits for the host to report its exit', async () => {
    const { match, end } = await endConnectionOfQuestioned(2);
    bench.host.push({ event: 'exit', seat: 0, reason: 'memory', detail: 'above 256 MiB', rss_kib: 300_000 });
    await end;
    const [report] = await match.close();
    expect(report?.verdict).toMatch(/^memory: the bot went over its memory limit: above 256 MiB; faults: 1 memory/);
    expect(report?.disabled).toBe('went over its memory limit: above 256 MiB');
    expect(bench.faultsOf(0)).toEqual(['memory: above 256 MiB', 'memory']);
  });

  it('ends as a breach of the protocol two seconds after a silent exit', async () => {
    const { match, end } = await endConnectionOfQuestioned(1);
    bench.nowMs += 2000;
    await end;
    expect((await match.close())[0]?.verdict).toMatch(
      /^protocol: the bot broke the protocol: it closed its connection/,
    );
    expect(bench.host.requests).toContain('kill 0 protocol');
  });
});

describe('a bot', () => {
  it.each<[string, Script, string]>([
    [
      'replies to a future question',
      replying((seq) => [`[${seq + 1},3,0]`]),
      'an answer to question 2, which was not asked',
    ],
    ['sends a line that is not a message', replying(() => ['hello']), 'a line that is no answer'],
    ['sends an endless line', replying(() => ['x'.repeat(4097)]), 'an endless line'],
    [
      'reports more failed calls than it was sent',
      // set_id, on_start and on_round_start were called.
      replying(() => Array(4).fill('["!","on_start","x",1]')),
      'a line that is no answer',
    ],
    ['reports a failed call of a later hand', replying(() => ['["!","on_start","x",2]']), 'a line that is no answer'],
  ])('that %s is ended', async (_, script, problem) => {
    bench = new Bench([script, calling]);
    const [report, other] = await bench.play();
    expect(report?.verdict).toMatch(
      new RegExp(`^protocol: the bot broke the protocol: ${problem}; faults: 1 protocol`),
    );
    expect(bench.host.requests).toContain('kill 0 protocol');
    expect(bench.faultsOf(0)).toEqual([`protocol: ${problem}`, 'protocol']);
    expect(other?.verdict).toBe('');
  });

  it('may report each callback of a hand as failed once', async () => {
    bench = new Bench([replying((seq) => [...Array(3).fill('["!","on_start","x",1]'), `[${seq},1,0]`]), calling]);
    const [report] = await bench.play({ hands: 1 });
    expect(report).toMatchObject({ verdict: '', details: { failedCalls: [{ method: 'on_start', count: 3 }] } });
  });

  it('is disabled after the limit of faults in a row and gets no more questions', async () => {
    bench = new Bench([replying((seq) => [`[${seq},0,"KeyError: 3"]`]), calling]);
    const [report] = await bench.play({ hands: 5 });
    expect(bench.faultsOf(0)).toEqual([...Array(3).fill('exception: KeyError: 3'), 'disabled', 'disabled']);
    expect(report).toMatchObject({ faults: 3, details: { outKind: 'disabled' } });
    expect(report?.disabled).toBe(
      'is disabled for the rest of the match: 3 faults in a row by hand 3, at last it raised an exception: KeyError: 3',
    );
    expect(bench.host.requests).toContain('kill 0 disabled');
    expect(report?.log).toBe('log of seat 0\n');
    expect(report?.details.notes).toEqual([1, 2, 3].map((hand) => `hand ${hand}: raised an exception: KeyError: 3`));
  });

  it('is disabled with the beginning of its last fault', async () => {
    bench = new Bench([replying((seq) => [`[${seq},0,"${'x'.repeat(3000)}"]`]), calling]);
    const [report] = await bench.play({ hands: 3 });
    const last = `raised an exception: ${'x'.repeat(MAX_DETAIL_LENGTH)}`;
    expect(report?.details.outText).toBe(`3 faults in a row by hand 3, at last it ${last}`);
  });

  it('is disabled by its last timeout', async () => {
    const { match, end } = await questioned(1);
    Object.assign(match.seats[0] as object, { faultsInRow: 2 });
    bench.nowMs = 1101;
    (bench.host.seats[0] as ScriptedSeat).cpuMs = 1101;
    await end;
    expect(match.seats[0]?.outDetail).toBe(
      `3 faults in a row by hand 1, at last it did not answer in time: ${tooLong}`,
    );
    await match.close();
  });

  it('that exits in its turn is out with that fault, even if it also reaches the limit of faults in a row', async () => {
    const { match, end } = await questioned(1);
    Object.assign(match.seats[0] as object, { faultsInRow: 2 });
    bench.host.push({ event: 'exit', seat: 0, reason: 'exit', detail: 'exit code 1' });
    await end;
    expect((await match.close())[0]?.disabled).toBe('stopped running: exit code 1');
  });

  it('whose action was adjusted has the request in the record, and no fault', async () => {
    bench = new Bench([replying((seq) => [`[${seq},4,6]`]), replying((seq) => [`[${seq},1,0]`])]);
    await bench.play({ hands: 1 });
    const [small, big, raise, fold] = bench.records[0]?.actions ?? [];
    expect(raise).toMatchObject({ seat: 0, adjusted: true, detail: 'RAISE 6: less than the minimum raise' });
    for (const action of [small, big, raise, fold]) expect(action).not.toHaveProperty('fault');
  });

  it('that no longer reads is ended', async () => {
    bench = new Bench([calling, calling]);
    const { match, end } = await bench.begin({ hands: 1 });
    Object.defineProperty(match.seats[0]?.link, 'unsentBytes', { get: () => 2 << 20 });
    await end;
    expect(bench.host.requests).toContain('kill 0 timeout');
    expect((await match.close())[0]?.disabled).toBe('did not answer in time: it no longer reads what it is told');
  });

  it('is not disabled by faults that are not in a row', async () => {
    const everyThird = replying((seq) => [seq % 3 === 0 ? `[${seq},3,0]` : `[${seq},0,"x"]`]);
    bench = new Bench([everyThird, calling]);
    const [report] = await bench.play({ hands: 9 });
    expect(report?.disabled).toBe('');
    expect(bench.faultsOf(0).length).toBeGreaterThan(3);
  });

  it('that does not load is out from the start', async () => {
    const broken: Script = (line) => (line === '' ? ['{"ready":false,"error":"SyntaxError: x","line":7}'] : []);
    bench = new Bench([broken, calling]);
    const reports = await bench.play();
    expect(reports[0]?.verdict).toBe(
      'startup: the bot could not be started: SyntaxError: x (line 7); faults: 1 startup',
    );
    expect(bench.faultsOf(0)).toEqual(['startup', 'startup']);
    expect(reports[0]?.details.notes).toEqual(['could not be started: SyntaxError: x (line 7)']);
  });

  it('that writes to its connection while it loads is ended', async () => {
    const early: Script = (line) => (line === '' ? ['[1,3,0]'] : []);
    bench = new Bench([early, calling]);
    const [report] = await bench.play();
    expect(report?.verdict).toContain('it wrote to the connection of the platform while it was loaded');
    expect(bench.host.requests).toContain('kill 0 protocol');
  });

  it('whose files could not be fetched is out, and is not opened at the host', async () => {
    bench = new Bench([calling, calling]);
    const [report, other] = await bench.play({ absent: 'too large' });
    expect(report?.verdict).toBe('startup: the bot could not be started: too large; faults: 1 startup');
    expect(bench.host.seats[0]?.lines).toEqual([]);
    expect(other?.verdict).toBe('');
  });

  it('that computes outside its turns is stopped between them, and continued for its last callbacks', async () => {
    const other = manualSeat();
    bench = new Bench([calling, other.script]);
    const { match, end } = await bench.begin({ hands: 1 });
    await other.firstQuestion();
    // While they were loaded, seats were stopped, too.
    bench.host.requests.length = 0;
    (bench.host.seats[0] as ScriptedSeat).cpuMs = 5000;
    bench.nowMs += 1000;
    await until(() => expect(bench.host.requests).toContain('pause 0'));
    const replies = setInterval(other.release, 5);
    await end;
    clearInterval(replies);
    expect(bench.host.requests.filter((request) => /pause|resume/.test(request)).at(-1)).toBe('resume 0');
    const [report] = await match.close();
    expect(report?.verdict).toBe('its bank of time is used up');
    expect(report?.details).toMatchObject({ bankMs: 3000, bankUsedMs: 3000 });
  });

  it('that uses more than 100 MiB gets a note', async () => {
    const other = manualSeat();
    bench = new Bench([calling, other.script]);
    const { match, end } = await bench.begin({ hands: 1 });
    await other.firstQuestion();
    bench.host.push({ event: 'memory-warning', seat: 0, rss_kib: 120 << 10 });
    await until(() => expect(match.seats[0]?.warnedKib).toBe(120 << 10));
    const replies = setInterval(other.release, 5);
    await end;
    clearInterval(replies);
    const [report] = await match.close();
    expect(report?.verdict).toBe('memory above 100 MiB (120 MiB at most)');
    expect(report?.details.notes).toEqual(['hand 1: uses more than 100 MiB of memory']);
  });
});
