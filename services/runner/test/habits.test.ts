import { Action } from '@husky/holdem/action';
import { afterAll, describe, expect, it } from 'vitest';
import { findPython, LocalHost } from '../bench/local-host.ts';
import { bot, faultsOf, type Played, play } from './table.ts';

const local = await LocalHost.start(findPython());
afterAll(() => local.stop());

const tables = [
  ['raise-by-minimum', 'counts-raises', 'gates-on-max-raise', 'raises-to', 'probes-state', 'finds-position'],
  ['min-to-max', 'own-enums', 'cards-by-id', 'float-amounts', 'overwrites-id', 'random-legal'],
  ['raise-by-minimum', 'counts-raises'],
  ['own-enums', 'finds-position'],
];

/** Returns the distinct faults of a seat with their details. */
function mistakesOf({ records }: Played, seat: number): string[] {
  const actions = records.flatMap((record) => record.actions);
  const texts = actions.flatMap(({ seat: actor, fault, detail }) =>
    actor === seat && fault !== undefined ? [`${fault}: ${detail?.replace(/^[A-Z_]+( \d+(\.\d+)?)?: /, '')}`] : [],
  );
  return [...new Set(texts)];
}

// overwrites-id takes the first player's id for its own, so it checks when there is a bet to call, as it did on the original platform.
const checksWrongly = 'illegal: a check while there is a bet to call; return CALL or FOLD';
// In the classic profile min_raise is the current bet. The original platform refused a raise of that amount too.
const raisesTooLittle = 'illegal: a raise that does not exceed the current bet; add at least min_raise';

describe('bots with habits of bots written for the original platform', () => {
  it.each(tables)('have no fault in the documented profile: %s, %s ...', async (...bots) => {
    const played = await play(local, bots, { hands: 80 });
    for (const [seat, name] of bots.entries()) {
      const known = name === 'overwrites-id' ? [checksWrongly] : [];
      expect(known, name).toEqual(expect.arrayContaining(mistakesOf(played, seat)));
    }
  });

  it.each(tables)(
    'have only the faults of the original platform in the classic profile: %s, %s ...',
    async (...bots) => {
      const played = await play(local, bots, { hands: 80, profile: 'classic' });
      for (const [seat, name] of bots.entries()) {
        const known = name === 'overwrites-id' ? [checksWrongly, raisesTooLittle] : [raisesTooLittle];
        expect(known, name).toEqual(expect.arrayContaining(mistakesOf(played, seat)));
      }
    },
  );

  it('may use ids as keys beside ranks of cards, since no id equals a rank', async () => {
    const bots = new Array<string>(6).fill('cards-by-id');
    const played = await play(local, bots, { hands: 120 });
    expect(bots.map((_, seat) => faultsOf(played, seat))).toEqual(bots.map(() => ({})));
    expect(played.reports.map(({ verdict }) => verdict)).toEqual(bots.map(() => ''));
  });

  it('go all-in with a raise by infinity; a raise by NaN is illegal', async () => {
    const infinite = bot('    def get_action(self, s, c): return [PokerAction.RAISE, float("inf")]');
    const nan = bot('    def get_action(self, s, c): return PokerAction.RAISE, float("nan")');
    const played = await play(local, ['trivial', nan, infinite], { hands: 1 });
    expect(played.records[0]?.actions[2]).toMatchObject({ seat: 2, kind: Action.ALL_IN, amount: 10_000 });
    expect(mistakesOf(played, 1)).toEqual([
      expect.stringMatching(/^illegal: the amount must be a number, not NaN; return 0 .* \(line \d+\)$/),
    ]);
    expect(played.reports[1]?.details.notes?.[0]).toContain(
      'hand 1: gave an illegal answer: the amount must be a number, not NaN; ',
    );
  });

  it('check with a raise by a min_raise of 0 in the classic profile', async () => {
    const minimum = bot(
      '    def get_action(self, s, c): return (PokerAction.RAISE if s.round_num else PokerAction.CALL), s.min_raise',
    );
    const played = await play(local, [minimum, 'trivial'], { hands: 3, profile: 'classic' });
    const own = played.records.flatMap(({ actions }) => actions.filter(({ seat, street }) => seat === 0 && street > 0));
    expect(own.length).toBeGreaterThan(5);
    for (const action of own) {
      expect(action).toMatchObject({ kind: Action.CHECK, adjusted: true, detail: 'RAISE: min_raise was 0' });
    }
  });

  it('have an illegal action, not an exception, when get_action returns nothing', async () => {
    const silent = bot('    def get_action(self, s, c): pass');
    const played = await play(local, [silent, 'trivial'], { hands: 2 });
    expect(faultsOf(played, 0)).toEqual({ illegal: 2 });
    expect(mistakesOf(played, 0)[0]).toMatch(/tuple \(PokerAction, amount\), not None; end every path .* \(line 13\)$/);
    expect(played.reports[0]).toMatchObject({ log: '', verdict: 'faults: 2 illegal' });
  });

  it('have their exceptions reported with the line of player.py', async () => {
    const played = await play(local, [bot('    def get_action(self, s, c): return {}[3]'), 'trivial'], { hands: 1 });
    expect(mistakesOf(played, 0)).toEqual([
      'exception: KeyError: 3; use .get(key, default), or look with `in` first (line 13)',
    ]);
  });
});
