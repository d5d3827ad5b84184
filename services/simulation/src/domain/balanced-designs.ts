/**
 * Balanced incomplete block designs with blocks of six: every pair of players is in `pairs` blocks. Each design is developed
 * from base blocks: point p of a full cycle of `cycle` points moves to the next point of its cycle, the others stay. The base
 * blocks of 12, 13 and 19 points are classical (quadratic and sextic residues, with infinity); 9 points: complements of the
 * lines of the affine plane of order 3; 11: complement of the biplane of quadratic residues; 17: one block and its multiples.
 * The others were found by hill climbing over base blocks. block-design.test.ts counts every pair.
 */
interface BaseBlocks {
  readonly cycle: number;
  readonly base: readonly (readonly number[])[];
}

const designs: Readonly<Record<number, BaseBlocks>> = {
  6: parse(1, '0 1 2 3 4 5'),
  7: parse(7, '0 1 2 3 4 5'),
  8: parse(7, '1 2 3 4 5 7, 1 2 4 5 6 7, 1 2 3 4 6 7, 0 1 2 3 4 5'),
  9: parse(
    1,
    '3 4 5 6 7 8, 0 1 2 6 7 8, 0 1 2 3 4 5, 1 2 4 5 7 8',
    '0 2 3 5 6 8, 0 1 3 4 6 7, 1 2 3 5 6 7, 0 2 3 4 7 8',
    '0 1 4 5 6 8, 1 2 3 4 6 8, 0 2 4 5 6 7, 0 1 3 5 7 8',
  ),
  10: parse(5, '0 4 5 7 8 9, 0 1 2 4 6 8, 1 2 4 7 8 9'),
  11: parse(11, '0 2 6 7 8 10'),
  12: parse(11, '1 3 4 5 9 11, 0 2 6 7 8 10'),
  13: parse(13, '1 3 4 9 10 12, 2 5 6 7 8 11'),
  14: parse(
    13,
    '1 3 8 11 12 13, 0 2 4 5 6 7, 1 2 5 6 11 12, 1 3 6 8 9 13',
    '0 1 4 8 12 13, 1 5 8 10 11 12, 0 1 2 7 9 10',
  ),
  15: parse(7, '0 2 6 7 11 12, 0 1 3 4 7 14, 0 2 5 10 11 13, 5 7 8 9 12 14, 0 1 6 8 9 13'),
  16: parse(8, '2 4 9 10 12 13, 1 4 5 6 8 10'),
  17: { cycle: 17, base: multiples([0, 1, 2, 4, 8, 13], 17) },
  18: parse(17, '0 3 6 12 13 14, 1 3 12 13 16 17, 2 3 7 8 10 12'),
  19: parse(19, '1 7 8 11 12 18, 2 3 5 14 16 17, 4 6 9 10 13 15'),
  20: parse(
    19,
    '4 9 12 13 15 17, 0 2 9 11 16 19, 1 2 8 11 16 18, 2 4 5 8 9 14, 0 3 12 14 15 19',
    '2 8 12 13 14 19, 3 9 13 14 15 17, 5 8 9 12 16 18, 0 1 6 7 8 16, 0 8 11 13 14 15',
  ),
};

/** Returns the smallest known design with blocks of six in which every pair of `players` (6 to 20) meets equally often. Throws RangeError. */
export function balancedDesign(players: number): number[][] {
  const design = designs[players];
  if (!design) throw new RangeError(`no balanced design of ${players} players is known`);
  const { cycle, base } = design;
  const movingPoints = players - (players % cycle);
  const next = (point: number, steps: number) =>
    point < movingPoints ? point - (point % cycle) + (((point % cycle) + steps) % cycle) : point;
  return base.flatMap((block) =>
    Array.from({ length: cycle }, (_, steps) => block.map((point) => next(point, steps)).sort((a, b) => a - b)),
  );
}

/** Multiplies a block by 1 to (prime - 1) / 2. Together, the differences of these blocks are all non-zero residues equally often. */
function multiples(block: readonly number[], prime: number): number[][] {
  return Array.from({ length: (prime - 1) / 2 }, (_, n) => block.map((point) => (point * (n + 1)) % prime));
}

function parse(cycle: number, ...blocks: string[]): BaseBlocks {
  const base = blocks.flatMap((line) => line.split(', ')).map((block) => block.split(' ').map(Number));
  return { cycle, base };
}
