// Random hands, determined by their ids: equal ids give equal hands on every machine.
import { Action, type ActionKind, actionNames } from '@husky/holdem/action';
import { blindsAt, type HandSetup } from '@husky/holdem/blinds';
import { cardCode, parseCards } from '@husky/holdem/card';
import { adjudicate, Hand } from '@husky/holdem/hand';
import { blindsAfter, type LastBlinds, positionsAfter } from '@husky/holdem/positions';
import type { Pot } from '@husky/holdem/pots';

/** Identifies a random hand. `actions`: number of random actions, then passive play. `without`: seats left empty. */
export interface HandId {
  readonly seed: number;
  readonly number: number;
  readonly actions: number;
  readonly without: readonly number[];
}

/** An action, with the legal actions before it and the pots after it. */
export interface Step {
  readonly seat: number;
  readonly toCall: number;
  readonly canCheck: boolean;
  readonly minRaise: number;
  readonly maxRaise: number;
  readonly kind: number;
  readonly amount: number;
  /** Number of board cards before the action. */
  readonly board: number;
  readonly pots: readonly Pot[];
  /** True for the last action of the hand. */
  readonly over: boolean;
}

/** A hand as the engine played it. */
export interface PlayedHand {
  readonly id: string;
  /** Seats with chips in each hand of the match so far, this one last. */
  readonly dealtIn: readonly (readonly number[])[];
  readonly stacks: readonly number[];
  readonly button: number;
  readonly smallBlindSeat: number;
  readonly bigBlindSeat: number;
  readonly blinds: readonly [number, number];
  readonly deck: string;
  readonly steps: readonly Step[];
  readonly pots: readonly Pot[];
  readonly boardCards: number;
  readonly winnings: readonly number[];
  readonly deltas: readonly number[];
}

type Random = () => number;

/** Formats an id as text: `7:1234` for hand 1234 of seed 7, `7:1234:2:03` for the same with two random actions and without seats 0 and 3. */
export function formatHandId({ seed, number, actions, without }: HandId): string {
  if (actions === Number.POSITIVE_INFINITY && without.length === 0) return `${seed}:${number}`;
  const limit = actions === Number.POSITIVE_INFINITY ? 'all' : String(actions);
  return `${seed}:${number}:${limit}${without.length > 0 ? `:${without.join('')}` : ''}`;
}

/** Parses an id. Throws RangeError for any other text. */
export function parseHandId(text: string): HandId {
  const match = /^(\d{1,10}):(\d{1,10})(?::(\d{1,3}|all)(?::([0-5]{1,4}))?)?$/.exec(text);
  if (match === null) throw new RangeError(`'${text}' is not the id of a hand: write SEED:HAND, such as 7:1234`);
  const limit = match[3] ?? 'all';
  return {
    seed: Number(match[1]),
    number: Number(match[2]),
    actions: limit === 'all' ? Number.POSITIVE_INFINITY : Number(limit),
    without: [...(match[4] ?? '')].map(Number),
  };
}

/** Returns a generator of numbers in [0, 1) for one purpose within a hand (xorshift32, seeded with a hash of the three numbers). */
export function createRandom(seed: number, number: number, purpose: number): Random {
  let state = 0x9e3779b9;
  for (const part of [seed, number, purpose]) {
    state = Math.imul(state ^ part, 0x85ebca6b);
    state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
    state ^= state >>> 16;
  }
  state = state === 0 ? 1 : state;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Returns a random integer from 0 to `limit` - 1. */
const below = (random: Random, limit: number): number => Math.floor(random() * limit);
const between = (random: Random, low: number, high: number): number => low + below(random, high - low + 1);
const pick = <T>(random: Random, values: readonly T[]): T => values[below(random, values.length)] as T;

const tieBoards = ['AKQJT', '98765', 'AAKKQ', 'TT999', 'AKQJ9', '22223'];

/** Returns a shuffled deck. In one of five hands the board makes ties likely. */
function drawDeck(random: Random): number[] {
  const deck = Array.from({ length: 52 }, (_, card) => card);
  for (let last = 51; last > 0; last--) {
    const other = below(random, last + 1);
    const card = deck[last] as number;
    deck[last] = deck[other] as number;
    deck[other] = card;
  }
  if (random() >= 0.2) return deck;
  const codes = [...pick(random, tieBoards)].map((rank) => `${rank}${pick(random, [...'hdcs'])}`);
  if (new Set(codes).size < 5) return deck;
  for (const [index, card] of parseCards(codes.join('')).entries()) {
    const from = deck.indexOf(card);
    deck[from] = deck[12 + index] as number;
    deck[12 + index] = card;
  }
  return deck;
}

const stackStyles = ['deep', 'short', 'mixed', 'steps', 'even'] as const;

function drawStacks(random: Random, seats: number, big: number): number[] {
  const style = pick(random, stackStyles);
  const even = between(random, big, 100 * big);
  return Array.from({ length: seats }, (_, seat) => {
    if (style === 'deep') return between(random, 20 * big, 1000 * big);
    if (style === 'short') return between(random, 1, 8 * big);
    if (style === 'steps') return big * (1 + ((seat * 5) % seats)) + between(random, 0, big);
    if (style === 'even') return even;
    return random() < 0.5 ? between(random, 1, 5 * big) : between(random, 10 * big, 200 * big);
  });
}

/** Draws the seats with chips in the earlier hands of the match. From hand to hand up to two players lose their last chips. */
function drawHistory(random: Random, seats: number): number[][] {
  const history: number[][] = [];
  let live = Array.from({ length: seats }, (_, seat) => seat);
  for (let hands = below(random, 3 * seats); hands > 0; hands--) {
    history.push(live);
    for (const chance of [0.3, 0.3]) {
      if (live.length > 2 && random() < chance) live = live.toSpliced(below(random, live.length), 1);
    }
  }
  return history;
}

const withChips = (stacks: readonly number[]) => [...stacks.keys()].filter((seat) => (stacks[seat] as number) > 0);

/** Draws the setup of a hand and the seats with chips in each hand so far. */
function drawSetup({ seed, number, without }: HandId): HandSetup & Pick<PlayedHand, 'dealtIn'> {
  const random = createRandom(seed, number, 1);
  const deck = drawDeck(random);
  const seats = between(random, 2, 6);
  const schedule = {
    bigBlind: pick(random, [1, 2, 3, 10, 10, 10, 15, 25, 100]),
    multiplier: pick(random, ['1.3', '1.5', '2']),
    interval: pick(random, [1, 10, 30]),
  };
  const { small, big } = blindsAt(between(random, 1, 8 * schedule.interval), schedule, 1_000_000);
  const stacks = drawStacks(random, seats, big);
  const history = drawHistory(random, seats);
  const before = history.at(-1) ?? [...stacks.keys()];
  // Seats of players who are out of the match.
  for (let seat = 0; seat < seats; seat++) if (!before.includes(seat) || random() < 0.08) stacks[seat] = 0;
  const hasFullBigBlind = random() < 0.8;
  for (const seat of without) if (seat < seats) stacks[seat] = 0;
  for (let seat = 0; stacks.filter((chips) => chips > 0).length < 2; seat++) {
    if (stacks[seat] === 0) stacks[seat] = big * between(random, 1, 50);
  }
  let last: LastBlinds = { bigBlindSeat: null, nextButton: null };
  for (const live of history) {
    const chips = stacks.map((_, seat) => (live.includes(seat) ? 1 : 0));
    last = blindsAfter(2, positionsAfter(chips, last));
  }
  const positions = positionsAfter(stacks, last);
  // Hands with a short big blind cannot be compared with pokerkit, so most hands have a full one.
  if (hasFullBigBlind) stacks[positions.bigBlindSeat] = Math.max(big, stacks[positions.bigBlindSeat] as number);
  const dealtIn = [...history, withChips(stacks)];
  return { stacks, ...positions, smallBlind: small, bigBlind: big, deck, dealtIn };
}

/** Probabilities of actions. `allIn`: of a raise being an all-in. */
interface Style {
  readonly raise: number;
  readonly fold: number;
  readonly allIn: number;
}

const styles: readonly Style[] = [
  { raise: 0.1, fold: 0.15, allIn: 0.2 },
  { raise: 0.3, fold: 0.15, allIn: 0.3 },
  { raise: 0.5, fold: 0.1, allIn: 0.15 },
  { raise: 0.6, fold: 0.05, allIn: 0.6 },
];

/** Draws the reply of a bot. The engine corrects or refuses some of them. */
function drawReply(hand: Hand, { raise, fold, allIn }: Style, random: Random): [number, number] {
  const { canCheck, minRaise, maxRaise } = hand.options();
  const draw = random();
  if (draw < 0.03) return [between(random, 1, 5), below(random, 2 * (hand.stacks[hand.actor as number] as number))];
  if (!canCheck && draw < 0.03 + fold) return [Action.FOLD, 0];
  if (draw > 1 - raise) {
    const size = random();
    if (size < allIn) return [Action.ALL_IN, 0];
    if (maxRaise > 0) return [Action.RAISE, size < 0.7 ? minRaise : minRaise + below(random, 3 * minRaise)];
  }
  return [canCheck ? Action.CHECK : Action.CALL, 0];
}

/** Plays a random hand with the engine. */
export function playHand(id: HandId): PlayedHand {
  const setup = drawSetup(id);
  const random = createRandom(id.seed, id.number, 2);
  const style = pick(random, styles);
  const hand = new Hand(setup);
  const steps: Step[] = [];
  while (!hand.over) {
    const seat = hand.actor as number;
    const board = hand.board.length;
    const { toCall, canCheck, minRaise, maxRaise } = hand.options();
    const [kind, amount] = steps.length < id.actions ? drawReply(hand, style, random) : [Action.CALL, 0];
    const ruling = adjudicate(hand, kind, amount);
    hand.act(ruling.kind, ruling.amount, ruling.adjusted !== null);
    const logged = hand.log.at(-1) as { kind: number; amount: number };
    const pots = hand.pots();
    steps.push({
      seat,
      toCall,
      canCheck,
      minRaise,
      maxRaise,
      kind: logged.kind,
      amount: logged.amount,
      board,
      pots,
      over: hand.over,
    });
  }
  return {
    id: formatHandId(id),
    dealtIn: setup.dealtIn,
    stacks: hand.startStacks,
    button: hand.button,
    smallBlindSeat: hand.smallBlindSeat,
    bigBlindSeat: hand.bigBlindSeat,
    blinds: [hand.smallBlind, hand.bigBlind],
    deck: Array.from(hand.deck).slice(0, 17).map(cardCode).join(''),
    steps,
    pots: hand.pots(),
    boardCards: hand.board.length,
    winnings: hand.winnings,
    deltas: hand.deltas,
  };
}

/** Describes a hand as text: the deal, then one line per action with the legal actions. */
export function describeHand(hand: PlayedHand): string {
  const { stacks, button, smallBlindSeat, bigBlindSeat, blinds, deck, steps, boardCards } = hand;
  const cards = (from: number, count: number) => deck.slice(2 * from, 2 * (from + count));
  const seats = stacks.map((chips, seat) => {
    const marks = [
      ...(seat === button ? [chips > 0 ? 'button' : 'dead button'] : []),
      ...(seat === smallBlindSeat ? [chips > 0 ? `small blind ${blinds[0]}` : 'dead small blind'] : []),
      ...(seat === bigBlindSeat ? [`big blind ${blinds[1]}`] : []),
    ];
    return `  seat ${seat}: ${chips} chips${chips > 0 ? `, ${cards(2 * seat, 2)}` : ''}${marks.map((mark) => `, ${mark}`).join('')}`;
  });
  const actions = steps.map(({ seat, board, toCall, minRaise, maxRaise, kind, amount, pots }) => {
    const legal = `${toCall} to call, raises ${minRaise} to ${maxRaise}`;
    const potText = pots.map((pot) => `${pot.amount} (${pot.eligible.join(' ')})`).join(', ');
    return `  seat ${seat} ${actionNames[kind as ActionKind]} ${amount}; board ${cards(12, board) || 'none'}; ${legal}; pots then ${potText}`;
  });
  const result = `  board ${cards(12, boardCards) || 'none'}, results ${hand.deltas.join(', ')}`;
  return [`hand ${hand.id}`, ...seats, ...actions, result].join('\n');
}
