import { describe, expect, it } from 'vitest';
import { Action } from '../src/action.ts';
import { Table } from '../src/table.ts';
import { deckOf, play, seeded, shuffle } from './play.ts';

const rulesVersion = 2;
const blinds = { bigBlind: 10, multiplier: '1', interval: 100 };

describe('table', () => {
  it('26. a busted player is dealt no further hand, and the match is over when one player holds every chip', () => {
    const table = new Table({ rulesVersion, players: 3, startingStack: 100, blinds });
    const deck = deckOf(['AhAd', '7h2d', 'KhKd'], '3s8c9dJc4s');
    table.finishHand(play(table.startHand(deck), 'f a a'));
    expect(table.stacks).toEqual([200, 0, 100]);
    expect(table.over).toBe(false);
    const second = table.startHand(deck);
    expect(second.dealtIn).toEqual([true, false, true]);
    expect([second.smallBlindSeat, second.bigBlindSeat]).toEqual([0, 2]);
    table.finishHand(play(second, 'a a'));
    expect(table.stacks).toEqual([300, 0, 0]);
    expect(table.over).toBe(true);
    expect(table.handNumber).toBe(2);
    expect(() => table.startHand(deck)).toThrow('one player holds every chip');
  });

  it('with reset stacks deals every hand from the starting stack and never ends; results add up', () => {
    const table = new Table({ rulesVersion, players: 3, startingStack: 100, blinds, stacks: 'reset' });
    const deck = deckOf(['AhAd', '7h2d', 'KhKd'], '3s8c9dJc4s');
    for (const hands of [1, 2, 3, 4, 5, 6]) {
      const hand = table.startHand(deck);
      expect(hand.startStacks).toEqual([100, 100, 100]);
      expect(hand.dealtIn).toEqual([true, true, true]);
      table.finishHand(play(hand, 'a a a'));
      expect(table.stacks).toEqual([100 + 200 * hands, 100 - 100 * hands, 100 - 100 * hands]);
      expect(table.over).toBe(false);
    }
    expect(table.state.bigBlindSeat).toBe(0);
  });

  it.each(['carry', 'reset'] as const)(
    'resumed from its state (%s) deals the same hands as without an interruption',
    (stacks) => {
      const random = seeded(5);
      const deck = Uint8Array.from({ length: 52 }, (_, card) => card);
      const setup = {
        rulesVersion,
        players: 4,
        startingStack: 500,
        stacks,
        blinds: { bigBlind: 10, multiplier: '1.5', interval: 3 },
      };
      const table = new Table(setup);
      let resumed = new Table(setup);
      for (let hand = 0; hand < 40 && !table.over; hand++) {
        shuffle(deck, random);
        const [one, two] = [table.startHand(deck), resumed.startHand(deck)];
        while (!one.over) {
          const kind = random() < 0.1 ? Action.ALL_IN : random() < 0.2 ? Action.FOLD : Action.CALL;
          if (kind === Action.ALL_IN && one.options().maxRaise === 0) one.act(Action.CALL);
          else one.act(kind);
          const played = one.log.at(-1);
          if (played !== undefined) two.act(played.kind);
        }
        table.finishHand(one);
        resumed.finishHand(two);
        expect(two.log).toEqual(one.log);
        resumed = new Table(setup, resumed.state);
        expect(resumed.state).toEqual(table.state);
      }
    },
  );

  it('refuses to book an unfinished hand, another hand, or to deal two at once', () => {
    const table = new Table({ rulesVersion, players: 2, startingStack: 100, blinds });
    const deck = deckOf([], '');
    const hand = table.startHand(deck);
    expect(() => table.startHand(deck)).toThrow('still in play');
    expect(() => table.finishHand(hand)).toThrow('only the finished hand');
    play(hand, 'f');
    expect(() => new Table({ rulesVersion, players: 2, startingStack: 100, blinds }).finishHand(hand)).toThrow(
      'only the finished hand',
    );
  });

  it('refuses a state of another number of players', () => {
    const state = { stacks: [100, 100, 100], handNumber: 4, bigBlindSeat: 2, nextButton: 1 };
    expect(() => new Table({ rulesVersion, players: 2, startingStack: 100, blinds }, state)).toThrow(
      'another number of players',
    );
  });

  it('refuses a bad blind schedule before the first hand', () => {
    const setup = { rulesVersion, players: 2, startingStack: 100, blinds: { ...blinds, interval: 0 } };
    expect(() => new Table(setup)).toThrow('interval');
  });

  it('raises the blinds between hands and keeps states apart from the stacks in play', () => {
    const table = new Table({
      rulesVersion,
      players: 2,
      startingStack: 100,
      blinds: { bigBlind: 10, multiplier: '2', interval: 1 },
    });
    const { state } = table;
    expect(table.blindsOf(1)).toEqual({ small: 5, big: 10 });
    expect(table.blindsOf(2)).toEqual({ small: 10, big: 20 });
    expect(table.blindsOf(1)).toEqual({ small: 5, big: 10 });
    const hand = play(table.startHand(deckOf([], '')), 'f');
    table.finishHand(hand);
    expect(state).toEqual({ stacks: [100, 100], handNumber: 0, bigBlindSeat: null, nextButton: null });
    expect(table.state).toEqual({ stacks: [95, 105], handNumber: 1, bigBlindSeat: 1, nextButton: 0 });
    expect(table.startHand(deckOf([], '')).bigBlind).toBe(20);
    expect(table.chipsInPlay).toBe(200);
  });
});
