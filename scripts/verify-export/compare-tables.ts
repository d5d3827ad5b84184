import { phhFields, phhTables } from '@husky/match/phh';
import { firstDifference, shown } from '@husky/match/play-difference';
import { VerificationFailure } from '@husky/match/verify-match';
import { type Column, type TableName, tables } from '../../services/live-data/src/exports/domain/tables.ts';
import type { Row } from './archive.ts';

/** Columns and tables that exports of version 1 may lack. */
const later = [
  'seed_proof',
  'small_blind_seat',
  'big_blind_seat',
  'plan',
  'name_salt',
  'adjusted_net',
  'standings',
  'pairs',
];

/** How the tables of an export are compared. */
export class Comparison {
  /** Columns and fields of a later release. */
  readonly unknown = new Set<string>();
  /** Columns that are not compared, as table.column. */
  readonly skipped: ReadonlySet<string>;
  readonly #optional: ReadonlySet<string>;

  constructor(version: number, skipped: Iterable<string> = []) {
    this.#optional = new Set(version === 1 ? later : []);
    this.skipped = new Set(skipped);
  }

  mayLack(name: string): boolean {
    return this.#optional.has(name);
  }
}

const plain = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? Number(value) : value;

const tolerance = 1e-6;

/** Whether two sums of the same numbers are equal: those of doubles depend on the order. */
const isClose = (a: unknown, b: unknown): boolean =>
  typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a));

/**
 * Compares the rows of a table, given in the same order, with the computed ones. Throws VerificationFailure with hand, table, column and
 * place.
 */
export function compareRows(
  table: TableName,
  expected: readonly Row[],
  found: readonly Row[],
  comparison: Comparison,
): void {
  const columns: readonly Column[] = tables[table];
  const names = new Set(columns.map(({ name }) => name));
  for (const name of Object.keys(found[0] ?? {})) if (!names.has(name)) comparison.unknown.add(`${table}.${name}`);
  for (const [index, row] of expected.entries()) {
    const other = found[index] ?? {};
    for (const { name, type } of columns) {
      const [right, wrong] = [plain(row[name]), plain(other[name])];
      if (right === wrong || comparison.skipped.has(`${table}.${name}`)) continue;
      if (type === 'double' && isClose(right, wrong)) continue;
      if (wrong === undefined && comparison.mayLack(name) && found[index] !== undefined) continue;
      const where = ['seat', 'number'].filter((key) => key !== name && row[key] !== undefined && table !== 'matches');
      const place = where.map((key) => `, ${key === 'number' ? 'action' : key} ${String(row[key])}`).join('');
      const hand = row.hand === undefined ? null : Number(row.hand);
      throw new VerificationFailure(hand, `${table}.${name}${place}: expected ${shown(right)}, found ${shown(wrong)}.`);
    }
  }
  if (found.length > expected.length)
    throw new VerificationFailure(
      null,
      `${table}: ${expected.length} rows follow from the seed, it has ${found.length}.`,
    );
}

/** Compares a PHH file with the computed one. Throws VerificationFailure with hand and field. */
export function comparePhh(text: string, found: string, { unknown }: Comparison): void {
  const [right, wrong] = [phhTables(text), phhTables(found)];
  for (const [number, table] of right) {
    const difference = firstDifference(phhFields(table), phhFields(wrong.get(number) ?? ''), { unknown });
    if (difference === null) continue;
    const { path, expected, found: other } = difference;
    throw new VerificationFailure(number, `PHH, ${path}: expected ${shown(expected)}, found ${shown(other)}.`);
  }
  if (wrong.size !== right.size)
    throw new VerificationFailure(null, `PHH: ${right.size} hands follow from the seed, it has ${wrong.size}.`);
}
