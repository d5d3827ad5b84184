import { type Card, cardCode } from '@husky/holdem/card';

const RANKS: Record<string, string> = {
  2: 'Two',
  3: 'Three',
  4: 'Four',
  5: 'Five',
  6: 'Six',
  7: 'Seven',
  8: 'Eight',
  9: 'Nine',
  T: 'Ten',
  J: 'Jack',
  Q: 'Queen',
  K: 'King',
  A: 'Ace',
};

/** Names two hole cards: 'Pair of Nines', 'Ace-King suited', 'Ten-Four offsuit'. */
export function describeHoleCards(cards: readonly Card[]): string {
  const [high = '', low = ''] = cards.toSorted((a, b) => (b >> 2) - (a >> 2)).map(cardCode);
  const [first = '', second = ''] = [high, low].map((code) => RANKS[code.charAt(0)] ?? '');
  if (first === second) return `Pair of ${first === 'Six' ? 'Sixes' : `${first}s`}`;
  return `${first}-${second} ${high.charAt(1) === low.charAt(1) ? 'suited' : 'offsuit'}`;
}
