import { listCalls, type Recorded, type Scores } from './history.ts';

/** Maximum number of applications in doubt whose subsets are all tried. With more the read is skipped. */
const maxInDoubt = 12;

type Publish = Extract<Recorded, { call: 'publish' }>;
type Board = Extract<Recorded, { call: 'board' }>;

/**
 * Checks that the board is the sum of the applied results. The scores of a read must be the sum of all applications that were done before
 * it and a subset of those in doubt, which were concurrent with the read or had no response. A repeated application counts once.
 */
export function checkBoard(calls: readonly Recorded[]): string[] {
  return readBoards(calls).flatMap(({ read, certain, inDoubt }) =>
    inDoubt.size > maxInDoubt ? [] : checkRead(read, certain, inDoubt),
  );
}

/** Returns how many reads of the board were skipped by `checkBoard`, because too many applications were in doubt. */
export const countSkippedReads = (calls: readonly Recorded[]): number =>
  readBoards(calls).filter(({ inDoubt }) => inDoubt.size > maxInDoubt).length;

interface BoardRead {
  readonly read: Board;
  /** Results that were applied before the read, by job. */
  readonly certain: ReadonlyMap<string, Scores>;
  /** Results of which it is not known whether they were applied before the read. */
  readonly inDoubt: ReadonlyMap<string, Scores>;
}

function readBoards(calls: readonly Recorded[]): BoardRead[] {
  const publications = listCalls(calls, 'publish').filter(({ outcome }) => outcome !== 'refused');
  const reads = listCalls(calls, 'board').filter(({ outcome }) => outcome === 'done');
  return reads.map((read) => ({ read, ...splitByCertainty(read, publications) }));
}

function splitByCertainty(read: Board, publications: readonly Publish[]): Omit<BoardRead, 'read'> {
  const certain = new Map<string, Scores>();
  const inDoubt = new Map<string, Scores>();
  for (const { jobId, result, outcome, start, end } of publications) {
    if (outcome === 'done' && end < read.start) certain.set(jobId, result);
    else if (start < read.end) inDoubt.set(jobId, result);
  }
  for (const jobId of certain.keys()) inDoubt.delete(jobId);
  return { certain, inDoubt };
}

function checkRead(read: Board, certain: BoardRead['certain'], inDoubt: BoardRead['inDoubt']): string[] {
  const missing = new Map<string, number>();
  for (const [username, score] of Object.entries(read.scores ?? {})) missing.set(username, cents(score));
  for (const result of certain.values()) add(missing, result, -1);
  if (isExplained(missing, [...inDoubt.values()])) return [];
  const rest = [...missing].filter(([, amount]) => amount !== 0).map(([name, amount]) => `${name} ${amount / 100}`);
  return [`a board differs from the ${certain.size} applied results: ${rest.join(', ')}`];
}

/** Returns whether a subset of the results adds up to the missing scores. */
function isExplained(missing: Map<string, number>, results: readonly Scores[]): boolean {
  const [first, ...others] = results;
  if (first === undefined) return [...missing.values()].every((amount) => amount === 0);
  if (isExplained(new Map(missing), others)) return true;
  const without = new Map(missing);
  add(without, first, -1);
  return isExplained(without, others);
}

function add(sums: Map<string, number>, scores: Scores, sign: 1 | -1): void {
  for (const [username, score] of Object.entries(scores)) {
    sums.set(username, (sums.get(username) ?? 0) + sign * cents(score));
  }
}

const cents = (amount: number) => Math.round(amount * 100);
