import { houseUserId } from '@husky/contracts/house-user';
import { LUCK_VERSION } from '@husky/estimate/luck-match';
import { computeStandings, type MatchSums, METHODOLOGY_VERSION } from '@husky/estimate/standings';
import { checkSignature, type FileSignature, signatureOf, withoutSignature } from '@husky/match/file-signature';
import type { NotCovered } from '@husky/match/not-covered';
import { PlannedMatches } from '@husky/match/plan-names';
import { shown } from '@husky/match/play-difference';
import { NoteError, type NoteKey } from '@husky/match/signed-note';
import { VerificationFailure } from '@husky/match/verify-match';
import { addToTotals, botRows, lastNames, type Totals } from '../../services/live-data/src/exports/domain/bots.ts';
import type { ExportedMatch } from '../../services/live-data/src/exports/domain/match-rows.ts';
import { dayOf } from '../../services/live-data/src/exports/domain/scope.ts';
import { pairRows, standingsRows } from '../../services/live-data/src/exports/domain/standings-rows.ts';
import { rowsOf, type TableName } from '../../services/live-data/src/exports/domain/tables.ts';
import { type Archive, type Row, sha256 } from './archive.ts';
import { Comparison, compareRows } from './compare-tables.ts';
import { checkDescriptions, checkManifest, type ReadFile } from './manifest-check.ts';
import { type MatchTables, matchTables, sumsOf, type VerifiedMatch, verifyMatch } from './match-tables.ts';
import { notCovered, otherVersion, statedFields, withoutList, withoutPlan } from './not-covered.ts';

const adjustedColumns = ['hand_players.adjusted_net', 'results.adjusted_net'];

/** Checks an export part by part. Failures are reported as sentences, at most one for each file, table and match. */
export class ExportCheck {
  readonly sums = { matches: 0, hands: 0, actions: 0, unpublished: 0 };
  readonly #comparison: Comparison;
  readonly #archive: Archive;
  readonly #report: (sentence: string) => void;
  #totals: Totals = {};
  readonly #names = new Map<string, string>();
  readonly #seeds = new Map<string, unknown>();
  readonly #dealSets = new Map<unknown, string>();
  readonly #planned = new PlannedMatches();
  readonly #unboundNames = new Set<string>();
  #unplanned = 0;
  #unlisted = 0;
  readonly #matchSums = new Map<string, MatchSums>();
  /** Columns of the tables in the archive. */
  readonly #columns = new Map<string, ReadonlySet<string>>();
  readonly #files: ReadFile[] = [];

  constructor(archive: Archive, report: (sentence: string) => void) {
    this.#archive = archive;
    this.#report = report;
    this.#comparison = new Comparison(archive.manifest.format_version, this.#hasOtherLuck ? adjustedColumns : []);
  }

  /** Columns and fields of a later release. */
  get unknown(): ReadonlySet<string> {
    return this.#comparison.unknown;
  }

  /** What this export has and nobody can compute. */
  get notCovered(): NotCovered[] {
    const found = [...withoutPlan(this.#unplanned, this.#unboundNames), ...notCovered];
    if (this.#unlisted > 0) found.push(withoutList(this.#unlisted));
    if (this.#hasOtherLuck) found.push(otherVersion('values without luck', adjustedColumns));
    if (this.#hasOtherMethods) found.push(otherVersion('standings and pairs', ['standings.*', 'pairs.*']));
    return found;
  }

  /** How many of the planned matches are verified, as a sentence; null without a plan. */
  get planned(): string | null {
    return this.#planned.sentence;
  }

  get #isFirstVersion(): boolean {
    return this.#archive.manifest.format_version === 1;
  }

  get #hasOtherLuck(): boolean {
    return !this.#isFirstVersion && this.#archive.manifest.luck_version !== LUCK_VERSION;
  }

  get #hasOtherMethods(): boolean {
    return !this.#isFirstVersion && this.#archive.manifest.methodology_version !== METHODOLOGY_VERSION;
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
        this.#add(match, found);
        if (match.seed === null) this.sums.unpublished += 1;
        else this.#addVerified(verifyMatch(sorted(found), phh.get(jobId) ?? '', this.#comparison));
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

  #addVerified({ actions, place, unboundNames, hasListedSeed }: VerifiedMatch): void {
    this.sums.actions += actions;
    if (!hasListedSeed) this.#unlisted += 1;
    for (const name of unboundNames) this.#unboundNames.add(name);
    if (place === null) {
      this.#unplanned += 1;
      return;
    }
    this.#planned.add(place);
    const { batch_id: stated } = this.#archive.manifest;
    if (stated !== null && stated !== place.batchId)
      throw new VerificationFailure(
        null,
        `matches.plan: manifest.json has the batch_id ${stated}, not ${place.batchId}.`,
      );
  }

  /** Adds a match to the sums of its bots and of the standings, and compares it with the other matches and the manifest. */
  #add(match: Row, found: MatchTables): void {
    const { results } = found;
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
    const sameSeed = this.#dealSets.get(seed) ?? set;
    if (!this.#isFirstVersion && seed !== null && sameSeed !== set) fail('matches.deal_set', sameSeed, set);
    this.#dealSets.set(seed, set);
    for (const { user_id: id, username, name_salt: salt } of results) {
      // A plan has the name at its time.
      if (typeof salt === 'string') continue;
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
      names: results.map(({ username }) => String(username)),
    } as unknown as ExportedMatch;
    this.#totals = addToTotals(
      this.#totals,
      exported,
      results.map(({ delta }) => Number(delta)),
    );
    const isTest = results.some(({ user_id }) => user_id === houseUserId);
    if (!this.#isFirstVersion && match.no_contest !== true && !isTest)
      this.#matchSums.set(String(match.job_id), sumsOf(match, found));
  }

  /** Compares the table of bots and the manifest with what was read. `phh`: the files whose matches were not found. */
  async finish(phh: ReadonlyMap<string, string>): Promise<void> {
    for (const jobId of phh.keys()) this.#report(`A PHH file is of match ${jobId}, which is not in the tables.`);
    await this.#checkBots();
    if (!this.#isFirstVersion && !this.#hasOtherMethods) await this.#checkStandings();
    const found = { sums: this.sums, files: this.#files, columns: this.#columns };
    checkManifest(this.#archive.manifest, found, this.#comparison, this.#report);
    if (!this.#isFirstVersion) await checkDescriptions(this.#archive, this.#comparison, this.#report);
  }

  async #checkBots(): Promise<void> {
    const batches = Object.fromEntries(
      Object.values(this.#totals).flatMap(({ batchId }) =>
        batchId === null ? [] : [[batchId, { number: Number(batchId), metadata: '' }]],
      ),
    );
    const rows = botRows(this.#totals, { batches });
    await this.#checkTable('bots', rows);
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

  async #checkStandings(): Promise<void> {
    // Sums of doubles depend on their order: that of the site.
    const matches = [...this.#matchSums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sums]) => sums);
    const standings = computeStandings(matches);
    const names = lastNames(this.#totals);
    const nameOf = (userId: string) => names.get(userId) ?? 'unknown';
    await this.#checkTable('standings', standingsRows(standings, nameOf));
    await this.#checkTable('pairs', pairRows(standings, nameOf));
  }

  /** Compares a table of the whole export with its computed rows. */
  async #checkTable(table: TableName, rows: readonly Row[]): Promise<void> {
    const keyOf = (row: Row) => rowsOf[table].key.map((name) => String(row[name])).join(' ');
    const inOrder = (all: readonly Row[]) => all.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const comparison = new Comparison(this.#archive.manifest.format_version, statedFields);
    try {
      const paths = this.#archive.paths.filter((path) => path.startsWith(`${table}/`));
      const found = (await Promise.all(paths.map((path) => this.#archive.rows(path)))).flat();
      compareRows(table, inOrder(rows), inOrder(found), comparison);
    } catch (error) {
      this.#report(`The table of ${table}: ${(error as Error).message}`);
    }
    for (const name of comparison.unknown) this.#comparison.unknown.add(name);
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
