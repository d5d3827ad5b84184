import { describe, expect, it } from 'vitest';
import { Action } from '../src/action.ts';
import { deal, play, potSizes } from './play.ts';

const dry = 'Ks3h9dJc4s';

describe('scenarios of pots (SB 5, BB 10, seats clockwise from the small blind)', () => {
  it('9. a small blind posted short wins the main pot alone', () => {
    const hand = deal({ stacks: [3, 1000, 1000], hands: ['AhAd', '7h6h', 'KhKd'], board: '2s3h9dJc4s' });
    expect(hand.log[0]).toEqual({ street: 0, seat: 0, kind: Action.ALL_IN, amount: 3, adjusted: false });
    play(hand, 'c k k k k k k k');
    expect(potSizes(hand)).toEqual([9, 14]);
    expect(hand.deltas).toEqual([6, -10, 4]);
  });

  it('10. a big blind posted short leaves the bet to call at 10', () => {
    const hand = deal({ stacks: [1000, 4, 1000], hands: ['7h6h', 'AhAd', 'KhKd'], board: '2s3h9dJc4s' });
    expect(hand.log[1]).toMatchObject({ kind: Action.ALL_IN, amount: 4 });
    expect(hand.options()).toEqual({ toCall: 10, canCheck: false, minRaise: 20, maxRaise: 1000 });
    play(hand, 'c c k k k k k k');
    expect(potSizes(hand)).toEqual([12, 12]);
    expect(hand.deltas).toEqual([-10, 8, 2]);
  });

  it('11. when the button folds, the small blind gets 1 back and plays 4 against 4', () => {
    const win = play(deal({ stacks: [1000, 4, 1000], hands: ['7h6h', 'AhAd', ''], board: '2s3h9dJc4s' }), 'f');
    expect(win.over).toBe(true);
    expect(win.returned).toEqual([1, 0, 0]);
    expect(win.board).toHaveLength(5);
    expect(win.deltas).toEqual([-4, 4, 0]);
    const lose = play(deal({ stacks: [1000, 4, 1000], hands: ['AhAd', '7h6h', ''], board: '2s3h9dJc4s' }), 'f');
    expect(lose.deltas).toEqual([4, -4, 0]);
  });

  it('11. a small blind that has put in more than all players all-in against it does not act and gets the rest back', () => {
    const hand = play(
      deal({ stacks: [1000, 4, 3, 1000], hands: ['QhQd', 'AhAd', 'KhKd', ''], board: '2s3h9dJc4s' }),
      'a f',
    );
    expect(hand.over).toBe(true);
    expect(hand.returned).toEqual([1, 0, 0, 0]);
    expect(hand.pots()).toEqual([
      { amount: 9, eligible: [0, 1, 2] },
      { amount: 2, eligible: [0, 1] },
    ]);
    expect(hand.deltas).toEqual([-4, 7, -3, 0]);
  });

  it('12. four pots with a tie: the odd chip goes to the stack of 75', () => {
    const hand = deal({
      stacks: [400, 400, 25, 75, 150],
      hands: ['QhQd', '7h6h', '2s2d', 'AsKd', 'AhKc'],
      board: dry,
    });
    play(hand, 'a a a a a');
    expect(potSizes(hand)).toEqual([125, 200, 225, 500]);
    expect(hand.pots()[0]?.eligible).toEqual([0, 1, 2, 3, 4]);
    expect(hand.deltas).toEqual([100, -400, -25, 88, 237]);
  });

  it('13. all-ins of 25, 75 and 150 and a call: the caller with the best hand takes all pots', () => {
    const hand = deal({
      stacks: [25, 75, 150, 1000],
      hands: ['2h2d', '5h5d', '8h8d', 'AhAd'],
      board: dry,
    });
    play(hand, 'a c a a');
    expect(potSizes(hand)).toEqual([100, 150, 150]);
    expect(hand.deltas).toEqual([-25, -75, -150, 250]);
  });

  it('14. all-ins of 30, 60, 90 and 90, the shortest the strongest', () => {
    const hand = deal({
      stacks: [30, 60, 90, 90],
      hands: ['AhAd', 'QhQd', 'ThTd', '5h5d'],
      board: dry,
    });
    play(hand, 'a a a a');
    expect(potSizes(hand)).toEqual([120, 90, 60]);
    expect(hand.deltas).toEqual([90, 30, -30, -90]);
  });

  it.each(['the big stack first', 'the short stack first'])(
    '15. 24,786 against 7,748, %s: the loser loses 7,748',
    (order) => {
      const bigFirst = order.startsWith('the big');
      const stacks = bigFirst ? [24_786, 7_748] : [7_748, 24_786];
      const hands = bigFirst ? ['7h6h', 'AhAd'] : ['AhAd', '7h6h'];
      const hand = play(deal({ stacks, hands, board: '2s3h9dJc4s' }), 'a a');
      expect(hand.deltas).toEqual(bigFirst ? [-7_748, 7_748] : [7_748, -7_748]);
      expect(hand.returned).toEqual(bigFirst ? [17_038, 0] : [0, 17_038]);
    },
  );

  it('16. a player who bets 100 and is called by all-ins of 50 and 60 acts no more and gets 40 back', () => {
    const stacks = [50, 60, 1000];
    const worst = play(deal({ stacks, hands: ['KhKd', 'QhQd', '7h6h'], board: '2s3h9dJc4s' }), 'r100 a a');
    expect(worst.over).toBe(true);
    expect(worst.deltas).toEqual([100, -40, -60]);
    const best = play(deal({ stacks, hands: ['KhKd', 'QhQd', 'AhAd'], board: '2s3h9dJc4s' }), 'r100 a a');
    expect(best.deltas).toEqual([-50, -60, 110]);
  });

  it('17. a shove of 10,000 called by an all-in of 100, the big blind folds', () => {
    const stacks = [100, 10_000, 10_000];
    const best = play(deal({ stacks, hands: ['KhKd', '', 'AhAd'], board: '2s3h9dJc4s' }), 'a a f');
    expect(best.deltas).toEqual([-100, -10, 110]);
    const worst = play(deal({ stacks, hands: ['KhKd', '', '7h6h'], board: '2s3h9dJc4s' }), 'a a f');
    expect(worst.deltas).toEqual([110, -10, -100]);
  });

  it('18. chips of a player who folded on the flop are in the split pot: 75 as 38 and 37', () => {
    const hand = deal({ stacks: [1000, 1000, 1000], hands: ['AhKd', 'AdKh', '7h6h'], board: 'AsKs9d3c4s' });
    play(hand, 'r25 c c k k f k k k k');
    expect(potSizes(hand)).toEqual([75]);
    expect(hand.deltas).toEqual([13, 12, -25]);
  });

  it('19. the odd chip of 25 goes to the big blind, the first winner clockwise from the button', () => {
    const hand = deal({ stacks: [1000, 1000, 1000], hands: ['7h6h', 'AhKd', 'AdKh'], board: 'AsKs9d3c4s' });
    play(hand, 'c f k k k k k k k');
    expect(hand.winnings).toEqual([0, 13, 12]);
    expect(hand.deltas).toEqual([-5, 3, 2]);
  });

  it('19. 104 three ways is 35, 35 and 34 clockwise from the button', () => {
    const hand = deal({
      stacks: [1000, 33, 33, 33],
      hands: ['7h6h', '2h2d', '2c2s', '3h3d'],
      board: 'AhKhQhJhTh',
    });
    play(hand, 'a a f a');
    expect(hand.winnings).toEqual([0, 35, 35, 34]);
  });

  it('19. every pot has its own odd chip', () => {
    // Main pot 3 x 7 + 0, side pot 2 x 6 + 5 of the folded small blind: 26 = 9, 9, 8 and 17 = 9, 8.
    const hand = deal({
      stacks: [1000, 7, 13, 13],
      hands: ['7h6h', '2h2d', '2c2s', '3h3d'],
      board: 'AhKhQhJhTh',
    });
    play(hand, 'a a f');
    expect(potSizes(hand)).toEqual([26, 12]);
    expect(hand.winnings).toEqual([0, 9, 9 + 6, 8 + 6]);
  });

  it('20. when the board is the best hand of everybody, nobody wins or loses', () => {
    const stacks = [1000, 1000, 1000, 1000, 1000, 1000];
    const hand = play(deal({ stacks, board: 'AhKhQhJhTh' }), 'c c c c c k k k k k k k k k k k k k k k k k k k');
    expect(hand.over).toBe(true);
    expect(hand.deltas).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('no chip is lost when all but one of a side pot’s players fold', () => {
    const hand = deal({ stacks: [50, 1000, 1000], hands: ['AhAd', 'KhKd', 'QhQd'], board: '2s3h9dJc4s' });
    play(hand, 'r100 a c r20 f');
    expect(hand.over).toBe(true);
    expect(potSizes(hand)).toEqual([150, 100]);
    expect(hand.returned).toEqual([0, 20, 0]);
    expect(hand.deltas).toEqual([100, 0, -100]);
  });

  it('the pots of a street contain bets that are not called yet; a street without bets has one empty pot', () => {
    const hand = deal({ stacks: [1000, 1000, 1000] });
    expect(hand.streetPots()).toEqual([
      { amount: 10, eligible: [0, 1] },
      { amount: 5, eligible: [1] },
    ]);
    play(hand, 'c c k');
    expect(hand.streetPots()).toEqual([{ amount: 0, eligible: [0, 1, 2] }]);
    expect(hand.pots()).toEqual([{ amount: 30, eligible: [0, 1, 2] }]);
  });
});
