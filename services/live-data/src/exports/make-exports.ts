import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { packBlockSums } from '@husky/estimate/match-sums';
import type { Standings } from '@husky/estimate/standings';
import { withSignature } from '@husky/match/file-signature';
import { countsOfNumber } from '@husky/match/match-counts';
import { RecordMismatch } from '@husky/match/replay';
import { DEFAULT_DATA_LICENSE } from '@husky/runtime/process/data-license';
import { isOutage } from '@husky/runtime/process/retry';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import type { Context } from '../context.ts';
import { readChunk } from '../domain/record.ts';
import { findAttempt } from '../store/attempts.ts';
import { chunksAfter } from '../store/chunks.ts';
import { findMatch } from '../store/matches.ts';
import { manifestOf, readmeText } from './domain/archive-texts.ts';
import { addToTotals, botRows, lastNames } from './domain/bots.ts';
import { type ExportedMatch, MatchRows, plannedName } from './domain/match-rows.ts';
import { metadataFiles } from './domain/metadata.ts';
import { ParquetFile } from './domain/parquet-file.ts';
import { pairRows, standingsRows } from './domain/standings-rows.ts';
import { type Row, type TableName, tables } from './domain/tables.ts';
import { MAX_ZIP_BYTES, MAX_ZIP_FILES, packFile } from './domain/zip.ts';
import { deleteEnded, dropOldExports, makeRoom } from './remove-exports.ts';
import { appendStep, finishArchive, listFiles, type NewFile, sha256 } from './store/archives.ts';
import {
  countFailure,
  type Export,
  endExport,
  matchDeleted,
  matchPrivate,
  nextExport,
  readMatches,
  scopeOf,
} from './store/exports.ts';

const maxFailures = 5;
// Other services or the bucket are away: an hour.
const maxOutages = 120;
// A pause as long as the work: at most half a processor, so that matches in play do not wait.
const pauseRatio = 1;
// Space for the last files and the directory of the archive.
const reservedBytes = 16 << 20;

const startedBefore = 'The platform was updated while this export was made. Please start it again.';

/** An error that ends the export, with its state and a sentence for its readers. */
class ExportEnd extends Error {
  readonly state: 'failed' | 'dropped';
  constructor(state: 'failed' | 'dropped', problem: string) {
    super(problem);
    this.state = state;
  }
}

/**
 * Makes the waiting exports, step by step in turn (nextExport). One replica at a time works, under an advisory lock. Continues an
 * interrupted export after its last stored step. Drops exports that are older than `keepDays`, or the oldest to stay within `maxBytes`, and
 * deletes the archives of ended exports.
 */
export async function makeExports(context: Context): Promise<void> {
  await context.workLocks.run('exports', async () => {
    await dropOldExports(context);
    await deleteEnded(context);
    while (!context.stopping.aborted) {
      const next = await nextExport(context.db);
      if (next === null) return;
      if (!(await continueExport(context, next))) return;
    }
  });
}

/** Makes the next step of an export. Returns false if it must be tried again later. */
async function continueExport(context: Context, current: Export): Promise<boolean> {
  const { id } = current;
  try {
    await makeStep(context, current);
    return true;
  } catch (error) {
    const end = endOf(error);
    if (end === null && context.stopping.aborted) return false;
    context.log.warn({ err: error, exportId: id }, `making export ${id}: ${messageOf(error)}`);
    const limit = isOutage(error) ? maxOutages : maxFailures;
    if (end === null && (await countFailure(context.db, id)) < limit) return false;
    const { state, message } = end ?? new ExportEnd('failed', 'The export could not be made. Please try again later.');
    await endExport(context.db, id, state, message, new Date(context.now()));
    return true;
  }
}

/** Returns how an error ends the export, or null if the step can be repeated. */
function endOf(error: unknown): ExportEnd | null {
  if (error instanceof ExportEnd) return error;
  if (error instanceof RecordMismatch || error instanceof RangeError) {
    return new ExportEnd('failed', `A stored match cannot be read: ${error.message}`);
  }
  return isDiskFull(error) ? new ExportEnd('failed', 'There was no space left to store the export.') : null;
}

// Code 53100 of PostgreSQL is disk_full. Prisma has it in the cause of its error or in the message.
function isDiskFull(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ((at as { code?: unknown }).code === '53100' || at.message.includes('53100')) return true;
  }
  return false;
}

/** Makes the next step and returns the export after it; null if the export has ended. Throws ExportEnd. */
async function makeStep(context: Context, before: Export): Promise<Export | null> {
  await checkMatches(context, before);
  const { jobIds, matchesDone } = before;
  // Its first files have the columns of version 1.
  if (before.input.license === undefined && before.stepsDone > 0) throw new ExportEnd('failed', startedBefore);
  if (matchesDone >= jobIds.length) {
    await finish(context, before);
    return null;
  }
  const step = new Step(before);
  for (const jobId of jobIds.slice(matchesDone)) {
    await step.addMatch(context, jobId);
    if (step.newHands >= context.exports.stepHands || context.stopping.aborted) break;
  }
  const files = step.finish();
  const added = files.reduce((sum, { storedSize }) => sum + storedSize, 0);
  const limit = Math.min(context.exports.maxBytes, MAX_ZIP_BYTES) - reservedBytes;
  if (before.bytes + added > limit || jobIds.length > MAX_ZIP_FILES / 2) {
    throw new ExportEnd('failed', `The export is larger than ${Math.floor(limit / 2 ** 20)} MiB. Please choose less.`);
  }
  await makeRoom(context, before, before.bytes + added);
  const { progress } = step;
  const bytes = await appendStep(context.db, before, files, progress);
  return bytes === null ? null : { ...before, ...progress, bytes, stepsDone: before.stepsDone + 1 };
}

async function checkMatches({ db }: Context, { id, forPublic }: Export): Promise<void> {
  const { complete, isPublic } = await readMatches(db, id);
  if (!complete) throw new ExportEnd('dropped', matchDeleted);
  if (forPublic && !isPublic) throw new ExportEnd('dropped', matchPrivate);
}

/** The files of one step: a Parquet file of each table and a PHH file of each match. */
class Step {
  readonly #before: Export;
  readonly #tables = new Map<TableName, ParquetFile>();
  readonly #phh: NewFile[] = [];
  progress: Pick<Export, 'matchesDone' | 'hands' | 'totals'>;

  constructor(before: Export) {
    this.#before = before;
    this.progress = { matchesDone: before.matchesDone, hands: before.hands, totals: before.totals };
  }

  get newHands(): number {
    return this.progress.hands - this.#before.hands;
  }

  async addMatch(context: Context, jobId: string): Promise<void> {
    const exported = await readMatch(context, jobId, this.#before);
    const deltas: number[] = [];
    const rows = new MatchRows(exported, (table, row) => {
      if (table === 'results') deltas.push(Number(row.delta));
      this.#add(table, row);
    });
    for await (const chunk of chunksAfter(context.db, jobId, exported.attempt.number, 0)) {
      const startedAt = performance.now();
      rows.addChunk(readChunk(chunk.bytes));
      await pause(pauseRatio * (performance.now() - startedAt));
    }
    const { batchNumber, match, attempt } = exported;
    const number = String(match.gameNumber).padStart(5, '0');
    const name = batchNumber === null ? `match-${jobId}` : `batch-${batchNumber}-game-${number}-${jobId}`;
    this.#phh.push(newFile(`phh/${name}.phhs`, Buffer.from(rows.finish()), null));
    await context.standings.putSums({ jobId, attempt: attempt.number }, packBlockSums(rows.blockSums()));
    await nextTurn();
    this.progress = {
      matchesDone: this.progress.matchesDone + 1,
      hands: this.progress.hands + attempt.hands,
      totals: addToTotals(this.progress.totals, exported, deltas),
    };
  }

  finish(): NewFile[] {
    const part = String(this.#before.stepsDone + 1).padStart(5, '0');
    const parquet = [...this.#tables].map(([table, file]) =>
      newFile(`${table}/part-${part}.parquet`, file.finish(), file.rows),
    );
    return [...parquet, ...this.#phh];
  }

  #add(table: TableName, row: Row): void {
    const file = this.#tables.get(table) ?? new ParquetFile(tables[table]);
    this.#tables.set(table, file);
    file.add(row);
  }
}

/** Returns a file with its hash. `rows`: number of rows of a Parquet file; null for a text, which is compressed. */
function newFile(path: string, content: Uint8Array, rows: number | null): NewFile {
  return { ...packFile(path, content, rows === null), sha256: sha256(content), rows };
}

async function readMatch(context: Context, jobId: string, { input }: Export): Promise<ExportedMatch> {
  const [match, values, facts] = await Promise.all([
    findMatch(context.db, jobId),
    context.standings.valuesOf(jobId),
    context.simulation.getMatch({ jobId, withProof: true }).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') throw new ExportEnd('dropped', matchDeleted);
      throw error;
    }),
  ]);
  // Without the plan the export could not be verified.
  if (facts.plan === null && facts.job?.commitmentDetails?.publicInput.includes('"plan":'))
    throw new DomainError('UNAVAILABLE', 'no-plan', 'simulation is of an earlier release, which sends no plans');
  const number = match?.acceptedAttempt ?? null;
  if (match === null || number === null) throw new ExportEnd('dropped', matchDeleted);
  const attempt = await findAttempt(context.db, jobId, number);
  if (attempt === null) throw new ExportEnd('dropped', matchDeleted);
  return {
    match,
    values,
    facts,
    attempt: {
      number,
      hands: attempt.hands,
      digest: Buffer.from(attempt.digest).toString('hex'),
      startedAt: attempt.startedAt,
    },
    names: match.playerIds.map((id) => plannedName(facts, id)?.name ?? input.names[id] ?? 'unknown'),
    batchNumber: input.batches[match.batchId ?? '']?.number ?? null,
  };
}

/** Adds the platform's signature to a manifest. A simulation service of the version before has no key. */
async function sign({ simulation }: Context, manifest: string): Promise<string> {
  try {
    const { note } = await simulation.signFile({ kind: 'export', sha256: sha256(Buffer.from(manifest)) });
    return withSignature(manifest, note);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'UNIMPLEMENTED') return manifest;
    throw error;
  }
}

/** Completes the archive: adds the tables of bots, standings and pairs, the descriptions, manifest.json as the last file, and the directory. */
async function finish(context: Context, before: Export): Promise<void> {
  const { db } = context;
  const scope = scopeOf(before);
  const { input, jobIds, hands, id, totals } = before;
  const counts = await context.simulation.countMatches({ batchIds: scope.batchId === null ? [] : [scope.batchId] });
  const facts = {
    counts: countsOfNumber(counts, jobIds.length, { withNoContest: true }),
    id,
    scope,
    matches: jobIds.length,
    hands,
    site: input.site,
    license: input.license ?? DEFAULT_DATA_LICENSE,
    batchNumber: input.batches[before.batchId ?? '']?.number ?? null,
    madeAt: new Date(context.now()),
  };
  const standings = await standingsOf(context, jobIds);
  const names = lastNames(totals);
  const nameOf = (userId: string) => names.get(userId) ?? 'unknown';
  const last = [
    tableFile('bots', botRows(totals, input)),
    tableFile('standings', standingsRows(standings, nameOf)),
    tableFile('pairs', pairRows(standings, nameOf)),
  ];
  const written = await listFiles(db, id);
  const described = manifestOf({ ...facts, files: [...written, ...last] });
  const texts = { 'README.md': readmeText(described), ...metadataFiles(described) };
  for (const [path, text] of Object.entries(texts)) last.push(newFile(path, Buffer.from(text), null));
  const manifest = `${JSON.stringify(manifestOf({ ...facts, files: [...written, ...last] }), null, 1)}\n`;
  last.push(newFile('manifest.json', Buffer.from(await sign(context, manifest)), null));
  if ((await finishArchive(db, before, last, facts.madeAt)) !== null) {
    context.log.info({ exportId: id, matches: jobIds.length, hands }, `made export ${id}: ${hands} hands`);
  }
}

function tableFile(table: TableName, rows: readonly Row[]): NewFile {
  const file = new ParquetFile(tables[table]);
  for (const row of rows) file.add(row);
  return newFile(`${table}/part-00001.parquet`, file.finish(), file.rows);
}

/** Waits for the standings of exactly these matches. Their sums are stored, so it takes seconds. */
async function standingsOf({ standings, stopping }: Context, jobIds: readonly string[]): Promise<Standings> {
  const selection = { jobIds: [...jobIds].sort(), batchIds: [] };
  for (;;) {
    const { result, computing } = await standings.read({ publicOnly: false, batchId: null, selection });
    if (result !== null && !computing) return result.standings;
    stopping.throwIfAborted();
  }
}
