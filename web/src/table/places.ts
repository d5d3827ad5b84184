/** The six fixed places around the table, clockwise from the top. */
export const PLACES = ['top', 'right-upper', 'right-lower', 'bottom', 'left-lower', 'left-upper'] as const;

export type Place = (typeof PLACES)[number];

// Fewer than six players are spread evenly over the same places; the order stays clockwise.
const TAKEN: Record<number, readonly number[]> = {
  2: [0, 3],
  3: [0, 2, 4],
  4: [1, 2, 4, 5],
  5: [0, 1, 2, 4, 5],
};

/** Returns the place of a seat at a table of 2 to 6 players. */
export function placeOf(seat: number, players: number): Place {
  return PLACES[TAKEN[players]?.[seat] ?? seat] ?? 'top';
}
