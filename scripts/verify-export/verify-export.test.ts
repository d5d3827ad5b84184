import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MatchFacts__Output } from '@husky/contracts/types/simulation/v1/MatchFacts';
import { decodeChunk } from '@husky/match/chunk';
import { countsOfNumber, noMatches } from '@husky/match/match-counts';
import { RULES_VERSION } from '@husky/match/rules-version';
import { afterAll, expect, test } from 'vitest';
import { manifestText } from '../../services/live-data/src/exports/domain/archive-texts.ts';
import { type ExportedMatch, MatchRows } from '../../services/live-data/src/exports/domain/match-rows.ts';
import { ParquetFile } from '../../services/live-data/src/exports/domain/parquet-file.ts';
import { type Row, type TableName, tables } from '../../services/live-data/src/exports/domain/tables.ts';
import { centralDirectory, localHeader, packFile } from '../../services/live-data/src/exports/domain/zip.ts';
import { playMatch } from '../../services/live-data/test/play.ts';
import { commitTo, matchOf, newMatch, type TestMatch } from '../../services/live-data/test/simulation.ts';
import { sha256 } from './archive.ts';
import { verifyFile } from './verify.ts';

const time = new Date('2026-11-22T00:00:00Z');
const folder = await mkdtemp(join(tmpdir(), 'husky-verify-'));
afterAll(() => rm(folder, { recursive: true }));

type Change = (table: TableName, row: Row) => Row;

function createExportedMatch(match: TestMatch, hands: number, digest: string): ExportedMatch {
  const seats = match.playerIds.map((userId) => ({ userId, botHash: 'b', packagesHash: '', unfetchable: '' }));
  const facts = {
    job: { noContest: false, ...commitTo(match, seats) },
    seats,
    seed: match.seed,
    rulesVersion: RULES_VERSION,
    startingStack: 10_000,
    profile: 'documented',
    dealSetId: match.jobId,
    seedPublished: true,
  } as unknown as MatchFacts__Output;
  const attempt = { number: 1, hands, digest, startedAt: time };
  const names = match.playerIds.map((_, seat) => `player${seat}`);
  return { match: { ...matchOf(match), acceptedAttempt: 1 }, facts, attempt, names, batchNumber: 3 };
}

/** Writes an export of one match. `change` modifies rows before the hashes are computed, `spoil` the finished file. */
async function writeExport(
  options: { match?: Partial<TestMatch>; change?: Change; spoil?: (bytes: Buffer) => Buffer; manifest?: object } = {},
): Promise<string> {
  const { change = (_table, row) => row, spoil = (bytes) => bytes, manifest = {} } = options;
  const match = newMatch({ numRounds: 60, ...options.match });
  const play = playMatch(match);
  const files = new Map<TableName, ParquetFile>(
    (Object.keys(tables) as TableName[]).map((name) => [name, new ParquetFile(tables[name])]),
  );
  const rows = new MatchRows(createExportedMatch(match, play.records.length, play.digest), (table, row) => {
    files.get(table)?.add(change(table, row));
  });
  for (const { bytes } of play.chunks) rows.addChunk(decodeChunk(bytes));
  const phh = Buffer.from(rows.finish());
  const contents = [...files].map(([name, file]) => ({ path: `${name}/part-00001.parquet`, content: file.finish() }));
  contents.push({ path: 'phh/game.phhs', content: phh });
  const scope = { batchId: match.jobId };
  const counts = countsOfNumber({ ...noMatches, planned: 1, finished: 1 }, 1);
  const facts = { id: 'export', scope, batchNumber: 3, site: 'http://site.test', madeAt: time, matches: 1, counts };
  const listed = contents.map(({ path, content }) => ({
    path,
    size: content.length,
    sha256: sha256(content),
    rows: null,
  }));
  const text = JSON.parse(manifestText({ ...facts, hands: play.records.length, files: listed })) as object;
  const written = JSON.stringify({ ...text, ...manifest });
  contents.push({ path: 'manifest.json', content: Buffer.from(written) });
  const pieces: Buffer[] = [];
  const entries = contents.map(({ path, content }) => {
    const packed = packFile(path, content, path.endsWith('.json'));
    const entry = { ...packed, offset: Buffer.concat(pieces).length };
    pieces.push(localHeader(packed, time), Buffer.from(packed.bytes));
    return entry;
  });
  const length = Buffer.concat(pieces).length;
  const file = join(folder, `${match.jobId}.zip`);
  await writeFile(file, spoil(Buffer.concat([...pieces, centralDirectory(entries, length, time)])));
  return file;
}

async function verify(file: string): Promise<{ code: number; output: string }> {
  const lines: string[] = [];
  const code = await verifyFile(file, (line) => lines.push(line));
  return { code, output: lines.map((line) => `${line}\n`).join('') };
}

test('verifies every hand of an export', async () => {
  const { code, output } = await verify(await writeExport());
  expect(output).toMatch(/^batch 3: 1 matches, 60 hands\nVerified: 1 matches, 60 hands and \d+ actions follow/);
  expect(code).toBe(0);
});

test('verifies a match that ended early and a match with reset stacks', async () => {
  const early = await writeExport({ match: { numRounds: 2000, playerIds: newMatch().playerIds.slice(0, 2) } });
  expect(await verify(early)).toMatchObject({ code: 0 });
  expect(await verify(await writeExport({ match: { stacks: 'reset' } }))).toMatchObject({ code: 0 });
});

/** Returns a Change of the rows of one hand. */
const changeHand =
  (number: number, table: TableName, changes: (row: Row) => object): Change =>
  (of, row) =>
    of === table && row.hand === number ? { ...row, ...changes(row) } : row;

test.each<[string, Change, RegExp]>([
  [
    'a card',
    changeHand(7, 'hand_players', ({ seat }) => (seat === 2 ? { cards: 'As Ah' } : {})),
    /Hand 7: cards of seat 2/,
  ],
  ['a board', changeHand(9, 'hands', () => ({ board: '2c 2d 2h 3c 3d' })), /Hand 9: board/],
  ['a pot', changeHand(9, 'hands', ({ pot }) => ({ pot: Number(pot) + 1 })), /Hand 9: pot: expected \d+, found \d+/],
  [
    'a payout',
    changeHand(5, 'hand_players', ({ net }) => ({ net: Number(net) + 10 })),
    /Hand 5: stacks after the hand/,
  ],
  [
    'an action',
    changeHand(3, 'actions', ({ number }) => (number === 3 ? { action: 'RAISE', amount: 777 } : {})),
    /Hand 3: /,
  ],
  ['a seed', (table, row) => (table === 'matches' ? { ...row, seed: 'ab'.repeat(32) } : row), /Hash of the seed/],
  [
    'a bot',
    (table, row) => (table === 'results' ? { ...row, bot_hash: 'c' } : row),
    /bot of seat 1: expected b, found c/,
  ],
  ['a result', (table, row) => (table === 'results' ? { ...row, delta: 1 } : row), /result of seat 1/],
  ['the stacks', (table, row) => (table === 'results' ? { ...row, final_stack: 5 } : row), /final stack of seat 1/],
])('reports the match and the difference if %s was changed', async (_case, change, expected) => {
  const { code, output } = await verify(await writeExport({ change }));
  expect(output).toMatch(expected);
  expect(output).toMatch(/Game #7 of batch #3 \(.+\): .*\nNOT VERIFIED: 1 failure\.\n$/);
  expect(code).toBe(1);
});

test('counts matches whose seeds are not published', async () => {
  const change: Change = (table, row) => (table === 'matches' ? { ...row, seed: null } : row);
  const { code, output } = await verify(await writeExport({ change }));
  expect(output).toContain('Verified: 0 matches, 60 hands and 0 actions');
  expect(output).toContain('The seeds of 1 matches are not published yet.');
  expect(code).toBe(0);
});

test('reports changed, missing and unlisted files', async () => {
  const files = [{ path: 'phh/game.phhs', size: 1, sha256: 'f'.repeat(64) }];
  const { code, output } = await verify(await writeExport({ manifest: { files } }));
  expect(output).toContain('hands/part-00001.parquet is not in the manifest.');
  expect(output).toMatch(/phh\/game.phhs: its SHA-256 is [0-9a-f]{64}, not ffff/);
  expect(code).toBe(1);
  const missing = [{ path: 'phh/other.phhs', size: 1, sha256: 'f'.repeat(64) }];
  const spoilt = await verify(await writeExport({ manifest: { files: missing } }));
  expect(spoilt.output).toContain('phh/other.phhs is missing.');
});

test.each<[string, Parameters<typeof writeExport>[0], RegExp]>([
  ['is truncated', { spoil: (bytes) => bytes.subarray(0, bytes.length - 100) }, /not a complete zip archive/],
  ['is not an archive', { spoil: () => Buffer.from('hello') }, /not a complete zip archive/],
  ['has another format', { manifest: { format: 'other' } }, /is not that of an export/],
  ['has a newer version', { manifest: { format_version: 2 } }, /has version 2; this program reads version 1/],
])('refuses a file that %s', async (_case, options, expected) => {
  const { code, output } = await verify(await writeExport(options));
  expect(output).toMatch(expected);
  expect(code).toBe(2);
});

test('reports damaged tables as a failure', async () => {
  const spoil = (bytes: Buffer) => {
    const copy = Buffer.from(bytes);
    // Within the first table, after its header.
    copy.fill(0x55, 60, 400);
    return copy;
  };
  const { code, output } = await verify(await writeExport({ spoil }));
  expect(output).toContain('NOT VERIFIED');
  expect(code).toBe(1);
});
