/** A card as an integer 0..51: rank * 4 + suit; rank 0..12 is deuce..ace, suit 0..3 is hearts, diamonds, clubs, spades. */
export type Card = number;

export const RANKS = '23456789TJQKA';
export const SUITS = 'hdcs';
export const DECK_SIZE = 52;

const CODES: readonly string[] = Array.from(
  { length: DECK_SIZE },
  (_, card) => `${RANKS.charAt(card >> 2)}${SUITS.charAt(card & 3)}`,
);
const CARDS: ReadonlyMap<string, Card> = new Map(CODES.map((code, card) => [code, card]));

/** Returns the two-letter code that bots and logs use, such as 'Td'. Throws RangeError for a number that is no card. */
export function cardCode(card: Card): string {
  const code = CODES[card];
  if (code === undefined) throw new RangeError(`no card has the number ${card}`);
  return code;
}

/** Parses a code such as 'Td'. Throws RangeError for anything else. */
export function parseCard(code: string): Card {
  const card = CARDS.get(code);
  if (card === undefined) throw new RangeError(`'${code}' is no card`);
  return card;
}

/** Parses codes with or without spaces between them: 'AhKd' or 'Ah Kd'. Throws RangeError. */
export function parseCards(codes: string): Card[] {
  return (codes.replaceAll(' ', '').match(/.{1,2}/g) ?? []).map(parseCard);
}
