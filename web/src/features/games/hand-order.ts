import type { GameRow } from '../../lib/types.ts';

export type HandOrder = 'none' | 'ascending' | 'descending';

const NEXT: Record<HandOrder, HandOrder> = { none: 'ascending', ascending: 'descending', descending: 'none' };

export const HAND_ORDER_LABELS: Record<HandOrder, string> = {
  none: 'SORT BY UUID',
  ascending: 'UUID ASC',
  descending: 'UUID DESC',
};

export const nextHandOrder = (order: HandOrder): HandOrder => NEXT[order];

/** Hands by their own number; 'none' keeps the server's order. */
export function sortHands(hands: readonly GameRow[], order: HandOrder): readonly GameRow[] {
  if (order === 'none') return hands;
  const sign = order === 'ascending' ? 1 : -1;
  return [...hands].sort((a, b) => sign * (Number(a.game_uuid) - Number(b.game_uuid)));
}

/** The hand's number that an address's hash names ('#game-17'), else null. */
export function handOfHash(hash: string): string | null {
  return /^#game-([\w-]{1,64})$/.exec(hash)?.[1] ?? null;
}
