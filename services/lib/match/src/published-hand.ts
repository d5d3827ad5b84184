import { Action, type ActionKind, actionNames, type Street } from '@husky/holdem/action';
import { actionsOf, type GameData, moneyOf } from './game-data.ts';

/** An action as it was published, blinds included. Seats count from 0. */
export interface PublishedAction {
  readonly street: Street;
  readonly seat: number;
  readonly kind: ActionKind;
  /** Chips added. */
  readonly amount: number;
  /** Chips in the pot of the hand after it. */
  readonly potAfter: number;
}

/** A hand as it was published, whatever the format. Lists are by seat. */
export interface PublishedHand {
  readonly number: number;
  readonly startedAtMs: number;
  readonly button: number;
  /** Null if nobody posted it. Both seats are undefined in data of earlier releases. */
  readonly smallBlindSeat?: number | null | undefined;
  readonly bigBlindSeat?: number | undefined;
  readonly smallBlind: number;
  readonly bigBlind: number;
  readonly startStacks: readonly number[];
  readonly finalStacks: readonly number[];
  readonly deltas: readonly number[];
  /** Codes such as 'Td'; empty for seats that were not dealt in. */
  readonly holeCards: readonly (readonly string[])[];
  readonly board: readonly string[];
  readonly actions: readonly PublishedAction[];
}

const kinds = new Map(Object.values(Action).map((kind) => [actionNames[kind], kind]));

/** Returns the action kind of a name such as 'ALL IN'. Throws RangeError for any other text. */
export function actionNamed(name: string): ActionKind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new RangeError(`no action has the name '${name}'`);
  return kind;
}

/** Reads game data (docs/game-data.md). Throws RangeError or TypeError for another form. */
export function publishedHandOf(game: GameData, number: number): PublishedHand {
  const seats = Object.keys(game.playerNames).map(Number);
  const actions = actionsOf(game);
  return {
    number,
    startedAtMs: actions[0]?.timestamp ?? Number.NaN,
    button: game.button,
    smallBlindSeat: game.smallBlindSeat,
    bigBlindSeat: game.bigBlindSeat,
    smallBlind: game.blinds.small,
    bigBlind: game.blinds.big,
    startStacks: seats.map((seat) => moneyOf(game, 'startingMoney', seat)),
    finalStacks: seats.map((seat) => moneyOf(game, 'finalMoney', seat)),
    deltas: seats.map((seat) => moneyOf(game, 'thisGameDelta', seat)),
    holeCards: seats.map((seat) => game.playerHands[seat] ?? []),
    board: game.finalBoard,
    actions: actions.map(({ round, player, action, amount, total_pot_after_action: potAfter }) => ({
      street: round as Street,
      seat: player,
      kind: actionNamed(action),
      amount,
      potAfter,
    })),
  };
}
