import { commitmentOf, publicInput } from '@husky/match/commitment';
import type { GameData } from '@husky/match/game-data';
import { gameJson } from '@husky/match/game-json';
import { showControls } from '@husky/match/plain-text';
import { publishedHandOf } from '@husky/match/published-hand';
import { RULES_VERSION } from '@husky/match/rules-version';
import { MatchVerifier } from '@husky/match/verify-match';
import { describe, expect, test } from 'vitest';
import { playMatch } from '../../test/play.ts';
import { matchOf, newMatch } from '../../test/simulation.ts';
import { playedHands, readChunk } from './record.ts';
import { splitLosses, sumResults } from './results.ts';
import { limitDetails, packLog, seatLogBytes, unpackLog } from './seat-report.ts';
import { HandRate, packSeries, unpackSeries } from './series.ts';

describe('published match', () => {
  test.each([
    ['with faults', 6, false, 'carry'],
    ['in which players lose all chips', 6, true, 'carry'],
    ['whose stacks are reset for each hand', 6, true, 'reset'],
    ['of two players', 2, true, 'carry'],
  ] as const)('anybody can verify the game data of a match %s', (_, players, wild, stacks) => {
    const match = newMatch({ numRounds: 300, playerIds: newMatch().playerIds.slice(0, players), stacks });
    const { numRounds: hands, blinds, playerIds, seed, jobId } = match;
    const play = playMatch(match, { wild });
    const facts = {
      hands,
      blinds,
      seed,
      stacks,
      rulesVersion: RULES_VERSION,
      startingStack: 10_000,
      profile: 'documented',
      roster: playerIds.map((userId) => ({ userId, botHash: '', packagesHash: '' })),
    };
    const verifier = new MatchVerifier({
      jobId,
      commitment: commitmentOf(facts),
      publicInput: publicInput(facts),
      seed: seed.toString('hex'),
      record: null,
      seedProof: null,
    });
    let number = 0;
    for (const { bytes } of play.chunks) {
      for (const hand of playedHands(matchOf(match), readChunk(bytes), () => false)) {
        number += 1;
        verifier.verifyHand(publishedHandOf(JSON.parse(gameJson(jobId, hand)) as GameData, number));
      }
    }
    expect(verifier.finish().hands).toBe(play.records.length);
  });
});

describe('results', () => {
  const match = (deltas: Record<string, number>, hands = 1000) => ({ hands, deltas: new Map(Object.entries(deltas)) });

  test('splits every loss among the winners of a match in proportion to their wins', () => {
    expect(splitLosses(new Map(Object.entries({ ann: 300, ben: 100, cas: -200, dan: -200 })))).toEqual([
      { winner: 'ann', loser: 'cas', chips: 150 },
      { winner: 'ann', loser: 'dan', chips: 150 },
      { winner: 'ben', loser: 'cas', chips: 50 },
      { winner: 'ben', loser: 'dan', chips: 50 },
    ]);
    expect(splitLosses(new Map([['ann', 0]]))).toEqual([]);
  });

  test("keeps each player's sum exact where shares are not whole chips", async () => {
    const { players } = await sumResults([
      match({ a: 7, b: 5, c: -3, d: -4, e: -5 }),
      match({ a: -11, b: 4, c: 1, d: 1, e: 5 }),
    ]);
    for (const { delta, wonFrom } of players) expect(wonFrom.reduce((sum, chips) => sum + chips, 0)).toBe(delta);
    for (const [row, { wonFrom }] of players.entries()) {
      for (const [column, chips] of wonFrom.entries()) expect(chips + (players[column]?.wonFrom[row] ?? 0)).toBe(0);
    }
  });

  test('sums deltas, wins and curves in the order of the matches, best player first', async () => {
    const results = await sumResults([match({ a: -10, b: 10 }), match({ a: 30, b: -30 }, 5), match({ b: 0, c: 0 })]);
    expect(results).toMatchObject({ matches: 3, hands: 2005, points: [0, 1, 2, 3] });
    expect(results.players).toEqual([
      {
        userId: 'a',
        delta: 20,
        matches: 2,
        wins: 1,
        curve: [0, -10, 20, 20],
        wonFrom: [0, 0, 20],
        ahead: [0, 0, 1],
        shared: [0, 0, 2],
      },
      {
        userId: 'c',
        delta: 0,
        matches: 1,
        wins: 0,
        curve: [0, 0, 0, 0],
        wonFrom: [0, 0, 0],
        ahead: [0, 0, 0],
        shared: [0, 0, 1],
      },
      {
        userId: 'b',
        delta: -20,
        matches: 3,
        wins: 1,
        curve: [0, 10, -20, -20],
        wonFrom: [-20, 0, 0],
        ahead: [1, 0, 0],
        shared: [2, 1, 0],
      },
    ]);
  });

  test('bounds the points of a curve and keeps the first and the last', async () => {
    const { points, players } = await sumResults(Array.from({ length: 1716 }, () => match({ a: 1, b: -1 })));
    expect(points.length).toBeLessThanOrEqual(301);
    expect([points[0], points.at(-1)]).toEqual([0, 1716]);
    expect(players[0]?.curve).toEqual(points);
  });

  test('reports requested players only, also those without a match', async () => {
    expect((await sumResults([match({ a: 5, b: -5 })], ['b'])).players).toMatchObject([
      { userId: 'b', delta: -5, wonFrom: [0] },
    ]);
    expect(await sumResults([], ['a'])).toMatchObject({ matches: 0, points: [0], players: [{ delta: 0, curve: [0] }] });
  });
});

describe('seat report', () => {
  test('unpacks a packed log unchanged, including umlauts and zero bytes', () => {
    const log = 'Größe \u0000 ♠\n'.repeat(50);
    expect(unpackLog(packLog(log))).toBe(log);
  });

  test('shows control characters of a log as escapes, and line ends of other systems as line ends', () => {
    expect(showControls('a\r\nb\tc\n\u001b[2J\rx\u0000\u007f\u009b\u202e\u2028é♠')).toBe(
      'a\nb\tc\n\\x1b[2J\\x0dx\\x00\\x7f\\x9b\\u202e\\u2028é♠',
    );
  });

  test('keeps the platform’s notes to one line each', () => {
    const details = { outKind: '', outText: '', failedCalls: [], times: null, bankMs: 0, bankUsedMs: 0 };
    const { notes } = limitDetails({ ...details, notes: ['hand 1: a\nhand 2: b', ...Array(99).fill('x')] });
    expect([notes.length, notes[0]]).toEqual([60, 'hand 1: a hand 2: b']);
  });

  test('keeps the beginning and the end of a log over 64 KiB', () => {
    const log = `first line\n${'x'.repeat(200_000)}\nlast line`;
    const kept = unpackLog(packLog(log));
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(seatLogBytes);
    expect(kept.startsWith('first line')).toBe(true);
    expect(kept.endsWith('last line')).toBe(true);
    expect(kept).toContain('[… cut …]');
  });
});

describe('series', () => {
  test('unpacks a packed series unchanged', () => {
    const series = [
      [10, -5, 0, 2_000_000_000],
      [-10, 5, 0, -2_000_000_000],
    ];
    expect(unpackSeries(packSeries(series))).toEqual(series);
  });

  test('packs one empty series per seat for a match without hands', () => {
    expect(unpackSeries(packSeries([[], [], []]))).toEqual([[], [], []]);
  });

  test('packs a thousand small steps of six seats into less than 12 bytes per hand', () => {
    const series = Array.from({ length: 6 }, (_, seat) => {
      let sum = 0;
      return Array.from({ length: 1000 }, (_, hand) => {
        sum += ((hand * 7919 + seat * 104_729) % 401) - 200;
        return sum;
      });
    });
    expect(packSeries(series).length).toBeLessThan(12_000);
  });

  test('computes the speed of the last seconds instead of the whole match', () => {
    const rate = new HandRate(0, 5000);
    rate.add(10_000, 10);
    for (let second = 11; second <= 20; second++) rate.add(second * 1000, 10 + (second - 10) * 100);
    expect(rate.handsPerSecond).toBeCloseTo(100);
    expect(rate.secondsLeft(1510)).toBeCloseTo(5);
  });

  test('reports no speed and no time left before the first hand', () => {
    const rate = new HandRate(1000);
    rate.add(2000, 0);
    expect(rate.handsPerSecond).toBe(0);
    expect(rate.secondsLeft(1000)).toBe(0);
  });
});
