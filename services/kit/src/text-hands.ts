import { csvCells } from '@husky/match/csv';

/** A hand of a PHH or CSV file. */
export interface TextHand {
  readonly number: number;
  /** The lines of its PHH table without the header. */
  readonly lines: readonly string[];
  /** Its CSV rows by column. */
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** The end of a file, without its key `type`. */
export type End = Readonly<Record<string, unknown>>;

const endMark = '# end ';

/** Yields the hands of a PHH file, and returns its end; null for a file that is cut off. Lines come without the manifest. */
export async function* phhHands(lines: AsyncIterable<string>): AsyncGenerator<TextHand, End | null> {
  let hand: { number: number; lines: string[]; rows: [] } | null = null;
  for await (const line of lines) {
    const header = /^\[(\d+)\]$/.exec(line);
    if (header !== null || line.startsWith(endMark)) {
      if (hand !== null) yield hand;
      if (header === null) return parseEnd(line);
      hand = { number: Number(header[1]), lines: [], rows: [] };
    } else if (line !== '') hand?.lines.push(line);
  }
  return null;
}

/** Yields the hands of a CSV file, and returns its end; null for a file that is cut off. Lines come without manifest and columns. */
export async function* csvHands(
  columns: readonly string[],
  lines: AsyncIterable<string>,
): AsyncGenerator<TextHand, End | null> {
  let number = 0;
  let rows: Readonly<Record<string, string>>[] = [];
  for await (const line of lines) {
    const isEnd = line.startsWith(endMark);
    const cells = isEnd ? [] : csvCells(line);
    const row = Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
    if (rows.length > 0 && (isEnd || Number(row.hand) !== number)) {
      yield { number, lines: [], rows };
      rows = [];
    }
    if (isEnd) return parseEnd(line);
    number = Number(row.hand);
    rows.push(row);
  }
  return null;
}

function parseEnd(line: string): End | null {
  try {
    return JSON.parse(line.slice(endMark.length)) as End;
  } catch {
    return null;
  }
}
