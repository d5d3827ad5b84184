import { seededRandom } from '@husky/estimate/random';
import { type DesignCounts, designCounts } from '@husky/match/plan-tables';
import { shuffled } from './block-design.ts';
import { tableSize } from './job.ts';

const triesPerBlock = 1500;
const mostTries = 1_500_000;
/** First and last temperature of the search, in units of the cost. */
const temperatures = { first: 2, last: 0.1 };
/** Cost of a player who would sit twice at a table: more than any meetings. */
const twiceCost = 1e9;

/** Returns the least number of tables for each of `players` at which all sit equally often. */
export function equalStep(players: number): number {
  const common = (a: number, b: number): number => (b === 0 ? a : common(b, a % b));
  return tableSize / common(players, tableSize);
}

/**
 * Returns tables of six among `players` (6 or more), at which each player sits exactly `each` times, a multiple of equalStep, and pairs meet nearly
 * equally often: a search by simulated annealing over exchanges of two players between two tables, whose cost is the sum of the squares of the pairs'
 * counts. Deterministic.
 */
export function equalBlocks(players: number, each: number): number[][] {
  const random = seededRandom(players * 1_000_003 + each);
  const everyone = Array.from({ length: players }, (_, player) => player);
  const seats = Uint16Array.from(Array.from({ length: each }, () => shuffled(everyone, random)).flat());
  const tables = seats.length / tableSize;
  if (!Number.isInteger(tables)) throw new RangeError(`${players} players cannot sit at ${each} tables each`);
  const met = new Uint16Array(players * players);
  /** Counts the meetings of a player with the others at the table of a seat, `by` more. */
  const count = (seat: number, player: number, by: number) => {
    const first = seat - (seat % tableSize);
    for (let at = first; at < first + tableSize; at++) {
      if (at === seat) continue;
      const other = seats[at] as number;
      met[player * players + other] = (met[player * players + other] as number) + by;
      if (other !== player) met[other * players + player] = (met[other * players + player] as number) + by;
    }
  };
  /** What it costs that the player has the seat: 2 * met + 1 for each meeting, and the penalty for one with oneself. */
  const costOf = (seat: number, player: number) => {
    const first = seat - (seat % tableSize);
    let cost = 0;
    for (let at = first; at < first + tableSize; at++) {
      if (at === seat) continue;
      const other = seats[at] as number;
      cost += other === player ? twiceCost : 2 * (met[player * players + other] as number) + 1;
    }
    return cost;
  };
  const exchange = (temperature: number) => {
    const [here, there] = [Math.floor(random() * seats.length), Math.floor(random() * seats.length)];
    const [one, other] = [seats[here] as number, seats[there] as number];
    if (one === other || Math.floor(here / tableSize) === Math.floor(there / tableSize)) return;
    count(here, one, -1);
    count(there, other, -1);
    const more = costOf(here, other) + costOf(there, one) - costOf(here, one) - costOf(there, other);
    const accepted = more <= 0 || random() < Math.exp(-more / temperature);
    if (accepted) [seats[here], seats[there]] = [other, one];
    count(here, accepted ? other : one, 1);
    count(there, accepted ? one : other, 1);
  };
  // Each meeting once: the seats before at the same table.
  for (let seat = 0; seat < seats.length; seat++) {
    for (let at = seat - (seat % tableSize); at < seat; at++) {
      const [one, other] = [seats[seat] as number, seats[at] as number];
      met[one * players + other] = (met[one * players + other] as number) + 1;
      if (one !== other) met[other * players + one] = (met[other * players + one] as number) + 1;
    }
  }
  const tries = Math.min(mostTries, triesPerBlock * Math.max(tables, 20));
  const { first, last } = temperatures;
  for (let n = 0; n < tries; n++) exchange(first * (last / first) ** (n / tries));
  const block = (table: number) => [...seats.subarray(table * tableSize, (table + 1) * tableSize)];
  const result = () => Array.from({ length: tables }, (_, table) => block(table));
  let blocks = result();
  while (blocks.some((one) => new Set(one).size < tableSize)) {
    for (let n = 0; n < triesPerBlock; n++) exchange(last);
    blocks = result();
  }
  return blocks;
}

const known = new Map<string, DesignCounts>();
const mostKnown = 100;

/** Returns how often players and pairs sit at the tables of equalBlocks. Keeps the last results. */
export function equalCounts(players: number, each: number): DesignCounts {
  const key = `${players} ${each}`;
  const counts = known.get(key) ?? designCounts(players, equalBlocks(players, each));
  known.delete(key);
  known.set(key, counts);
  if (known.size > mostKnown) known.delete(known.keys().next().value ?? '');
  return counts;
}
