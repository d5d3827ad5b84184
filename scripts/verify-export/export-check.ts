import { firstDifference, shown } from '@husky/match/differences';
import { checkSignature, type FileSignature, signatureOf, withoutSignature } from '@husky/match/file-signature';
import { countsOfNumber, noMatches } from '@husky/match/match-counts';
import { NoteError, type NoteKey } from '@husky/match/signed-note';
import { VerificationFailure } from '@husky/match/verify-match';
import { manifestText } from '../../services/live-data/src/exports/domain/archive-texts.ts';
import { addToTotals, botRows, type Totals } from '../../services/live-data/src/exports/domain/bots.ts';
import type { ExportedMatch } from '../../services/live-data/src/exports/domain/match-rows.ts';
import { dayOf, type Scope } from '../../services/live-data/src/exports/domain/scope.ts';
import { type Archive, type Row, sha256 } from './archive.ts';
import { compareRows } from './compare-tables.ts';
import { type MatchTables, matchTables, verifyMatch } from './match-tables.ts';
import { notCovered } from './not-covered.ts';

/** Checks an export part by part. Failures are reported as sentences, at most one for each file, table and match. */
export class ExportCheck {
  readonly sums = { matches: 0, hands: 0, actions: 0, unpublished: 0 };
  readonly unknown = new Set<string>();
  readonly #archive: Archive;
  readonly #report: (sentence: string) => void;
  #totals: Totals = {};
  readonly #names = new Map<string, string>();
  readonly #seeds = new Map<string, unknown>();
  /** Columns of the tables in the archive. */
  readonly #columns = new Map<string, ReadonlySet<string>>();
  readonly #files: { path: string; size: number; sha256: string; rows: number | null }[] = [];

  constructor(archive: Archive, report: (sentence: string) => void) {
    this.#archive = archive;
    this.#report = report;
  }

  /** Reads all files and compares them with the manifest. Returns the PHH files by the match that they name. */
  async readFiles(): Promise<Map<string, string>> {
    const phh = new Map<string, string>();
    const { manifest, paths } = this.#archive;
    const listed = new Map(manifest.files.map((file) => [file.path, file]));
    for (const path of paths)
      if (path !== 'manifest.json' && !listed.has(path)) this.#report(`${path} is not in the manifest.`);
    for (const { path, sha256: expected } of manifest.files) {
      try {
        const content = await this.#archive.read(path);
        if (content === null) {
          this.#report(`${path} is missing.`);
          continue;
        }
        const hash = sha256(content);
        if (hash !== expected) this.#report(`${path}: its SHA-256 is ${hash}, not ${expected}.`);
        const isTable = path.endsWith('.parquet');
        const rows = isTable && hash === expected ? await this.#archive.rows(path) : null;
        const [table = ''] = path.split('/');
        if (rows?.[0] !== undefined) this.#columns.set(table, new Set(Object.keys(rows[0])));
        this.#files.push({ path, size: content.length, sha256: hash, rows: rows?.length ?? null });
        if (!path.startsWith('phh/')) continue;
        const text = String(content);
        const jobId = /^# match (\S+) /.exec(text)?.[1] ?? '';
        if (phh.has(jobId) || jobId === '') this.#report(`${path} names no match, or one that another file names.`);
        phh.set(jobId, text);
      } catch (error) {
        this.#report(`${path} is damaged: ${(error as Error).message}.`);
      }
    }
    return phh;
  }

  /** Verifies the matches of one part. All rows of a match are in the files of one part. */
  async verifyPart(part: string, phh: Map<string, string>): Promise<void> {
    const read = async (table: string) =>
      Map.groupBy(await this.#archive.rows(`${table}/${part}`), ({ job_id }) => String(job_id));
    const rows = new Map(await Promise.all(matchTables.map(async (table) => [table, await read(table)] as const)));
    const ids = new Set([...rows.values()].flatMap((byMatch) => [...byMatch.keys()]));
    for (const jobId of ids) {
      const found = Object.fromEntries(
        matchTables.map((table) => [table, rows.get(table)?.get(jobId) ?? []]),
      ) as unknown as MatchTables;
      const [match] = found.matches;
      if (match === undefined) {
        this.#report(`${part}: match ${jobId} is in no row of matches.job_id.`);
        continue;
      }
      this.sums.matches += 1;
      this.sums.hands += found.hands.length;
      try {
        this.#add(match, found.results);
        if (match.seed === null) this.sums.unpublished += 1;
        else this.sums.actions += verifyMatch(sorted(found), phh.get(jobId) ?? '', this.unknown);
      } catch (error) {
        const known =
          error instanceof Error &&
          ['VerificationFailure', 'RecordMismatch', 'RangeError', 'TypeError'].includes(error.name);
        if (!known) throw error;
        this.#report(`${matchName(match)}: ${error.message}`);
      }
      phh.delete(jobId);
    }
  }

  /** Adds a match to the sums of its bots, and compares it with the other matches and the manifest. */
  #add(match: Row, results: readonly Row[]): void {
    const { batch_number: manifestBatch, period } = this.#archive.manifest;
    const fail = (column: string, expected: unknown, found: unknown) => {
      throw new VerificationFailure(null, `${column}: expected ${shown(expected)}, found ${shown(found)}.`);
    };
    if (manifestBatch !== null && match.batch_number !== manifestBatch)
      fail('matches.batch_number', manifestBatch, match.batch_number);
    const day = dayOf(match.started_at as Date);
    if (period && (day < period.from || day > period.to))
      fail('matches.started_at', `${period.from} to ${period.to}`, day);
    const set = String(match.deal_set);
    const seed = this.#seeds.get(set) ?? match.seed;
    if (seed !== match.seed) fail('matches.deal_set', 'the same seed in all of its matches', match.seed);
    this.#seeds.set(set, seed);
    for (const { user_id: id, username } of results) {
      const before = this.#names.get(String(id)) ?? username;
      if (before !== username) fail('results.username', before, username);
      this.#names.set(String(id), String(username));
    }
    const exported = {
      match: {
        batchId: match.batch_number === null ? null : String(match.batch_number),
        playerIds: results.map(({ user_id }) => user_id),
      },
      facts: { seats: results.map((row) => ({ botHash: row.bot_hash, packagesHash: row.packages_hash ?? '' })) },
      attempt: { hands: Number(match.hands) },
    } as unknown as ExportedMatch;
    this.#totals = addToTotals(
      this.#totals,
      exported,
      results.map(({ delta }) => Number(delta)),
    );
  }

  /** Compares the table of bots and the manifest with what was read. `phh`: the files whose matches were not found. */
  async finish(phh: ReadonlyMap<string, string>): Promise<void> {
    for (const jobId of phh.keys()) this.#report(`A PHH file is of match ${jobId}, which is not in the tables.`);
    await this.#checkBots();
    this.#checkManifest();
  }

  async #checkBots(): Promise<void> {
    const batches = Object.fromEntries(
      Object.values(this.#totals).flatMap(({ batchId }) =>
        batchId === null ? [] : [[batchId, { number: Number(batchId), metadata: '' }]],
      ),
    );
    const input = { names: Object.fromEntries(this.#names), batches, site: '' };
    const keys = ['batch_number', 'user_id', 'bot_hash', 'packages_hash'];
    const keyOf = (row: Row) => keys.map((name) => String(row[name])).join(' ');
    const inOrder = (rows: readonly Row[]) => rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const stated = new Set(notCovered.flatMap(({ fields }) => fields));
    stated.delete('bots.username');
    try {
      const paths = this.#archive.paths.filter((path) => path.startsWith('bots/'));
      const found = (await Promise.all(paths.map((path) => this.#archive.rows(path)))).flat();
      compareRows('bots', inOrder(botRows(this.#totals, input)), inOrder(found), this.unknown, stated);
    } catch (error) {
      this.#report(`The table of bots: ${(error as Error).message}`);
    }
  }

  /** Checks the signature of the manifest. */
  checkSignature(keys: readonly NoteKey[]): FileSignature {
    const text = this.#archive.manifestText;
    try {
      return checkSignature(
        { signature: signatureOf(text), kind: 'export', hash: sha256(Buffer.from(withoutSignature(text))) },
        keys,
      );
    } catch (error) {
      if (!(error instanceof NoteError)) throw error;
      this.#report(`manifest.json: signature: ${error.message}.`);
      return { state: 'unsigned', key: null };
    }
  }

  /** Makes the manifest again. */
  #checkManifest(): void {
    const { manifest } = this.#archive;
    const { period } = manifest;
    const scope = (
      manifest.batch_id === null
        ? { batchId: null, from: new Date(period?.from ?? 0), to: new Date(period?.to ?? 0) }
        : { batchId: manifest.batch_id }
    ) as Scope;
    const { matches, hands } = this.sums;
    const files = manifest.files.map(
      ({ path }) => this.#files.find((file) => file.path === path) ?? { path, size: 0, sha256: '', rows: null },
    );
    const facts = {
      id: '',
      scope,
      batchNumber: manifest.batch_number,
      site: '',
      madeAt: new Date(0),
      counts: { ...countsOfNumber(noMatches, 0), ...manifest.counts, counted: matches },
      matches,
      hands,
      files,
    };
    const expected = JSON.parse(manifestText(facts)) as Record<string, unknown> & {
      tables: Record<string, { name: string }[]>;
    };
    const free = new Set([...notCovered.flatMap(({ fields }) => fields), 'manifest.signature']);
    const of = (object: object) =>
      Object.fromEntries(Object.entries(object).filter(([key]) => !free.has(`manifest.${key}`)));
    const columns = (all: Readonly<Record<string, readonly Row[]>>, has: (table: string, column: string) => boolean) =>
      Object.fromEntries(
        Object.entries(all).map(([table, list]) => {
          const present = list.filter(({ name }) => has(table, String(name)));
          return [table, Object.fromEntries(present.map(({ name, about: _, ...column }) => [name, column]))];
        }),
      );
    // An export of an earlier release has fewer columns.
    const isThere = (table: string, column: string) => this.#columns.get(table)?.has(column) ?? true;
    // An export of an earlier release has no counts.
    const { counts, ...others } = of(expected);
    const right = {
      ...others,
      ...(manifest.counts !== undefined && { counts }),
      tables: columns(expected.tables, isThere),
    };
    const wrong = { ...of(manifest), tables: columns((manifest as unknown as typeof expected).tables, () => true) };
    const difference = firstDifference(right, wrong, { unknown: this.unknown });
    if (difference !== null)
      this.#report(
        `manifest.json: ${difference.path}: expected ${shown(difference.expected)}, found ${shown(difference.found)}.`,
      );
  }
}

const order = (row: Row): number[] => [row.hand, row.number, row.seat].map((value) => Number(value ?? 0));

/** Returns the rows of a match in the order in which they are exported. */
function sorted(found: MatchTables): MatchTables {
  const compare = (a: Row, b: Row) => {
    const [first, second] = [order(a), order(b)];
    const index = first.findIndex((value, place) => value !== second[place]);
    return index < 0 ? 0 : (first[index] ?? 0) - (second[index] ?? 0);
  };
  return Object.fromEntries(
    Object.entries(found).map(([table, rows]) => [table, rows.toSorted(compare)]),
  ) as unknown as MatchTables;
}

function matchName({ batch_number: batch, game_number: game, job_id: id }: Row): string {
  return batch === null ? `Match ${String(id)}` : `Game #${String(game)} of batch #${String(batch)} (${String(id)})`;
}
