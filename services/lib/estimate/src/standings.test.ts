import { describe, expect, test } from 'vitest';
import { packBlockSums, sumBlocks, unpackBlockSums } from './match-sums.ts';
import { seededRandom } from './random.ts';
import { computeStandings, type MatchSums, notesOn } from './standings.ts';

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
  return { seed: String(seed), players, stacks, blocks: unpackBlockSums(packBlockSums(blocks)) };
}

const dealSet = (seed: number) => ids.map((_, rotation) => rotationOf(seed, rotation));

describe('standings', () => {
  test('of a deal set between equal players are exactly equal, while raw results of one match are not', () => {
    const standings = computeStandings(dealSet(1));
    expect(standings).toMatchObject({ mode: 'duplicate', matches: 6, hands: 600, deals: 100, incompleteMatches: 0 });
    expect(standings.pairs.estimator).toBe('duplicate_adjusted');
    for (const { estimates, groups } of standings.players) {
      expect(estimates.duplicate_adjusted?.chips).toMatchObject({ mean: 0, standardError: 0 });
      expect(groups.duplicate_adjusted).toBe(1);
    }
    expect(standings.pairs.better[0]?.[1]).toBe(0.5);
    const [first] = dealSet(1);
    const single = computeStandings(first === undefined ? [] : [first]);
    expect(single.players.some(({ estimates }) => Math.abs(estimates.raw?.chips.mean ?? 0) > 1)).toBe(true);
    expect(single.mode).toBe('classic');
  });

  test('leave an incomplete deal set out of duplicate values and say so', () => {
    const standings = computeStandings([...dealSet(1), ...dealSet(2).slice(0, 4)]);
    expect(standings).toMatchObject({ mode: 'mixed', matches: 10, deals: 100, incompleteMatches: 4 });
    expect(notesOn(standings).join(' ')).toContain('4 matches belong to deal sets that are not complete');
    expect(standings.players[0]?.estimates.duplicate?.hands).toBe(600);
  });

  test('of few matches with carried stacks have no estimate, but a note', () => {
    const standings = computeStandings([rotationOf(1, 0, 'carry'), rotationOf(2, 0, 'carry')]);
    expect(standings.players.every(({ estimates }) => estimates.raw === null)).toBe(true);
    expect(standings.pairs.better.flat().every((value) => value === null)).toBe(true);
    expect(notesOn(standings).join(' ')).toContain('6 of 6 players have too few matches');
  });

  test('without matches or with one player say that nothing can be compared', () => {
    expect(notesOn(computeStandings([]))).toEqual(['No finished matches yet.']);
    const alone = { ...rotationOf(1, 0), players: ids.map(() => 'ann') };
    expect(notesOn(computeStandings([alone])).join(' ')).toContain('Only one player');
  });
});
