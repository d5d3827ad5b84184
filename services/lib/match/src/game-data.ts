/** Names of the streets 0 to 3 in the API, in downloads and on the site. */
export const STREETS = ['preflop', 'flop', 'turn', 'river'] as const;

/** The keys of a hand's game data (docs/game-data.md) that its other formats need. */
export interface GameData {
  readonly gameId: string;
  readonly rounds: Readonly<Record<string, { readonly action_sequence: readonly GameAction[] }>>;
  /** By seat, like playerHands. */
  readonly playerNames: Readonly<Record<string, string>>;
  readonly blinds: { readonly small: number; readonly big: number };
  readonly finalBoard: readonly string[];
  /** By id, which is the seat plus one. */
  readonly playerMoney: Readonly<Record<MoneyKey, Readonly<Record<string, number>>>>;
  /** Only players who were dealt in. */
  readonly playerHands: Readonly<Record<string, readonly string[]>>;
  /** By seat, without cards if the button is dead. */
  readonly button: number;
  /** By seat; null if nobody posted it. Absent in files of earlier releases. */
  readonly smallBlindSeat?: number | null;
  readonly bigBlindSeat?: number;
  readonly verdicts?: readonly { readonly round: number; readonly index: number; readonly code: string }[];
}

/** Keys of `playerMoney`: chips before the hand, chips after it, and their difference. */
export type MoneyKey = 'startingMoney' | 'finalMoney' | 'thisGameDelta';

export interface GameAction {
  readonly player: number;
  /** RAISE, CALL, FOLD, CHECK or ALL IN. */
  readonly action: string;
  /** Chips added. */
  readonly amount: number;
  /** ms since 1970. */
  readonly timestamp: number;
  /** Chips in the pot of the whole hand. */
  readonly total_pot_after_action: number;
}

/** An action with its street, 0 to 3. `verdict` is the fault, or 'adjusted', if the bot's own action was replaced. */
export interface StreetAction extends GameAction {
  readonly round: number;
  readonly verdict: string | undefined;
}

/** Returns the number of posted blinds, which are the first actions of the hand. */
export const postsOf = ({ smallBlindSeat }: Pick<GameData, 'smallBlindSeat'>): 1 | 2 =>
  smallBlindSeat === null ? 1 : 2;

/** Returns the actions of all streets in order. The first ones are the posted blinds. */
export function actionsOf(game: GameData): StreetAction[] {
  const verdicts = new Map((game.verdicts ?? []).map(({ round, index, code }) => [`${round}:${index}`, code]));
  return Object.entries(game.rounds).flatMap(([round, { action_sequence: sequence }]) =>
    sequence.map((action, index) => ({ ...action, round: Number(round), verdict: verdicts.get(`${round}:${index}`) })),
  );
}

/** Returns the seats of the players who were dealt in, clockwise from the seat after the button, which is last. */
export function seatsFromButton(game: GameData): number[] {
  const seats = Object.keys(game.playerHands).map(Number);
  return [...seats.filter((seat) => seat > game.button), ...seats.filter((seat) => seat <= game.button)];
}

/** Returns an amount of `playerMoney` of a seat, 0 if it is absent. */
export function moneyOf(game: GameData, when: MoneyKey, seat: number): number {
  return game.playerMoney[when][seat + 1] ?? 0;
}
