import { join } from 'node:path';
import { Action } from '@husky/holdem/action';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { findPython, LocalHost } from '../bench/local-host.ts';
import { installPackages } from '../bench/packages.ts';
import { bot, faultsOf, matchOf, play, verify } from './table.ts';

const local = await LocalHost.start(findPython());
afterAll(() => local.stop());

describe('a match', () => {
  it('of six example bots is played to its end without a fault', async () => {
    const bots = ['house', 'calling-station', 'random-legal', 'tight-aggressive', 'position-aware', 'pressure'];
    const played = await play(local, bots, { hands: 60 });
    expect(played.reports.map(({ verdict }) => verdict)).toEqual(['', '', '', '', '', '']);
    expect(played.end.handsPlayed === 60 || played.end.endedEarly !== '').toBe(true);
  });

  it('plays heads-up', async () => {
    const played = await play(local, ['house', 'tight-aggressive'], { hands: 40 });
    expect(played.end).toEqual({ handsPlayed: 40, endedEarly: '' });
    expect(played.deltas[0]).toBe(-(played.deltas[1] as number));
  });

  it('deals the same cards in every attempt, whatever the bots do', async () => {
    const seed = new Uint8Array(32).fill(99);
    const first = await play(local, ['trivial', 'trivial', 'trivial'], { hands: 10, seed });
    const second = await play(local, ['trivial', 'random-legal', 'random-legal'], { hands: 10, seed });
    const cards = (played: typeof first) =>
      verify(played).map(({ hand }) => [hand.holeCards(0), hand.holeCards(1), hand.holeCards(2), hand.deck[12]]);
    const dealt = cards(first);
    const again = cards(second);
    expect(again).toEqual(dealt.slice(0, again.length));
  });

  it('ends early when one player holds every chip, and reports that', async () => {
    const allIn = bot('    def get_action(self, s, c): return PokerAction.ALL_IN, 0');
    const played = await play(local, [allIn, allIn, allIn], { hands: 500 });
    expect(played.end.handsPlayed).toBeLessThan(500);
    expect(played.end.endedEarly).toBe('one player holds every chip');
    expect(played.deltas.filter((delta) => delta === 20_000)).toHaveLength(1);
  });

  it('with reset stacks plays all hands, each from the starting stack; bots read it and are never retired', async () => {
    const allIn = bot(`    def on_start(self, chips, *rest): print("chips", chips)
    def get_action(self, s, c): return PokerAction.ALL_IN, 0`);
    const played = await play(local, [allIn, allIn, allIn], { hands: 70, stacks: 'reset', startingStack: 500 });
    expect(played.end).toEqual({ handsPlayed: 70, endedEarly: '' });
    expect(played.reports.map(({ verdict }) => verdict)).toEqual(['', '', '']);
    for (const { log } of played.reports) expect(log).toMatch(/^(--- hand \d+, on_start\nchips 500\n){70}$/);
    for (const { hand } of verify(played)) expect(hand.startStacks).toEqual([500, 500, 500]);
    expect(Math.min(...played.deltas)).toBeLessThan(-500);
  });

  it('with reset stacks gives two copies of a bot exactly the same result over six rotations of the seats', async () => {
    // Two copies sit opposite each other, so that both meet every other player in every place.
    const bots = ['position-aware', 'tight-aggressive', 'house', 'position-aware', 'tight-aggressive', 'house'];
    const sums = bots.map(() => 0);
    for (const [rotation] of bots.entries()) {
      const seated = bots.map((_, seat) => bots[(seat + rotation) % bots.length] as string);
      const played = await play(local, seated, { hands: 60, stacks: 'reset' });
      for (const seat of bots.keys()) {
        expect(faultsOf(played, seat)).toEqual({});
        const player = (seat + rotation) % bots.length;
        sums[player] = (sums[player] as number) + (played.deltas[seat] as number);
      }
    }
    expect(sums.slice(3)).toEqual(sums.slice(0, 3));
    expect(sums.some((sum) => sum !== 0)).toBe(true);
  });

  it('leaves nothing of a match to the next match of the same bots on the same host', async () => {
    const curious = bot(`    def on_start(self, *rest):
        import builtins, os
        print(hasattr(builtins, "seen"), sorted(os.listdir(".")))
        builtins.seen = True
        open("seen", "w").write("earlier match")
    def get_action(self, s, c): return PokerAction.FOLD, 0`);
    const logs: string[][] = [];
    for (let rotation = 0; rotation < 3; rotation++) {
      const { reports } = await play(local, [curious, curious], { hands: 1 });
      logs.push(reports.map(({ log }) => log));
    }
    expect(new Set(logs.flat()).size).toBe(1);
    expect(logs[0]?.[0]).toMatch(/^--- hand 1, on_start\nFalse \['.*\]\n$/);
    expect(logs[0]?.[0]).not.toContain("'seen'");
  });

  it('runs the board out when the blinds put everybody all-in', async () => {
    const played = await play(local, ['trivial', 'trivial'], { hands: 5, startingStack: 5, bigBlind: 10 });
    expect(played.end.endedEarly).toBe('one player holds every chip');
    expect(played.records[0]?.actions.map(({ kind }) => kind)).toEqual([Action.ALL_IN, Action.ALL_IN]);
  });

  it('continues when no bot can be started: only blinds change hands', async () => {
    const broken = 'from nowhere import nothing\n';
    const played = await play(local, [broken, broken, broken], { hands: 30 });
    expect(played.end.handsPlayed).toBe(30);
    expect(faultsOf(played, 0)).toEqual({ startup: 20 });
    expect(played.reports[0]?.verdict).toMatch(/^startup: .*No module named 'nowhere'; .* \(line 1\)/);
  });

  it('can be stopped at any time; the host can then open the next match', async () => {
    const [match] = matchOf(local, ['trivial', 'trivial'], {
      hands: 100_000,
      onHand: (number) => {
        if (number === 50) match.stop(new Error('cancelled'));
      },
    });
    await match.start();
    await expect(match.play()).rejects.toThrow('cancelled');
    expect(match.handsDone).toBeGreaterThanOrEqual(49);
    await match.close();
    const next = await play(local, ['trivial', 'trivial'], { hands: 2 });
    expect(next.end.handsPlayed).toBe(2);
  });

  it('can be stopped while a bot loads; the host can then open the next match', async () => {
    const [match] = matchOf(local, ['slow-import', 'trivial']);
    const started = match.start();
    const stopped = expect(started).rejects.toThrow('drain');
    // The fast bot has loaded, the slow one still imports.
    await vi.waitFor(() => expect(match.seats[1]?.loadMs).toBeGreaterThan(0), { timeout: 20_000, interval: 5 });
    match.stop(new Error('drain'));
    await stopped;
    expect((await match.close()).map(({ faults }) => faults)).toEqual([0, 0]);
    const next = await play(local, ['trivial', 'trivial'], { hands: 2 });
    expect(next.end.handsPlayed).toBe(2);
  });
});

describe('a killed seat', () => {
  it('folds for the rest of the match with the verdict crash, and the others continue', async () => {
    const played = await play(local, ['trivial', 'trivial', 'trivial', 'trivial'], {
      hands: 60,
      onHand: (number) => {
        if (number !== 10) return;
        const pid = local.seatPids().get(2);
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
      },
    });
    expect(played.end.handsPlayed).toBe(60);
    expect(Object.keys(faultsOf(played, 2))).toEqual(['crash']);
    expect(played.records[9]?.actions.every(({ fault }) => fault === undefined)).toBe(true);
    expect(played.reports[2]?.verdict).toContain('crash: the bot stopped running: ended by SIGKILL');
    for (const seat of [0, 1, 3]) expect(faultsOf(played, seat)).toEqual({});
  });
});

it('bots can import numpy and eval7 from their requirements', async ({ skip }) => {
  const packagesDir = join(local.runDir, 'packages', 'science');
  let problem = '';
  const science = join(import.meta.dirname, '../fixtures/bots/science');
  await installPackages(science, packagesDir, findPython()).catch((error: Error) => {
    problem = error.message;
  });
  if (problem !== '') skip(`uv or a package index is missing: ${problem}`);
  const played = await play(local, ['science', 'pot-odds', 'trivial'], { hands: 40, packagesDir });
  expect(played.reports.map(({ verdict }) => verdict)).toEqual(['', '', '']);
}, 240_000);
