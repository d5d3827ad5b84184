import { Action, type ActionKind, actionNames, type Street } from '@husky/holdem/action';
import { type Card, cardCode } from '@husky/holdem/card';
import { layerPots } from '@husky/holdem/pots';
import type { GameAction, GameData } from './game-data.ts';

/** One action as it was played, blinds included. `atMs` counts from the start of the hand. */
export interface PlayedAction {
  readonly street: Street;
  readonly seat: number;
  readonly kind: ActionKind;
  readonly amount: number;
  readonly atMs: number;
}

/** A finished hand with all facts for its game data. Lists are by seat. */
export interface PlayedHand {
  readonly startedAtMs: number;
  readonly startingStack: number;
  readonly startStacks: readonly number[];
  /** Results since the start of the match, this hand included. */
  readonly matchDeltas: readonly number[];
  readonly deltas: readonly number[];
  readonly dealtIn: readonly boolean[];
  readonly holeCards: readonly (readonly Card[])[];
  readonly board: readonly Card[];
  readonly blinds: { readonly small: number; readonly big: number };
  readonly button: number;
  /** Null if nobody posted it. */
  readonly smallBlindSeat: number | null;
  readonly bigBlindSeat: number;
  readonly actions: readonly PlayedAction[];
  readonly verdicts: readonly Verdict[];
}

/** A fault or adjustment of a bot's action. `index` is the position in the round's action_sequence. */
export interface Verdict {
  readonly round: number;
  readonly index: number;
  readonly seat: number;
  readonly code: string;
  readonly text: string;
}

interface Pot {
  readonly amount: number;
  readonly eligible: readonly number[];
}

const idOf = (seat: number) => seat + 1;
const sum = (chips: readonly number[]) => chips.reduce((total, amount) => total + amount, 0);

/** Puts the players' names, by seat, into game data. Returns the same object. */
export function nameGame(game: Record<string, unknown>, names: readonly string[]): GameData {
  game.playerNames = Object.fromEntries(names.map((name, seat) => [String(seat), name]));
  game.usernameMapping = Object.fromEntries(names.map((name, seat) => [name, seat + 1]));
  game.playerIdToUsername = Object.fromEntries(names.map((name, seat) => [String(seat + 1), name]));
  return game as unknown as GameData;
}

/** Returns the game data of a hand as JSON. */
export function gameJson(gameId: string, hand: PlayedHand): string {
  return JSON.stringify(gameData(gameId, hand));
}

/**
 * Returns the game data of a hand; keys, order, types and numberings are those of docs/game-data.md. Names are placeholders and the
 * mappings are empty: `nameGame` fills them in.
 */
export function gameData(gameId: string, hand: PlayedHand) {
  const { rounds, lastPots } = playRounds(hand);
  const bySeat = <T>(of: (seat: number) => T, seats = hand.startStacks.map((_, seat) => seat)) =>
    Object.fromEntries(seats.map((seat) => [seat, of(seat)]));
  const byId = (chips: readonly number[]) => Object.fromEntries(chips.map((amount, seat) => [idOf(seat), amount]));
  const finalMoney = hand.startStacks.map((chips, seat) => chips + (hand.deltas[seat] as number));
  const deltasBefore = hand.matchDeltas.map((chips, seat) => chips - (hand.deltas[seat] as number));
  const dealt = hand.dealtIn.flatMap((isDealt, seat) => (isDealt ? [seat] : []));
  return {
    gameId,
    rounds,
    playerNames: bySeat((seat) => `player${idOf(seat)}`),
    blinds: { small: hand.blinds.small, big: hand.blinds.big },
    finalBoard: hand.board.map(cardCode),
    sidePots: lastPots.map((pot) => ({ amount: pot.amount, eligible_players: pot.eligible })),
    playerMoney: {
      initialAmount: hand.startingStack,
      startingMoney: byId(hand.startStacks),
      startingDelta: byId(deltasBefore),
      finalMoney: byId(finalMoney),
      finalDelta: byId(hand.matchDeltas),
      gameScores: byId(hand.deltas),
      thisGameDelta: byId(hand.deltas),
    },
    playerHands: bySeat((seat) => (hand.holeCards[seat] as readonly Card[]).map(cardCode), dealt),
    usernameMapping: {},
    playerIdToUsername: {},
    button: hand.button,
    smallBlindSeat: hand.smallBlindSeat,
    bigBlindSeat: hand.bigBlindSeat,
    ...(hand.verdicts.length > 0 ? { verdicts: hand.verdicts } : {}),
  };
}

type Round = { readonly action_sequence: readonly GameAction[]; readonly [key: string]: unknown };

function playRounds(hand: PlayedHand): { rounds: Record<string, Round>; lastPots: readonly Pot[] } {
  const totals = hand.startStacks.map(() => 0);
  const live = [...hand.dealtIn];
  const rounds: Record<string, Round> = {};
  let lastPots: readonly Pot[] = [];
  const lastStreet = Math.max(0, hand.board.length - 2);
  for (let street = 0; street <= lastStreet; street++) {
    const bets = hand.startStacks.map(() => 0);
    const playing = live.flatMap((isLive, seat) => (isLive ? [seat] : []));
    const actions = new Map(playing.map((seat) => [seat, 'NO_ACTION']));
    const times = new Map<number, number>();
    const sequence: GameAction[] = [];
    for (const action of hand.actions) {
      if (action.street !== street) continue;
      const { seat, amount } = action;
      bets[seat] = (bets[seat] as number) + amount;
      totals[seat] = (totals[seat] as number) + amount;
      if (action.kind === Action.FOLD) live[seat] = false;
      actions.set(seat, actionNames[action.kind]);
      times.set(seat, action.atMs);
      sequence.push({
        player: seat,
        action: actionNames[action.kind],
        amount,
        timestamp: hand.startedAtMs + action.atMs,
        ...afterAction(bets, totals, live),
      });
    }
    lastPots = potsOf(bets, live);
    rounds[street] = {
      pot: sum(bets),
      bets: Object.fromEntries(playing.map((seat) => [seat, bets[seat]])),
      actions: Object.fromEntries(actions),
      action_sequence: sequence,
      actionTimes: Object.fromEntries(times),
    };
  }
  return { rounds, lastPots };
}

function afterAction(bets: readonly number[], totals: readonly number[], live: readonly boolean[]) {
  return {
    pot_after_action: sum(bets),
    side_pots_after_action: potsOf(bets, live).map(withIds),
    total_pot_after_action: sum(totals),
    total_side_pots_after_action: potsOf(totals, live).map((pot, id) => ({ id, ...withIds(pot) })),
  };
}

function potsOf(chips: readonly number[], live: readonly boolean[]): readonly Pot[] {
  const pots = layerPots(chips, live);
  if (pots.length > 0) return pots;
  // Before the first bet: one pot with the chips of folded seats, for all remaining seats.
  return [{ amount: sum(chips), eligible: live.flatMap((isLive, seat) => (isLive ? [seat] : [])) }];
}

function withIds(pot: Pot): { amount: number; eligible_players: number[] } {
  return { amount: pot.amount, eligible_players: pot.eligible.map(idOf) };
}
