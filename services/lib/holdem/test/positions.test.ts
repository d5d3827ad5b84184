import { describe, expect, it } from 'vitest';
import { Hand } from '../src/hand.ts';
import { blindsAfter, type LastBlinds, type Positions, positionsAfter } from '../src/positions.ts';
import { deckOf, play, seeded } from './play.ts';

const start: LastBlinds = { bigBlindSeat: null, nextButton: null };

interface PlacedHand extends Positions {
  readonly live: readonly number[];
}

/** Returns the positions of each hand; `busts` are the seats that lose their last chips in hand 1, 2, ... */
function follow(
  rulesVersion: number,
  players: number,
  busts: readonly (readonly number[])[],
  hands: number,
): PlacedHand[] {
  const stacks = new Array<number>(players).fill(1);
  let last = start;
  return Array.from({ length: hands }, (_, index) => {
    const positions = positionsAfter(stacks, last);
    const live = [...stacks.keys()].filter((seat) => stacks[seat] === 1);
    last = blindsAfter(rulesVersion, positions);
    for (const seat of busts[index] ?? []) stacks[seat] = 0;
    return { ...positions, live };
  });
}

/** Formats hands as button, small blind and big blind; x marks a seat without chips. */
const show = (hands: readonly PlacedHand[]) =>
  hands
    .map(({ button, smallBlindSeat, bigBlindSeat, live }) =>
      [button, smallBlindSeat, bigBlindSeat].map((seat) => `${seat}${live.includes(seat) ? '' : 'x'}`).join(' '),
    )
    .join(', ');

// "Tournament play will use a dead button" (TDA 2019, rule 32): each player posts the big blind and then the small blind once a round. "Heads-
// up, the small blind is the button ... Starting heads-up play, the button may need to be adjusted to ensure no player has the big blind twice
// in a row" (rule 34).
describe('positions under the dead button rule', () => {
  it.each<[string, number, number[][], string]>([
    ['nobody busts', 6, [], '5 0 1, 0 1 2, 1 2 3, 2 3 4, 3 4 5, 4 5 0, 5 0 1'],
    ['the big blind busts', 6, [[1]], '5 0 1, 0 1x 2, 1x 2 3, 2 3 4, 3 4 5, 4 5 0, 5 0 2'],
    ['the small blind busts', 6, [[0]], '5 0 1, 0x 1 2, 1 2 3, 2 3 4, 3 4 5, 4 5 1'],
    ['the button busts', 6, [[5]], '5 0 1, 0 1 2, 1 2 3, 2 3 4, 3 4 0, 4 0 1'],
    ['the next big blind busts', 6, [[2]], '5 0 1, 0 1 3, 1 3 4, 3 4 5, 4 5 0, 5 0 1'],
    ['both blinds bust', 6, [[0, 1]], '5 0 1, 0x 1x 2, 1x 2 3, 2 3 4, 3 4 5, 4 5 2'],
    ['button and small blind bust', 6, [[5, 0]], '5 0 1, 0x 1 2, 1 2 3, 2 3 4, 3 4 1'],
    ['button and big blind bust', 6, [[5, 1]], '5 0 1, 0 1x 2, 1x 2 3, 2 3 4, 3 4 0, 4 0 2'],
    ['button and both blinds bust', 6, [[5, 0, 1]], '5 0 1, 0x 1x 2, 1x 2 3, 2 3 4, 3 4 2, 4 2 3'],
    ['the big blind and the next one bust', 6, [[1, 2]], '5 0 1, 0 1x 3, 1x 3 4, 3 4 5, 4 5 0, 5 0 3'],
    ['two big blinds bust in a row', 6, [[1], [2]], '5 0 1, 0 1x 2, 1x 2x 3, 2x 3 4, 3 4 5, 4 5 0'],
    ['the small blind busts after a dead one', 6, [[1], [], [2]], '5 0 1, 0 1x 2, 1x 2 3, 2x 3 4, 3 4 5'],
    [
      'the last seat busts on the big blind',
      6,
      [[], [], [], [], [5]],
      '5 0 1, 0 1 2, 1 2 3, 2 3 4, 3 4 5, 4 5x 0, 5x 0 1',
    ],
    ['the big blind busts, five players', 5, [[1]], '4 0 1, 0 1x 2, 1x 2 3, 2 3 4, 3 4 0, 4 0 2'],
    ['the small blind busts, five players', 5, [[0]], '4 0 1, 0x 1 2, 1 2 3, 2 3 4, 3 4 1'],
    ['the button busts, five players', 5, [[4]], '4 0 1, 0 1 2, 1 2 3, 2 3 0, 3 0 1'],
    ['the big blind busts, four players', 4, [[1]], '3 0 1, 0 1x 2, 1x 2 3, 2 3 0, 3 0 2'],
    ['the small blind busts, four players', 4, [[0]], '3 0 1, 0x 1 2, 1 2 3, 2 3 1'],
    ['the button busts, four players', 4, [[3]], '3 0 1, 0 1 2, 1 2 0, 2 0 1'],
    ['heads-up after the big blind busts', 3, [[1]], '2 0 1, 0 0 2, 2 2 0, 0 0 2'],
    ['heads-up after the small blind busts', 3, [[0]], '2 0 1, 1 1 2, 2 2 1'],
    ['heads-up after the button busts', 3, [[2]], '2 0 1, 1 1 0, 0 0 1'],
    ['heads-up after both blinds bust', 4, [[0, 1]], '3 0 1, 3 3 2, 2 2 3'],
    ['heads-up after all but the blinds bust', 6, [[2, 3, 4, 5]], '5 0 1, 1 1 0, 0 0 1'],
    ['heads-up after three bust at once', 5, [[0, 1, 3]], '4 0 1, 4 4 2, 2 2 4'],
    ['heads-up after a dead small blind', 4, [[1], [2]], '3 0 1, 0 1x 2, 0 0 3, 3 3 0'],
    ['heads-up after a dead button', 4, [[1], [], [3]], '3 0 1, 0 1x 2, 1x 2 3, 2 2 0, 0 0 2'],
    ['heads-up from the start', 2, [], '0 0 1, 1 1 0, 0 0 1'],
  ])('when %s (%i players)', (_, players, busts, expected) => {
    expect(show(follow(2, players, busts, expected.split(', ').length))).toBe(expected);
  });

  /** Draws a match of up to 40 hands, in which up to three players bust at once. */
  const drawMatch = (seed: number, rulesVersion: number) => {
    const random = seeded(seed * 7919);
    const players = 2 + (seed % 5);
    const live = Array.from({ length: players }, (_, seat) => seat);
    const busts = Array.from({ length: 40 }, () => {
      const out: number[] = [];
      for (const chance of [0.25, 0.3, 0.3]) {
        if (live.length > 2 && random() < chance) out.push(...live.splice(Math.floor(random() * live.length), 1));
      }
      return out;
    });
    return { players, hands: follow(rulesVersion, players, busts, 40) };
  };

  /** Returns the first rule that a match breaks. */
  function brokenRule({ players, hands }: ReturnType<typeof drawMatch>): string | null {
    /** By seat: small blinds since the seat's last big blind, and the big blinds of others since then. */
    const paid = Array.from({ length: players }, () => ({ small: 0, others: new Set<number>() }));
    const posted = new Set<number>();
    for (const [index, { live, button, smallBlindSeat, bigBlindSeat }] of hands.entries()) {
      const before = hands[index - 1];
      if (!live.includes(bigBlindSeat)) return 'the big blind is a player';
      if (live.includes(smallBlindSeat)) {
        const own = paid[smallBlindSeat];
        // At the start of heads-up the button can have posted the small blind already (rule 34).
        if (own !== undefined && ++own.small > 1 && live.length > 2)
          return 'nobody posts two small blinds between two big blinds';
      }
      const own = paid[bigBlindSeat];
      if (before !== undefined && own !== undefined) {
        if (before.bigBlindSeat === bigBlindSeat) return 'nobody posts the big blind twice in a row';
        if (posted.has(bigBlindSeat) && live.some((seat) => seat !== bigBlindSeat && !own.others.has(seat)))
          return 'everybody else posts the big blind before it returns';
        for (let seat = (before.bigBlindSeat + 1) % players; seat !== bigBlindSeat; seat = (seat + 1) % players)
          if (live.includes(seat)) return 'the big blind moves to the next player';
        if (live.length > 2 && smallBlindSeat !== before.bigBlindSeat)
          return 'the small blind is where the big blind was';
        if (live.length > 2 && button !== before.smallBlindSeat) return 'the button is where the small blind was';
      }
      if (live.length === 2 && button !== smallBlindSeat) return 'heads-up the button is the small blind';
      posted.add(bigBlindSeat);
      paid[bigBlindSeat] = { small: 0, others: new Set() };
      for (const [seat, { others }] of paid.entries()) if (seat !== bigBlindSeat) others.add(bigBlindSeat);
    }
    return null;
  }

  it('in 3,000 random matches the big blind passes from player to player, and the small blind follows it once', () => {
    for (let seed = 1; seed <= 3000; seed++) expect(brokenRule(drawMatch(seed, 2)), `match ${seed}`).toBeNull();
  });

  it('under rules 1 a player can post the small blind twice, as in the matches stored with them', () => {
    expect(show(follow(1, 6, [[1]], 4))).toBe('5 0 1, 5 0 2, 0 2 3, 2 3 4');
    expect(show(follow(1, 6, [[0]], 3))).toBe('5 0 1, 5 1 2, 1 2 3');
    const broken = Array.from({ length: 200 }, (_, seed) => brokenRule(drawMatch(seed + 1, 1)));
    expect(new Set(broken)).toContain('nobody posts two small blinds between two big blinds');
  });
});

describe('a hand with a dead position', () => {
  const setup = { stacks: [1000, 0, 1000, 1000], smallBlind: 5, bigBlind: 10 };
  const holes = ['AhAd', '', 'AcAs', '7h2d'];
  const deck = deckOf(holes, 'Ks9h8d4c3s');

  it('has no small blind in its log if that is dead; the first player left of the button begins after the flop', () => {
    const hand = new Hand({ ...setup, button: 0, smallBlindSeat: 1, bigBlindSeat: 2, deck });
    expect(hand.posts).toBe(1);
    expect(hand.log).toMatchObject([{ seat: 2, amount: 10 }]);
    expect(hand.toAct).toEqual([3, 0, 2]);
    play(hand, 'c c');
    expect(hand.options()).toEqual({ toCall: 0, canCheck: true, minRaise: 10, maxRaise: 990 });
    play(hand, 'k');
    expect([hand.pot, hand.toAct]).toEqual([30, [2, 3, 0]]);
  });

  it('walks to the big blind when everybody folds after a dead small blind', () => {
    const hand = play(new Hand({ ...setup, button: 0, smallBlindSeat: 1, bigBlindSeat: 2, deck }), 'f f');
    expect([hand.over, hand.deltas, hand.returned]).toEqual([true, [0, 0, 0, 0], [0, 0, 10, 0]]);
  });

  it('pays odd chips and begins a street from a dead button', () => {
    const hand = new Hand({ ...setup, button: 1, smallBlindSeat: 2, bigBlindSeat: 3, deck });
    expect(hand.log).toMatchObject([
      { seat: 2, amount: 5 },
      { seat: 3, amount: 10 },
    ]);
    play(hand, 'r25 c c');
    expect(hand.toAct).toEqual([2, 3, 0]);
    play(hand, 'k k k k k k k k k');
    // 75 chips for the aces of seats 0 and 2: the odd one goes to seat 2, the first left of the button.
    expect(hand.winnings).toEqual([37, 0, 38, 0]);
  });

  it('calls and raises over the whole big blind when that is posted short and the small blind is dead', () => {
    const stacks = [1000, 0, 4, 1000];
    const hand = new Hand({ ...setup, stacks, button: 0, smallBlindSeat: 1, bigBlindSeat: 2, deck });
    expect(hand.options()).toEqual({ toCall: 10, canCheck: false, minRaise: 20, maxRaise: 1000 });
    play(hand, 'c f');
    expect([hand.over, hand.returned]).toEqual([true, [0, 0, 0, 6]]);
  });
});
