/**
 * Translates a log's two numberings to seats. A player's pid is the key in player, bets, actions, playerNames, playerHands
 * and top-level sidePots; the id, used in eligible_players, playerMoney and the mappings, is the pid plus one
 * (docs/game-data.md). Files that use pids everywhere are supported too.
 */
export type SeatLookup = {
  ofPid: (pid: number) => number | null;
  ofId: (id: number) => number | null;
};

/** Creates the lookup. `ids` are all values found in fields that should contain ids; the numbering is detected from them. */
export function seatLookup(pids: readonly number[], ids: Iterable<number>): SeatLookup {
  const seats = new Map(pids.map((pid, seat) => [pid, seat]));
  const seen = [...ids];
  const hits = (offset: number) => seen.filter((id) => seats.has(id - offset)).length;
  const offset = hits(0) > hits(1) ? 0 : 1;
  return {
    ofPid: (pid) => seats.get(pid) ?? null,
    ofId: (id) => seats.get(id - offset) ?? null,
  };
}
