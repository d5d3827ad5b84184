// Computes RANK_KEYS of src/rank-tables.ts: each key is the smallest one with which all sums of exactly seven cards still differ.
// Run with `node bench/find-rank-keys.ts`; takes about two seconds.

const LIMIT = 1 << 22;

// Returns, for each number of cards from 0 to 7, the sums of all multisets of the given ranks with at most four of each.
function sumsOf(keys: readonly number[]): number[][] {
  let sums: number[][] = Array.from({ length: 8 }, (_, cards) => (cards === 0 ? [0] : []));
  for (const key of keys) {
    const next: number[][] = Array.from({ length: 8 }, () => []);
    for (const [cards, found] of sums.entries()) {
      for (let copies = 0; copies <= 4 && cards + copies <= 7; copies++) {
        for (const sum of found) (next[cards + copies] as number[]).push(sum + copies * key);
      }
    }
    sums = next;
  }
  return sums;
}

// Returns the smallest key x for which no sum with i copies of x equals one with j copies: a + i x = b + j x.
function nextKey(keys: readonly number[]): number {
  const sums = sumsOf(keys).map((found) => Int32Array.from(found));
  const taken = new Uint8Array(LIMIT);
  for (let few = 0; few < 4; few++) {
    for (let many = few + 1; many <= 4; many++) {
      for (const a of sums[7 - few] as Int32Array) {
        for (const b of sums[7 - many] as Int32Array) {
          const key = (a - b) / (many - few);
          if (key > 0 && key < LIMIT && Number.isInteger(key)) taken[key] = 1;
        }
      }
    }
  }
  return taken.indexOf(0, (keys.at(-1) ?? 0) + 1);
}

const keys = [0];
while (keys.length < 13) keys.push(nextKey(keys));
console.log(keys.join(', '));
