import { DECISION_BOUNDS_MS } from '@husky/match/decision-times';
import { afterAll, expect, it } from 'vitest';
import { findPython, LocalHost } from '../bench/local-host.ts';
import { bot, faultsOf, play } from './table.ts';

const local = await LocalHost.start(findPython());
afterAll(() => local.stop());

it('reports callbacks that threw with their count, first hand and line', async () => {
  const failing = bot(`    def on_start(self, *a):
        self.hands = getattr(self, 'hands', 0) + 1
        if self.hands > 2: {}[self.hands - self.hands]
    def on_end_game(self, *a): raise ValueError('seen \\x00 and all')`);
  const line = failing.split('\n').findIndex((text) => text.includes('{}[')) + 1;
  const played = await play(local, [failing, 'trivial'], { hands: 6 });
  // The last on_end_game is sent after the last question.
  expect(played.reports[0]?.details.failedCalls).toEqual([
    { method: 'on_end_game', text: `ValueError: seen \0 and all (line ${line + 1})`, count: 6, firstHand: 1 },
    {
      method: 'on_start',
      text: `KeyError: 0; use .get(key, default), or look with \`in\` first (line ${line})`,
      count: 4,
      firstHand: 3,
    },
  ]);
  expect(played.reports[0]?.details.outKind).toBe('');
  expect(played.reports[1]?.details.failedCalls).toEqual([]);
  expect(faultsOf(played, 0)).toEqual({});
});

it('notes the line of player.py for an exception in a decision, even if its text is cut', async () => {
  const failing = bot("    def get_action(self, s, c): raise KeyError('x' * 500)");
  const line = failing.split('\n').findIndex((text) => text.includes('KeyError')) + 1;
  const played = await play(local, [failing, 'trivial'], { hands: 2 });
  const note =
    played.records.flatMap(({ actions }) => actions).find(({ fault }) => fault === 'exception')?.detail ?? '';
  expect(note).toMatch(/^KeyError: 'xxx/);
  expect(note).toHaveLength(160);
  expect(note.endsWith(` (line ${line})`)).toBe(true);
});

it('ends a bot that reports more failed calls than it was sent', async () => {
  const liar = bot(`    def get_action(self, s, c):
        os.write(60, b'["!","on_start","x",1]\\n' * 200)
        return PokerAction.CALL, 0`);
  const played = await play(local, [liar, 'trivial'], { hands: 4 });
  const [report] = played.reports;
  expect(report?.details).toMatchObject({ outKind: 'protocol' });
  expect(report?.details.failedCalls?.[0]?.count).toBeLessThan(10);
  expect(faultsOf(played, 1)).toEqual({});
});

it('reports the times of all decisions and the bank they used', async () => {
  const slow = bot('    def get_action(self, s, c):\n        time.sleep(0.12)\n        return PokerAction.CALL, 0');
  const played = await play(local, [slow, 'trivial'], { hands: 3, limits: { freeMs: 20, bankMs: 5000 } });
  for (const [seat, report] of played.reports.entries()) {
    const { times, bankMs, bankUsedMs } = report.details;
    const own = played.records.flatMap(({ actions }) => actions.slice(2)).filter((action) => action.seat === seat);
    expect(times?.count).toBe(own.length);
    expect(times?.counts).toHaveLength(DECISION_BOUNDS_MS.length + 1);
    expect(times?.counts?.reduce((sum, count) => sum + count, 0)).toBe(own.length);
    expect(Number(times?.p50Ms)).toBeLessThanOrEqual(Number(times?.p95Ms));
    expect(Number(times?.p95Ms)).toBeLessThanOrEqual(Number(times?.maxMs));
    expect(bankMs).toBe(5000);
    if (seat === 0) expect(bankUsedMs).toBeGreaterThan(0);
    if (seat === 0) expect(times?.p50Ms).toBeGreaterThan(100);
  }
});

it('reports why a bot never started', async () => {
  const played = await play(local, ['from nowhere import nothing\n', 'trivial'], { hands: 2 });
  const { details } = played.reports[0] ?? {};
  expect(details).toMatchObject({
    outKind: 'startup',
    outText:
      "ModuleNotFoundError: No module named 'nowhere'; write nowhere into requirements.txt; a file of your own must be inside player.py (line 1)",
  });
  expect(details?.times?.count).toBe(0);
});
