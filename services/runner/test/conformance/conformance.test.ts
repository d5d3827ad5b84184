import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findPython } from '../../bench/local-host.ts';
import { type ConformanceCase, formatSuite, makeSuite } from './suite.ts';

const read = (name: string) => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8');
const committed = read('conformance.json');
const { cases } = JSON.parse(committed) as { cases: readonly ConformanceCase[] };

const caseOf = (name: string): ConformanceCase => cases.find((one) => one.name === name) as ConformanceCase;
const methodsOf = (name: string, seat: number): string[] =>
  caseOf(name).seats[seat]?.calls.map(({ method }) => method) ?? [];
const decisionsOf = (name: string): number[] =>
  caseOf(name).seats.map(({ calls }) => calls.filter(({ method }) => method === 'get_action').length);

describe('the conformance suite', () => {
  it('equals what the dealer and the seat generate from its scenarios', async () => {
    expect(`${formatSuite(await makeSuite(findPython()))}\n`).toBe(committed);
  }, 60_000);

  it('has the nine reference hands, three of them in the classic profile too', () => {
    const named = (profile: string) => cases.flatMap((one) => (one.profile === profile ? [one.name] : []));
    expect(named('documented')).toEqual([
      'walk',
      'limped-pot',
      'three-way-all-in',
      'heads-up',
      'bust',
      'dead-small-blind',
      'fold-out',
      'time-out',
      'run-out',
    ]);
    expect(named('classic')).toEqual(['limped-pot', 'three-way-all-in', 'heads-up']);
  });

  it('has the calls of the hand in seat-protocol.json', () => {
    const { dialogues } = JSON.parse(read('seat-protocol.json')) as {
      dialogues: { profile: string; seats: { calls: string[] }[] }[];
    };
    for (const { profile, seats } of dialogues) {
      const same = cases.find((one) => one.name === 'heads-up' && one.profile === profile) as ConformanceCase;
      const calls = same.seats.map((seat) => seat.calls.map((call) => [call.method, ...call.arguments]));
      expect(calls).toEqual(seats.map((seat) => seat.calls.map((call) => JSON.parse(call) as unknown)));
    }
  });

  it('shows in each hand what its description says', () => {
    expect(decisionsOf('walk')).toEqual([1, 0, 1, 1, 1, 1]);
    expect(decisionsOf('limped-pot')).toEqual([4, 4, 4, 4]);
    expect(caseOf('three-way-all-in').hands[1]).toMatchObject({
      stacks: [700, 1400, 900],
      results: [1400, -900, -500],
    });
    // Seat 2 has no chips after hand 1.
    expect(caseOf('bust').hands[1]?.stacks).toEqual([995, 2005, 0]);
    expect(methodsOf('bust', 2).filter((method) => method === 'on_start')).toHaveLength(1);
    expect(methodsOf('bust', 2).at(-1)).toBe('on_end_game');
    const dead = caseOf('dead-small-blind');
    expect(dead.hands[1]).toMatchObject({
      button: 0,
      smallBlindSeat: 1,
      bigBlindSeat: 2,
      stacks: [2000, 0, 1000, 1000],
    });
    expect(dead.hands[1]?.actions[0]).toEqual({ street: 0, seat: 2, action: 'RAISE', amount: 10 });
    const [start] = dead.seats[0]?.calls.filter(({ method }) => method === 'on_start').slice(-1) ?? [];
    expect(start?.arguments.slice(3, 5)).toEqual([dead.seats[2]?.playerId, dead.seats[1]?.playerId]);
    expect(methodsOf('fold-out', 1).filter((method) => method === 'on_end_round')).toHaveLength(3);
    expect(caseOf('fold-out').hands[0]?.results).toEqual([-30, 105, -75, 0]);
    expect(caseOf('time-out').hands[0]?.actions[2]).toMatchObject({ seat: 2, action: 'FOLD', fault: 'timeout' });
    expect(caseOf('time-out').seats[2]?.calls.filter(({ late }) => late)).toHaveLength(1);
    expect(methodsOf('time-out', 2).filter((method) => method === 'set_id')).toHaveLength(2);
    expect(methodsOf('run-out', 1).slice(-9)).toEqual([
      'get_action',
      'on_end_round',
      'on_round_start',
      'on_end_round',
      'on_round_start',
      'on_end_round',
      'on_round_start',
      'on_end_round',
      'on_end_game',
    ]);
  });

  it('has results that sum to zero and replies for all decisions', () => {
    for (const { hands, seats } of cases) {
      for (const { results } of hands) expect(results.reduce((sum, chips) => sum + chips, 0)).toBe(0);
      for (const { calls } of seats) {
        for (const { method, returns } of calls) expect(returns !== undefined).toBe(method === 'get_action');
      }
    }
  });
});
