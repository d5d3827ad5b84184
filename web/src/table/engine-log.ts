import { Action, actionNames } from '@husky/holdem/action';
import { cardCode } from '@husky/holdem/card';
import type { Hand } from '@husky/holdem/hand';
import { layerPots } from '@husky/holdem/pots';
import { Table } from '@husky/holdem/table';

/** Creates a seeded generator of numbers in [0, 1) for tests (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffledDeck(random: () => number): number[] {
  const deck = Array.from({ length: 52 }, (_, card) => card);
  for (let index = deck.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [deck[index], deck[other]] = [deck[other] as number, deck[index] as number];
  }
  return deck;
}

function actRandomly(hand: Hand, random: () => number): void {
  const { toCall, canCheck, minRaise, maxRaise } = hand.options();
  const choice = random();
  if (choice < 0.03) hand.act(Action.ALL_IN);
  else if (choice < 0.22 && minRaise > 0 && minRaise < maxRaise)
    hand.act(Action.RAISE, Math.min(maxRaise - 1, Math.ceil(minRaise * (1 + 3 * random()))));
  else if (canCheck) hand.act(Action.CHECK);
  else if (choice < 0.45) hand.act(Action.FOLD);
  else hand.act(toCall >= (hand.stacks[hand.actor ?? 0] ?? 0) ? Action.ALL_IN : Action.CALL, toCall);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function roundsOf(hand: Hand): Record<string, object> {
  const totals = hand.startStacks.map(() => 0);
  const live = [...hand.dealtIn];
  return Object.fromEntries(
    Array.from({ length: Math.max(1, hand.board.length - 1) }, (_, street) => {
      const bets = hand.startStacks.map(() => 0);
      const sequence = hand.log
        .filter((entry) => entry.street === street)
        .map((entry) => {
          bets[entry.seat] = (bets[entry.seat] ?? 0) + entry.amount;
          totals[entry.seat] = (totals[entry.seat] ?? 0) + entry.amount;
          if (entry.kind === Action.FOLD) live[entry.seat] = false;
          const pots = layerPots(totals, live).map((pot, id) => ({
            id,
            amount: pot.amount,
            eligible_players: pot.eligible.map((seat) => seat + 1),
          }));
          return {
            player: entry.seat,
            action: actionNames[entry.kind],
            amount: entry.amount,
            timestamp: 1_754_788_302_000,
            pot_after_action: sum(bets),
            total_pot_after_action: sum(totals),
            total_side_pots_after_action: pots,
          };
        });
      return [street, { pot: sum(bets), bets: { ...bets }, action_sequence: sequence }];
    }),
  );
}

function logOf(hand: Hand, names: readonly string[]): object {
  const byId = (values: readonly number[]) => Object.fromEntries(values.map((value, seat) => [seat + 1, value]));
  const dealt = names.flatMap((_, seat) => (hand.dealtIn[seat] ? [seat] : []));
  return {
    gameId: 'engine',
    rounds: roundsOf(hand),
    playerNames: Object.fromEntries(names.map((name, seat) => [seat, name])),
    blinds: { small: hand.smallBlind, big: hand.bigBlind },
    finalBoard: hand.board.map(cardCode),
    playerMoney: {
      initialAmount: 10_000,
      startingMoney: byId(hand.startStacks),
      finalMoney: byId(hand.stacks),
      thisGameDelta: byId(hand.deltas),
    },
    playerHands: Object.fromEntries(dealt.map((seat) => [seat, hand.holeCards(seat).map(cardCode)])),
    button: hand.button,
    smallBlindSeat: hand.posts === 2 ? hand.smallBlindSeat : null,
    bigBlindSeat: hand.bigBlindSeat,
  };
}

/** Plays a match of random actions on our own engine and returns the logs of its hands; for tests. */
export function engineLogs(players: number, hands: number, seed: number, names?: string[]): object[] {
  const random = seededRandom(seed);
  const blinds = { bigBlind: 10, multiplier: 2, interval: 20 };
  const table = new Table({ rulesVersion: 2, players, startingStack: 10_000, blinds });
  const seats = names ?? Array.from({ length: players }, (_, seat) => `bot-${seat}`);
  const logs: object[] = [];
  while (logs.length < hands && !table.over) {
    const hand = table.startHand(shuffledDeck(random));
    while (!hand.over) actRandomly(hand, random);
    table.finishHand(hand);
    logs.push(logOf(hand, seats));
  }
  return logs;
}
