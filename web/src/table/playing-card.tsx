import { type CardCode, UNKNOWN_CARD } from './game.ts';
import './playing-card.css';

const RANKS: Record<string, string> = { T: 'Ten', J: 'Jack', Q: 'Queen', K: 'King', A: 'Ace' };
const SUITS: Record<string, { sign: string; name: string }> = {
  h: { sign: '♥', name: 'hearts' },
  d: { sign: '♦', name: 'diamonds' },
  c: { sign: '♣', name: 'clubs' },
  s: { sign: '♠', name: 'spades' },
};

/** Returns the card's name for screen readers, such as 'King of spades'. */
export function cardName(code: CardCode): string {
  const suit = SUITS[code.charAt(1)];
  return suit === undefined ? 'unknown card' : `${RANKS[code.charAt(0)] ?? code.charAt(0)} of ${suit.name}`;
}

type Props = { code: CardCode; hidden?: boolean; dim?: boolean };

/** Shows one card, face down if hidden, with 'T' as 10. */
export function PlayingCard({ code, hidden = false, dim = false }: Props) {
  if (hidden) return <span className="card card-back" role="img" aria-label="face-down card" />;
  const suit = SUITS[code.charAt(1)];
  if (code === UNKNOWN_CARD || suit === undefined) {
    return (
      <span className="card card-unknown" role="img" aria-label="unknown card">
        ?
      </span>
    );
  }
  const rank = code.charAt(0) === 'T' ? '10' : code.charAt(0);
  return (
    <span className={`card card-${suit.name}${dim ? ' card-dim' : ''}`} role="img" aria-label={cardName(code)}>
      <span className="card-rank">{rank}</span>
      <span className="card-suit">{suit.sign}</span>
    </span>
  );
}

/** Shows an empty place for a card of the board. */
export function CardSlot() {
  return <span className="card card-slot" aria-hidden="true" />;
}
