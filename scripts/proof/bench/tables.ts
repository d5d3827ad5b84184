/** Returns the number of tables of six that this number of players can form. */
export function countTables(players: number): number {
  let count = 1;
  for (let seat = 0; seat < 6; seat++) count = (count * (players - seat)) / (seat + 1);
  return count;
}
