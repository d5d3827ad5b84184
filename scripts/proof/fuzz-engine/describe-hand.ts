import { type ActionKind, actionNames } from '@husky/holdem/action';
import type { PlayedHand } from './random-hand.ts';

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
