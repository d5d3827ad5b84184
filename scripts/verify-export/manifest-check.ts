import { countsOfNumber, noMatches } from '@husky/match/match-counts';
import { firstDifference, shown } from '@husky/match/play-difference';
import { manifestOf } from '../../services/live-data/src/exports/domain/archive-texts.ts';
import {
  cardYaml,
  type Described,
  metadataFiles,
  parseDescription,
} from '../../services/live-data/src/exports/domain/metadata.ts';
import type { Scope } from '../../services/live-data/src/exports/domain/scope.ts';
import type { Archive, Manifest, Row } from './archive.ts';
import type { Comparison } from './compare-tables.ts';
import { statedFields } from './not-covered.ts';

type Report = (sentence: string) => void;

/** A file of the archive as it was read; `rows`: of a Parquet file. */
export interface ReadFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly rows: number | null;
}

/** What was read of an archive. */
interface Found {
  readonly sums: { readonly matches: number; readonly hands: number };
  readonly files: readonly ReadFile[];
  /** By table. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
}

type Tables = Readonly<Record<string, readonly Row[]>>;

/** Makes the manifest again of what was read, and compares both. */
export function checkManifest(manifest: Manifest, found: Found, comparison: Comparison, report: Report): void {
  const isFirstVersion = manifest.format_version === 1;
  const expected = expectedManifest(manifest, found);
  if (!isFirstVersion)
    for (const key of Object.keys(expected)) if (!(key in manifest)) report(`manifest.json: ${key} is missing.`);
  const computed = (object: object): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(object).filter(([key]) => key !== 'signature' && !statedFields.has(`manifest.${key}`)),
    );
  const columns = (all: Tables, has: (table: string, column: string) => boolean) =>
    Object.fromEntries(
      Object.entries(all)
        .filter(([table]) => !comparison.mayLack(table))
        .map(([table, list]) => {
          const present = list.filter(({ name }) => has(table, String(name)));
          return [table, Object.fromEntries(present.map(({ name, about: _, ...column }) => [name, column]))];
        }),
    );
  // An export of version 1 has fewer tables and columns, and may have no counts.
  const isThere = (table: string, column: string) =>
    !isFirstVersion || (found.columns.get(table)?.has(column) ?? !comparison.mayLack(column));
  const { counts, ...others } = computed(expected);
  const right = {
    ...others,
    format_version: manifest.format_version,
    ...(manifest.counts !== undefined && { counts }),
    tables: columns(expected.tables, isThere),
  };
  const wrong = {
    ...computed(manifest),
    tables: columns((manifest as unknown as { tables: Tables }).tables, () => true),
  };
  const difference = firstDifference(right, wrong, { unknown: comparison.unknown });
  if (difference === null) return;
  const { path, expected: one, found: other } = difference;
  report(`manifest.json: ${path}: expected ${shown(one)}, found ${shown(other)}.`);
}

function expectedManifest(manifest: Manifest, { sums, files }: Found): Record<string, unknown> & { tables: Tables } {
  const { batch_id: batchId, period } = manifest;
  const scope = (
    batchId === null
      ? {
          batchId,
          from: new Date(period?.from ?? 0),
          to: new Date(period?.to ?? 0),
          ...(period?.ladder && { ladder: period.ladder }),
        }
      : { batchId }
  ) as Scope;
  const facts = {
    id: '',
    scope,
    batchNumber: manifest.batch_number,
    site: '',
    license: '',
    madeAt: new Date(0),
    counts: { ...countsOfNumber(noMatches, 0), ...manifest.counts, counted: sums.matches },
    matches: sums.matches,
    hands: sums.hands,
    files: manifest.files.map(
      ({ path }) => files.find((file) => file.path === path) ?? { path, size: 0, sha256: '', rows: null },
    ),
  };
  return JSON.parse(JSON.stringify(manifestOf(facts))) as Record<string, unknown> & { tables: Tables };
}

/** Makes the descriptions again of what the manifest says, and compares them. */
export async function checkDescriptions(archive: Archive, comparison: Comparison, report: Report): Promise<void> {
  const described = archive.manifest as unknown as Described;
  try {
    for (const [path, text] of Object.entries({ 'README.md': cardYaml(described), ...metadataFiles(described) })) {
      const found = await archive.read(path);
      if (found === null) {
        report(`${path} is missing.`);
        continue;
      }
      const [right, wrong] = [text, String(found)].map((one) => parseDescription(path, one) as object);
      const unknown = new Set<string>();
      const difference = firstDifference(right ?? {}, wrong ?? {}, { unknown });
      for (const field of unknown) comparison.unknown.add(`${path} ${field}`);
      if (difference === null) continue;
      const { path: field, expected, found: other } = difference;
      report(`${path}: ${field}: expected ${shown(expected)} as in manifest.json, found ${shown(other)}.`);
    }
  } catch (error) {
    report(`The descriptions cannot be compared: ${(error as Error).message}`);
  }
}
