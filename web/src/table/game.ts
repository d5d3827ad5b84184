/** A card's two-letter code, rank then suit, such as 'Td'; '??' where a log's code is no card. */
export type CardCode = string;

export const UNKNOWN_CARD: CardCode = '??';

export type ActionKind = 'FOLD' | 'CHECK' | 'CALL' | 'BET' | 'RAISE' | 'ALL IN' | 'UNKNOWN';

/** A pot with the seats (positions in `Game.players`) that can still win it. */
export type Pot = { id: number; amount: number; eligible: number[] };

/** Why a hand went as it did: a fault or an adjustment of one bot. `action` is the index in the round, null = no action of its own. */
export type Verdict = { round: number; action: number | null; seat: number | null; code: string; text: string };

export type Action = {
  /** Position in `Game.players`. */
  seat: number;
  kind: ActionKind;
  /** The action's name as the log writes it, in capitals; of a posted blind 'posts small blind'. */
  label: string;
  /** A posted blind, which is not a decision of the bot. */
  post: boolean;
  /** Chips added by this action. */
  chips: number;
  timestampMs: number | null;
  /** The street's pot, the hand's pot and the hand's pots after this action. */
  roundPot: number;
  totalPot: number;
  pots: Pot[];
  /** The engine adjusted the bot's action (a raise below the minimum was lifted). */
  adjusted: boolean;
  verdict: Verdict | null;
};

/** One street. `bets` has the chips each seat put in during it. */
export type Round = { index: number; pot: number; bets: number[]; actions: Action[] };

export type Player = {
  /** The key of this player in `playerNames`; the id is one more (see id-rule.ts). */
  pid: number;
  name: string;
  startChips: number;
  /** null where the log does not say how the hand ended. */
  finalChips: number | null;
  cards: CardCode[];
};

/** One hand, players in seat order: who appears first in round 0 sits first (the small blind), then those who never acted. */
export type Game = {
  gameId: string | null;
  players: Player[];
  rounds: Round[];
  board: CardCode[];
  blinds: { small: number; big: number } | null;
  smallBlindSeat: number | null;
  bigBlindSeat: number | null;
  /** The dealer's seat, where the log names it. */
  buttonSeat: number | null;
  verdicts: Verdict[];
  /** What was odd in the file and how it is shown, in sentences. */
  warnings: string[];
};

const ROUND_NAMES = ['Pre-flop', 'Flop', 'Turn', 'River'];
const BOARD_CARDS = [0, 3, 4, 5];

export function roundName(index: number): string {
  return ROUND_NAMES[index] ?? `Round ${index + 1}`;
}

/** Cards on the board in a round: none, 3, 4, 5; later rounds all. */
export function boardCards(index: number): number {
  return BOARD_CARDS[index] ?? 5;
}

export function movesChips(kind: ActionKind): boolean {
  return kind === 'CALL' || kind === 'BET' || kind === 'RAISE' || kind === 'ALL IN';
}
