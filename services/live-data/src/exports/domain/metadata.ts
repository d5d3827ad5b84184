import { dump, load } from 'js-yaml';
import { type Column, type ColumnType, rowsOf, type TableName } from './tables.ts';

/** What manifest.json says about an export, from which the other descriptions are made. */
export interface Described {
  readonly content: string;
  readonly batch_number: number | null;
  readonly period: { readonly from: string; readonly to: string; readonly ladder?: true } | null;
  readonly source: string;
  readonly made_at: string;
  readonly format_version: number;
  readonly license: { readonly name: string; readonly text: string };
  readonly matches: number;
  readonly hands: number;
  readonly tables: Readonly<Record<string, readonly Column[]>>;
  readonly files: readonly { readonly path: string; readonly size: number; readonly sha256: string }[];
}

type Json = Readonly<Record<string, unknown>>;

const platform = "Husky Hold'em";
const about = "No-Limit Texas Hold'em between Python bots";
const keywords = ['poker', 'texas-holdem', 'games', 'agents', 'benchmark'];

/** A type of a column in Croissant (schema.org) and in Frictionless (Table Schema). */
const types: Readonly<Record<ColumnType, { readonly croissant: string; readonly frictionless: string }>> = {
  string: { croissant: 'sc:Text', frictionless: 'string' },
  int32: { croissant: 'sc:Integer', frictionless: 'integer' },
  int64: { croissant: 'sc:Integer', frictionless: 'integer' },
  double: { croissant: 'sc:Float', frictionless: 'number' },
  boolean: { croissant: 'sc:Boolean', frictionless: 'boolean' },
  timestamp: { croissant: 'sc:DateTime', frictionless: 'datetime' },
};

const titleOf = ({ content }: Described) => `${platform}: ${content}`;
const dayMade = ({ made_at: madeAt }: Described) => madeAt.slice(0, 10);
const nameOf = ({ batch_number: number, period }: Described) =>
  `husky-holdem-${period === null ? `batch-${number}` : `${period.ladder ? 'ladder-' : ''}${period.from}-to-${period.to}`}`;
const descriptionOf = (described: Described) =>
  `${described.matches} matches, ${described.hands} hands of ${about}: ${described.content}.`;
const tablesOf = ({ tables }: Described) => Object.entries(tables) as [TableName, readonly Column[]][];
const aboutTable = (table: TableName) => `A row is ${rowsOf[table]?.about ?? 'of a later release'}.`;
const keyOf = (table: TableName) => rowsOf[table]?.key ?? [];
const jsonText = (value: object) => `${JSON.stringify(value, null, 1)}\n`;

/** Returns the descriptions of an export by path: Croissant, Frictionless with a schema for each table, and CITATION.cff. */
export function metadataFiles(described: Described): Readonly<Record<string, string>> {
  const schemas = tablesOf(described).map(([table, columns]) => [
    schemaPath(table),
    jsonText(schemaOf(table, columns)),
  ]);
  return {
    'croissant.json': jsonText(croissant(described)),
    'datapackage.json': jsonText(dataPackage(described)),
    ...Object.fromEntries(schemas),
    'CITATION.cff': dump(citation(described), { lineWidth: -1 }),
  };
}

/** Returns the fields of a description, for README.md those of the YAML at its beginning. Throws an Error if it cannot be parsed. */
export function parseDescription(path: string, text: string): unknown {
  if (path.endsWith('.json')) return JSON.parse(text);
  return load(path === 'README.md' ? (text.split(/^---$/m)[1] ?? '') : text);
}

/** Returns the YAML that begins the dataset card README.md: `datasets.load_dataset` reads the tables by it (Hugging Face, Dataset Cards). */
export function cardYaml(described: Described): string {
  const yaml = dump(
    {
      pretty_name: titleOf(described),
      license: described.license.name.toLowerCase(),
      license_link: described.license.text,
      tags: keywords,
      size_categories: [sizeCategory(described.hands)],
      configs: tablesOf(described).map(([table]) => ({
        config_name: table,
        ...(table === 'results' && { default: true }),
        data_files: `${table}/*.parquet`,
      })),
    },
    { lineWidth: -1 },
  );
  return `---\n${yaml}---\n`;
}

function sizeCategory(rows: number): string {
  const names = ['1K', '10K', '100K', '1M', '10M', '100M'];
  const exponent = Math.floor(Math.log10(Math.max(rows, 1))) - 2;
  if (exponent <= 0) return 'n<1K';
  return exponent >= names.length ? 'n>100M' : `${names[exponent - 1]}<n<${names[exponent]}`;
}

/** Citation File Format 1.2.0. */
const citation = (described: Described): Json => ({
  'cff-version': '1.2.0',
  message: 'If you use this data set, please cite it as below.',
  type: 'dataset',
  title: titleOf(described),
  abstract: descriptionOf(described),
  authors: [{ name: platform }],
  url: described.source,
  'date-released': dayMade(described),
  version: `${described.format_version}.0.0`,
  license: described.license.name,
  keywords,
});

const schemaPath = (table: TableName) => `schemas/${table}.json`;

/** Frictionless Table Schema. */
const schemaOf = (table: TableName, columns: readonly Column[]): Json => ({
  fields: columns.map(({ name, type, nullable, about: description }) => ({
    name,
    // frictionless reads Parquet by pandas, where integers that may be null are numbers.
    type: types[type].frictionless === 'integer' && nullable ? 'number' : types[type].frictionless,
    description,
    ...(nullable !== true && { constraints: { required: true } }),
  })),
  ...(keyOf(table).every((key) => columns.some(({ name, nullable }) => name === key && nullable !== true)) && {
    primaryKey: keyOf(table),
  }),
  // An empty text is a value.
  missingValues: [],
});

/** Frictionless Data Package: each Parquet file is a resource with its hash. */
const dataPackage = (described: Described): Json => ({
  $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
  name: nameOf(described),
  title: titleOf(described),
  description: descriptionOf(described),
  homepage: described.source,
  created: described.made_at,
  version: `${described.format_version}.0.0`,
  licenses: [{ name: described.license.name, path: described.license.text }],
  keywords,
  contributors: [{ title: platform, roles: ['creator'] }],
  resources: described.files
    .filter(({ path }) => path.endsWith('.parquet'))
    .map(({ path, size, sha256 }) => {
      const [table = '', part = ''] = path.replace('.parquet', '').split('/');
      return {
        name: `${table}-${part}`,
        description: aboutTable(table as TableName),
        path,
        format: 'parquet',
        mediatype: 'application/vnd.apache.parquet',
        bytes: size,
        hash: `sha256:${sha256}`,
        schema: schemaPath(table as TableName),
      };
    }),
});

/** Croissant 1.0 (MLCommons). */
const croissant = (described: Described): Json => ({
  '@context': croissantContext,
  '@type': 'sc:Dataset',
  name: nameOf(described),
  description: descriptionOf(described),
  conformsTo: 'http://mlcommons.org/croissant/1.0',
  citeAs: `${titleOf(described)}. ${described.source}, ${dayMade(described)}.`,
  creator: { '@type': 'sc:Organization', name: platform },
  datePublished: dayMade(described),
  keywords,
  license: described.license.text,
  url: described.source,
  version: `${described.format_version}.0.0`,
  distribution: tablesOf(described).map(([table]) => ({
    '@type': 'cr:FileSet',
    '@id': `${table}-files`,
    name: `${table}-files`,
    // The name that mlcroissant reads.
    encodingFormat: 'application/x-parquet',
    includes: `${table}/*.parquet`,
  })),
  recordSet: tablesOf(described).map(([table, columns]) => ({
    '@type': 'cr:RecordSet',
    '@id': table,
    name: table,
    description: aboutTable(table),
    key: keyOf(table).map((column) => ({ '@id': `${table}/${column}` })),
    field: columns.map(({ name, type, about: description }) => ({
      '@type': 'cr:Field',
      '@id': `${table}/${name}`,
      name,
      description,
      dataType: types[type].croissant,
      source: { fileSet: { '@id': `${table}-files` }, extract: { column: name } },
    })),
  })),
});

const ofCroissant = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, `cr:${name}`]));

/** The context that the specification of Croissant 1.0 asks for. */
const croissantContext: Json = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  ...ofCroissant(
    'citeAs column equivalentProperty extract field fileProperty fileObject fileSet format includes isLiveDataset jsonPath key',
  ),
  ...ofCroissant(
    'md5 parentField path recordSet references regex repeated replace samplingRate separator source subField transform',
  ),
  conformsTo: 'dct:conformsTo',
  cr: 'http://mlcommons.org/croissant/',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  dct: 'http://purl.org/dc/terms/',
  examples: { '@id': 'cr:examples', '@type': '@json' },
  rai: 'http://mlcommons.org/croissant/RAI/',
  sc: 'https://schema.org/',
};
