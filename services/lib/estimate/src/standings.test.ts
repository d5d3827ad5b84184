import { describe, expect, test } from 'vitest';
import { packBlockSums, sumBlocks, unpackBlockSums } from './match-sums.ts';
import { notesOn } from './notes.ts';
import { seededRandom } from './random.ts';
import { computeStandings, type MatchSums } from './standings.ts';

const ids = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay'];

/** A rotation of a deal set: seat s wins what the cards of the deal give it, whoever sits there. */
function rotationOf(seed: number, rotation: number, stacks: MatchSums['stacks'] = 'reset'): MatchSums {
  const random = seededRandom(seed);
  const nets = ids.map((): number[] => []);
  for (let hand = 0; hand < 100; hand++) {
    const winner = Math.floor(random() * ids.length);
    for (const [seat, own] of nets.entries()) own.push(seat === winner ? 50 : -10);
  }
  const players = ids.map((_, seat) => ids[(seat + rotation) % ids.length] ?? '');
  const blocks = sumBlocks(nets, nets, new Array<number>(100).fill(10), 100);
  return {
    seed: String(seed),
    players,
    stacks,
    startingStack: 10_000,
    bigBlind: 10,
    blocks: unpackBlockSums(packBlockSums(blocks)),
  };
}

const dealSet = (seed: number) => ids.map((_, rotation) => rotationOf(seed, rotation));

describe('standings', () => {
  test('of a deal set between equal players are exactly equal, while raw results of one match are not', () => {
    const standings = computeStandings([...dealSet(1), ...dealSet(2)]);
    expect(standings).toMatchObject({ mode: 'duplicate', matches: 12, hands: 1200, deals: 200, incompleteMatches: 0 });
    expect(standings.pairs.estimator).toBe('duplicate_adjusted');
    for (const { estimates, groups } of standings.players) {
      expect(estimates.duplicate_adjusted?.chips).toMatchObject({ mean: 0, standardError: 0 });
      expect(groups.duplicate_adjusted).toBe(1);
    }
    expect(standings.pairs.better[0]?.[1]).toBe(0.5);
    const singles = [1, 2, 3, 4, 5].flatMap((seed) => dealSet(seed).slice(0, 1));
    const single = computeStandings(singles);
    expect(single.players.some(({ estimates }) => Math.abs(estimates.raw?.chips.mean ?? 0) > 1)).toBe(true);
    expect(single.mode).toBe('classic');
  });

  test('of carried stacks and one hand of reset ones do not tell players apart by that hand', () => {
    const match = (stacks: MatchSums['stacks'], hands: number, won: number): MatchSums => {
      const nets = [won, -won].map((net) => new Array<number>(hands).fill(net));
      const blocks = sumBlocks(nets, null, new Array<number>(hands).fill(10), hands);
      return { seed: `${won}`, players: ['ann', 'bob'], stacks, startingStack: 1000, bigBlind: 10, blocks };
    };
    const { pairs } = computeStandings([match('carry', 20, 5), match('carry', 20, -3), match('reset', 1, 7)]);
    expect([pairs.better[0]?.[1], pairs.significant[0]?.[1]]).toEqual([0.5, false]);
  });

  test('leave an incomplete deal set out of duplicate values and say so', () => {
    const standings = computeStandings([...dealSet(1), ...dealSet(3), ...dealSet(2).slice(0, 4)]);
    expect(standings).toMatchObject({ mode: 'mixed', matches: 16, deals: 200, incompleteMatches: 4 });
    expect(notesOn(standings).join(' ')).toContain('4 matches belong to deal sets that are not complete');
    expect(standings.players[0]?.estimates.duplicate?.hands).toBe(1200);
  });

  test('of one match or one deal set have no estimate, but a note', () => {
    for (const stacks of ['carry', 'reset'] as const) {
      const standings = computeStandings([rotationOf(1, 0, stacks)]);
      expect(standings.players.every(({ estimates }) => estimates.raw === null)).toBe(true);
      expect(standings.pairs.better.flat().every((value) => value === null)).toBe(true);
      expect(notesOn(standings).join(' ')).toContain('6 of 6 players have no interval');
    }
  });

  test('count the rotations of a deal as one observation of raw values too', () => {
    const { players } = computeStandings([1, 2, 3].flatMap((seed) => dealSet(seed)));
    for (const { estimates } of players) expect(estimates.raw?.chips).toEqual(estimates.duplicate?.chips);
  });

  test('stay within what is possible with carried stacks, in chips and big blinds', () => {
    const matches = [1, 2, 3, 4].map((seed) => rotationOf(seed, 0, 'carry'));
    for (const { estimates } of computeStandings(matches).players) {
      expect(estimates.raw?.chips.low).toBeGreaterThanOrEqual(-10_000);
      expect(estimates.raw?.chips.high).toBeLessThanOrEqual(50_000);
      expect(estimates.raw?.bigBlinds.low).toBeGreaterThanOrEqual(-1000);
      expect(estimates.raw?.bigBlinds.high).toBeLessThanOrEqual(5000);
    }
  });

  test('allow for more big blinds than those of the first hand where blinds fall', () => {
    const matches = [1, 2, 3, 4].map((seed): MatchSums => {
      const nets = ids.map((_, seat) => [0, seat === seed ? 50_000 : -10_000]);
      const blocks = sumBlocks(nets, null, [1000, 10], 2);
      const shared = { seed: String(seed), players: ids, stacks: 'carry' as const, startingStack: 10_000 };
      return { ...shared, bigBlind: 1000, lastBigBlind: 10, blocks };
    });
    for (const { estimates } of computeStandings(matches).players) {
      const { mean, low, high } = estimates.raw?.bigBlinds ?? { mean: Number.NaN, low: 0, high: 0 };
      expect(Math.abs(mean)).toBeGreaterThan(20_000);
      expect([low < mean, mean < high, low >= -300_000, high <= 300_000]).toEqual([true, true, true, true]);
    }
  });

  test('show tables of two as a matrix of pairs', () => {
    const duels = [1, 2, 3].map((seed): MatchSums => {
      const blocks = sumBlocks(
        [
          [10, 20],
          [-10, -20],
        ],
        null,
        [10, 10],
        2,
      );
      return { seed: String(seed), players: ['bob', 'ann'], stacks: 'reset', startingStack: 100, bigBlind: 10, blocks };
    });
    const [pair] = computeStandings([...duels, rotationOf(9, 0)]).headsUp;
    expect(pair).toMatchObject({ players: ['ann', 'bob'], hands: 6, mean: -1500, interval: { mean: -1500 } });
  });

  test('without matches or with one player say that nothing can be compared', () => {
    expect(notesOn(computeStandings([]))).toEqual(['No finished matches yet.']);
    const alone = { ...rotationOf(1, 0), players: ids.map(() => 'ann') };
    expect(notesOn(computeStandings([alone])).join(' ')).toContain('Only one player');
  });
});
