import { firstDifference, shown } from '@husky/match/differences';
import { phhFields, phhTables } from '@husky/match/phh-fields';
import { VerificationFailure } from '@husky/match/verify-match';
import { type Column, type TableName, tables } from '../../services/live-data/src/exports/domain/tables.ts';
import type { Row } from './archive.ts';

/** Columns that exports of earlier releases do not have. */
const laterColumns = new Set(['small_blind_seat', 'big_blind_seat']);

const plain = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? Number(value) : value;

/**
 * Compares the rows of a table, given in the same order, with the computed ones. Columns of `skipped` are not compared, those of a later
 * release are added to `unknown`. Throws VerificationFailure with hand, table, column and place.
 */
export function compareRows(
  table: TableName,
  expected: readonly Row[],
  found: readonly Row[],
  unknown: Set<string>,
  skipped: ReadonlySet<string> = new Set(),
): void {
  const columns: readonly Column[] = tables[table];
  const names = new Set(columns.map(({ name }) => name));
  for (const name of Object.keys(found[0] ?? {})) if (!names.has(name)) unknown.add(`${table}.${name}`);
  for (const [index, row] of expected.entries()) {
    const other = found[index] ?? {};
    for (const { name } of columns) {
      const [right, wrong] = [plain(row[name]), plain(other[name])];
      if (skipped.has(`${table}.${name}`)) continue;
      if (right === wrong || (wrong === undefined && laterColumns.has(name) && found[index] !== undefined)) continue;
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
export function comparePhh(text: string, found: string, unknown: Set<string>): void {
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
