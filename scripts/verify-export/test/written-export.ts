// Exports for tests, made of stored matches by the code of live-data.
import { writeFileSync } from 'node:fs';
import type { MatchFacts__Output } from '@husky/contracts/types/simulation/v1/MatchFacts';
import { computeStandings, type MatchSums } from '@husky/estimate/standings';
import type { ChunkContent } from '@husky/match/chunk';
import { publicInput } from '@husky/match/commitment';
import { countsOfNumber, noMatches } from '@husky/match/match-counts';
import { uuidOfText } from '@husky/runtime/process/uuid';
import { type StoredMatch, storedMatch } from '@husky/testkit/stored-match-file';
import { manifestOf, readmeText } from '../../../services/live-data/src/exports/domain/archive-texts.ts';
import { addToTotals, botRows, lastNames, type Totals } from '../../../services/live-data/src/exports/domain/bots.ts';
import { type ExportedMatch, MatchRows } from '../../../services/live-data/src/exports/domain/match-rows.ts';
import { metadataFiles } from '../../../services/live-data/src/exports/domain/metadata.ts';
import { ParquetFile } from '../../../services/live-data/src/exports/domain/parquet-file.ts';
import { pairRows, standingsRows } from '../../../services/live-data/src/exports/domain/standings-rows.ts';
import { type Row, type TableName, tables } from '../../../services/live-data/src/exports/domain/tables.ts';
import { centralDirectory, localHeader, packFile } from '../../../services/live-data/src/exports/domain/zip.ts';
import { matchOf, newMatch } from '../../../services/live-data/test/new-match.ts';
import { playMatch } from '../../../services/live-data/test/play.ts';
import { sha256 } from '../archive.ts';

const time = new Date('2026-11-22T00:00:00Z');
const batchId = uuidOfText('batch');

/** The content of an export before it is packed. */
export interface ExportContent {
  readonly rows: Readonly<Record<TableName, readonly Row[]>>;
  /** PHH files by path. */
  readonly phh: Readonly<Record<string, string>>;
}

function exportedMatch(
  matchId: string,
  gameNumber: number,
  hasPlan: boolean,
): { exported: ExportedMatch; contents: readonly ChunkContent[] } {
  const stored = matchId.startsWith('played') ? played(matchId) : undefined;
  const options = { asOnce: !hasPlan, game: gameNumber, ...(stored && { stored }) };
  const { seedProof, jobId, names, facts, plan, key, seed, commitment, record, hands, digest, contents } = storedMatch(
    matchId,
    options,
  );
  const { roster, rulesVersion, blinds, stacks, startingStack, profile, hands: numRounds } = facts;
  const match = newMatch({
    jobId,
    batchId,
    rulesVersion,
    playerIds: roster.map(({ userId }) => userId),
    numRounds,
    blinds,
    stacks,
    seed: key,
  });
  const endReason = hands < numRounds ? 'one player holds every chip' : '';
  return {
    contents,
    exported: {
      match: { ...matchOf(match), startingStack, gameNumber, acceptedAttempt: 1, endReason },
      facts: {
        job: { noContest: false, commitment, commitmentDetails: { publicInput: publicInput(facts), record } },
        seats: roster,
        seed: key,
        seedReveal: {
          seedHex: seed.toString('hex'),
          ...(seedProof && { path: seedProof.path, listRecord: { ...seedProof.record, kind: 'seeds' } }),
        },
        rulesVersion,
        startingStack,
        profile,
        dealSetId: uuidOfText(seed.toString('hex')),
        seedPublished: true,
        plan: hasPlan
          ? { ...plan, names: plan.names.map(({ user_id: userId, ...one }) => ({ userId, ...one })) }
          : null,
      } as unknown as MatchFacts__Output,
      attempt: { number: 1, hands, digest, startedAt: new Date(contents[0]?.hands[0]?.startedAtMs ?? 0) },
      names,
      batchNumber: 3,
      values: null,
    },
  };
}

/** Plays a short match with a seed of its own, since the stored ones have the same. */
function played(matchId: string): StoredMatch {
  const blinds = { bigBlind: 100, multiplier: '1', interval: 1000 };
  const seed = Buffer.from(sha256(Buffer.from(matchId)), 'hex');
  const playerIds = ['ann', 'bob', 'cem', 'dee', 'eve', 'fay'].map(uuidOfText);
  const match = newMatch({ rulesVersion: 2, jobId: uuidOfText(matchId), playerIds, numRounds: 20, blinds, seed });
  const { chunks, records, digest } = playMatch(match, { bots: seed[0] ?? 1 });
  const setup = { players: playerIds.length, startingStack: 10_000, blinds };
  const encoded = chunks.map(({ bytes }) => bytes.toString('base64'));
  return { seed: seed.toString('hex'), setup, hands: records.length, digest, chunks: encoded };
}

/** Returns an export of stored matches (services/lib/match/test/stored) and of played ones; `hasPlan`: they have the plan of their batch,
 * `games`: their numbers in it. */
export function exportOf(
  matchIds: readonly string[],
  { hasPlan = true, games = matchIds.map((_, index) => index + 1) } = {},
): ExportContent {
  const rows = Object.fromEntries(Object.keys(tables).map((name) => [name, []])) as unknown as Record<TableName, Row[]>;
  const phh: Record<string, string> = {};
  let totals: Totals = {};
  const sums: MatchSums[] = [];
  for (const [index, matchId] of matchIds.entries()) {
    const { exported, contents } = exportedMatch(matchId, games[index] ?? 0, hasPlan);
    const deltas: number[] = [];
    const made = new MatchRows(exported, (table, row) => {
      if (table === 'results') deltas.push(Number(row.delta));
      rows[table].push(row);
    });
    for (const content of contents) made.addChunk(content);
    phh[`phh/${matchId}.phhs`] = made.finish();
    totals = addToTotals(totals, exported, deltas);
    const { seed, playerIds, stacks, startingStack, bigBlind } = exported.match;
    const shared = { stacks: stacks as MatchSums['stacks'], startingStack, bigBlind };
    sums.push({ ...shared, seed: Buffer.from(seed).toString('hex'), players: playerIds, blocks: made.blockSums() });
  }
  const metadata = JSON.stringify({ bots: { ann: { model: { name: 'model-x' } } } });
  rows.bots.push(...botRows(totals, { batches: { [batchId]: { number: 3, metadata } } }));
  const standings = computeStandings(sums);
  const names = lastNames(totals);
  rows.standings.push(...standingsRows(standings, (id) => names.get(id) ?? ''));
  rows.pairs.push(...pairRows(standings, (id) => names.get(id) ?? ''));
  return { rows, phh };
}

export interface Changes {
  /** Changes the descriptions: the text by path. */
  readonly descriptions?: (texts: Record<string, string>) => Record<string, string>;
  /** Changes manifest.json after the hashes have been computed. */
  readonly manifest?: (manifest: Record<string, unknown>) => object;
  /** Changes the bytes of manifest.json, which are on one line. */
  readonly manifestText?: (text: string) => string;
  /** Changes the finished file. */
  readonly spoil?: (bytes: Buffer) => Buffer;
}

/** Packs an export into a file, with the hashes and numbers of what it has. */
export function writeExport(
  file: string,
  { rows, phh }: ExportContent,
  {
    manifest = (same) => same,
    manifestText: textOf = (same) => same,
    descriptions = (same) => same,
    spoil = (bytes) => bytes,
  }: Changes = {},
): void {
  const facts = {
    id: uuidOfText('export'),
    scope: { batchId },
    batchNumber: 3,
    site: 'http://site.test',
    license: 'CC-BY-4.0',
    madeAt: time,
    counts: countsOfNumber(
      { ...noMatches, planned: rows.matches.length, finished: rows.matches.length },
      rows.matches.length,
    ),
    matches: rows.matches.length,
    hands: rows.hands.length,
  };
  const contents: { path: string; content: Uint8Array; rows: number | null }[] = Object.entries(rows).map(
    ([name, list]) => {
      const parquet = new ParquetFile(tables[name as TableName]);
      for (const row of list) parquet.add(row);
      return { path: `${name}/part-00001.parquet`, content: parquet.finish(), rows: list.length };
    },
  );
  for (const [path, text] of Object.entries(phh)) contents.push({ path, content: Buffer.from(text), rows: null });
  const files = () =>
    contents.map(({ path, content, rows: count }) => ({
      path,
      size: content.length,
      sha256: sha256(content),
      rows: count,
    }));
  const described = manifestOf({ ...facts, files: files() });
  const texts = descriptions({ 'README.md': readmeText(described), ...metadataFiles(described) });
  for (const [path, text] of Object.entries(texts)) contents.push({ path, content: Buffer.from(text), rows: null });
  const made = JSON.parse(JSON.stringify(manifestOf({ ...facts, files: files() }))) as Record<string, unknown>;
  const listed = manifest(made);
  contents.push({ path: 'manifest.json', content: Buffer.from(textOf(JSON.stringify(listed))), rows: null });
  const pieces: Buffer[] = [];
  let offset = 0;
  const entries = contents.map(({ path, content }) => {
    const packed = packFile(path, content, path.endsWith('.json'));
    const header = localHeader(packed, time);
    const entry = { ...packed, offset };
    pieces.push(header, Buffer.from(packed.bytes));
    offset += header.length + packed.bytes.byteLength;
    return entry;
  });
  writeFileSync(file, spoil(Buffer.concat([...pieces, centralDirectory(entries, offset, time)])));
}
