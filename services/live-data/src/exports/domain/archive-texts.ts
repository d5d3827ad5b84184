import { LUCK_VERSION } from '@husky/estimate/luck-match';
import { METHODOLOGY_VERSION } from '@husky/estimate/standings';
import { countsSentence, deletionsSentence, type MatchCounts } from '@husky/match/match-counts';
import { RULES_VERSION } from '@husky/match/rules-version';
import { licenseOf } from '@husky/runtime/process/data-license';
import { cardYaml, type Described } from './metadata.ts';
import { dayOf, EXPORT_VERSION, periodOf, type Scope } from './scope.ts';
import { type Column, tables } from './tables.ts';

export interface ManifestFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly rows: number | null;
}

export interface ManifestFacts {
  readonly id: string;
  readonly scope: Scope;
  readonly batchNumber: number | null;
  readonly site: string;
  /** SPDX id of the license of the data. */
  readonly license: string;
  readonly madeAt: Date;
  /** Of the batch; of a period those of the platform. */
  readonly counts: MatchCounts;
  readonly matches: number;
  readonly hands: number;
  readonly files: readonly ManifestFile[];
}

const scopeText = ({ scope, batchNumber }: Pick<ManifestFacts, 'scope' | 'batchNumber'>) =>
  scope.batchId === null
    ? `the ${scope.ladder ? "ladder's" : 'public'} matches from ${dayOf(scope.from)} to ${dayOf(scope.to)}`
    : `batch ${batchNumber}`;

const countedOf = ({ scope }: Pick<ManifestFacts, 'scope'>) => (scope.batchId === null ? 'platform' : 'batch');

/** A period has a part of the platform's matches, so only deletions say something about it. */
function noteOf({ scope, counts }: Pick<ManifestFacts, 'scope' | 'counts'>): string | null {
  return scope.batchId === null ? deletionsSentence(counts.deletedAfterPlay, counts.records) : countsSentence(counts);
}

/** Returns the content of manifest.json: that of the archive, the columns of its tables, and the hash of each other file. */
export function manifestOf(facts: ManifestFacts) {
  const { scope, files } = facts;
  return {
    format: 'husky-holdem-export',
    format_version: EXPORT_VERSION,
    export_id: facts.id,
    content: scopeText(facts),
    batch_id: scope.batchId,
    batch_number: facts.batchNumber,
    period: scope.batchId === null ? periodOf(scope) : null,
    source: facts.site,
    made_at: facts.madeAt.toISOString(),
    rules_version: RULES_VERSION,
    methodology_version: METHODOLOGY_VERSION,
    luck_version: LUCK_VERSION,
    license: licenseOf(facts.license),
    matches: facts.matches,
    hands: facts.hands,
    counts: { of: countedOf(facts), ...facts.counts, note: noteOf(facts) },
    tables: Object.fromEntries(
      Object.entries(tables).map(([name, columns]) => [name, (columns as readonly Column[]).map(presentColumn)]),
    ),
    files: files.map(({ path, size, sha256, rows }) => ({ path, size, sha256, ...(rows === null ? {} : { rows }) })),
  };
}

const presentColumn = ({ name, type, nullable, about }: Column) => ({ name, type, nullable: nullable ?? false, about });

/** Returns README.md of the archive, its dataset card. */
export function readmeText(manifest: Described & { readonly counts: { readonly note: string | null } }): string {
  const { content, matches, hands, source, license, counts, tables: described } = manifest;
  const folders = Object.keys(described).map((table) => `\`${table}\``);
  return `${cardYaml(manifest)}
# Husky Hold'em: ${content}

${matches} matches, ${hands} hands of No-Limit Texas Hold'em between Python bots. Source: ${source}
${counts.note ?? ''}
License of the data: [${license.name}](${license.text}). How to cite it: \`CITATION.cff\`.

- ${folders.join(', ')}: folders of Parquet files. All files of a folder are one table. \`manifest.json\` describes the columns
  and has the SHA-256 of every file; \`croissant.json\` and \`datapackage.json\` describe them to programs.
- \`phh\`: a file of Poker Hand History (https://phh.readthedocs.io) for each match.
- Join on \`job_id\`, \`hand\` and \`seat\`. Seats count from 1. One chip is one dollar.

## Read it

    unzip export.zip -d export

    # datasets of Hugging Face
    import datasets
    hands = datasets.load_dataset('export', 'hands', split='train')

    # DuckDB
    SELECT username, sum(delta) FROM 'export/results/*.parquet' GROUP BY username ORDER BY 2 DESC;

    # pandas (with pyarrow)
    import pandas
    hands = pandas.read_parquet('export/hands')

    # pyarrow, without loading everything
    import pyarrow.dataset
    actions = pyarrow.dataset.dataset('export/actions').to_table(filter=pyarrow.dataset.field('fault').is_valid())

    # PokerKit
    from pokerkit import HandHistory
    import pathlib
    for file in pathlib.Path('export/phh').iterdir():
        with file.open('rb') as opened:
            for hand in HandHistory.load_all(opened):
                *_, state = hand
                print(state.stacks)

PokerKit gives all odd chips of a split pot to one winner, the platform one to each. \`finishing_stacks\` has what was paid.

## Verify it

In a copy of the source code of the platform: \`make verify EXPORT=export.zip\`. It deals and plays every hand again from its seed, compares
every value, and lists what it does not cover. \`docs/standings.py export.zip\` computes the standings from the tables with other code.
`;
}
