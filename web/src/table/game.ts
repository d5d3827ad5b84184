/** A card's two-letter code, rank then suit, such as 'Td'; '??' if the log's code is not a card. */
export type CardCode = string;

export const UNKNOWN_CARD: CardCode = '??';

export type ActionKind = 'FOLD' | 'CHECK' | 'CALL' | 'BET' | 'RAISE' | 'ALL IN' | 'UNKNOWN';

/** A pot with the seats (positions in `Game.players`) that can still win it. */
export type Pot = { id: number; amount: number; eligible: number[] };

/** A fault or an adjusted action of one bot. `action` is its index in the round; null if the verdict belongs to no action. */
export type Verdict = { round: number; action: number | null; seat: number | null; code: string; text: string };

export type Action = {
  /** Position in `Game.players`. */
  seat: number;
  kind: ActionKind;
  /** The action's name as the log writes it, in capitals; 'posts small blind' for a posted blind. */
  label: string;
  /** Whether the action is a posted blind, not a decision of the bot. */
  post: boolean;
  /** Chips added by this action. */
  chips: number;
  timestampMs: number | null;
  /** The street's pot, the hand's pot and the hand's pots after this action. */
  roundPot: number;
  totalPot: number;
  pots: Pot[];
  /** Whether the engine adjusted the bot's action, such as a raise below the minimum. */
  adjusted: boolean;
  verdict: Verdict | null;
};

/** One street. `bets` has the chips that each seat put in on this street. */
export type Round = { index: number; pot: number; bets: number[]; actions: Action[] };

export type Player = {
  /** The key of this player in `playerNames`; the id is one more (see parse-rounds.ts). */
  pid: number;
  name: string;
  startChips: number;
  /** null if the log does not have the final chips. */
  finalChips: number | null;
  cards: CardCode[];
};

/** One hand. Players are in seat order, clockwise: the log's seats; if it has none, by first action (see parse-game.ts). */
export type Game = {
  gameId: string | null;
  players: Player[];
  rounds: Round[];
  board: CardCode[];
  blinds: { small: number; big: number } | null;
  smallBlindSeat: number | null;
  bigBlindSeat: number | null;
  /** The seat of the button; null if the log does not have it. */
  buttonSeat: number | null;
  verdicts: Verdict[];
  /** Irregularities of the file and how they are shown, as sentences for the user. */
  warnings: string[];
};

const ROUND_NAMES = ['Pre-flop', 'Flop', 'Turn', 'River'];
const BOARD_CARDS = [0, 3, 4, 5];

export function roundName(index: number): string {
  return ROUND_NAMES[index] ?? `Round ${index + 1}`;
}

/** Returns the number of cards on the board in a round: 0, 3, 4, 5; 5 in later rounds. */
export function boardCards(index: number): number {
  return BOARD_CARDS[index] ?? 5;
}

export function movesChips(kind: ActionKind): boolean {
  return kind === 'CALL' || kind === 'BET' || kind === 'RAISE' || kind === 'ALL IN';
}
