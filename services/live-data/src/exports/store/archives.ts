import { createHash } from 'node:crypto';
import { json, type Sql, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';
import type { Database } from '../../store/database.ts';
import type { Totals } from '../domain/bots.ts';
import { centralDirectory, localHeader, type PackedFile, type ZipEntry } from '../domain/zip.ts';
import { type Export, emptied, isEnded } from './exports.ts';

const partBytes = 1 << 20;

export interface NewFile extends PackedFile {
  readonly sha256: string;
  readonly rows: number | null;
}

export const sha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');

export interface Progress {
  readonly matchesDone: number;
  readonly hands: number;
  readonly totals: Totals;
}

/**
 * Appends files to the archive of an export and stores the progress, in one transaction by compare-and-set on the number of steps.
 * Returns the new length of the archive; null if the export was ended or another replica has done the step.
 */
export function appendStep(
  db: Database,
  before: Export,
  files: readonly NewFile[],
  progress: Progress,
): Promise<number | null> {
  const { matchesDone, hands, totals } = progress;
  const set = sql`state = 'running', matches_done = ${matchesDone}, hands = ${hands}, totals = ${json(totals)}`;
  return append(db, before, files, set);
}

/** Appends the last files and the directory of the archive, and makes the export ready. Returns the same as appendStep. */
export async function finishArchive(
  db: Database,
  before: Export,
  files: readonly NewFile[],
  now: Date,
): Promise<number | null> {
  const written = await listFiles(db, before.id);
  return append(db, before, files, sql`state = 'ready', ended_at = ${now}`, written);
}

/** Returns the files of an archive in the order of their offsets. */
export async function listFiles(
  db: Database,
  exportId: string,
): Promise<readonly (ZipEntry & { readonly sha256: string; readonly rows: number | null })[]> {
  const files = await db.prisma.exportFile.findMany({ where: { exportId }, orderBy: { offset: 'asc' } });
  return files.map(({ crc, size, storedSize, offset, path, method, sha256, rows }) => ({
    path,
    method,
    sha256,
    rows,
    crc: Number(crc),
    size: Number(size),
    storedSize: Number(storedSize),
    offset: Number(offset),
  }));
}

/** Appends files and, with `written` (the earlier files), the directory that ends the archive. `set`: the other columns to change. */
function append(
  db: Database,
  before: Export,
  files: readonly NewFile[],
  set: Sql,
  written?: readonly ZipEntry[],
): Promise<number | null> {
  const { id: exportId, createdAt } = before;
  const pieces: Uint8Array[] = [];
  const entries: (NewFile & { readonly offset: number })[] = [];
  let length = before.bytes;
  for (const file of files) {
    const header = localHeader(file, createdAt);
    entries.push({ ...file, offset: length });
    pieces.push(header, file.bytes);
    length += header.length + file.bytes.length;
  }
  if (written !== undefined) {
    const directory = centralDirectory([...written, ...entries], length, createdAt);
    pieces.push(directory);
    length += directory.length;
  }
  return inTransaction(db.pool, async (client) => {
    const { rowCount } = await client.query(
      sql`UPDATE exports SET ${set}, bytes = ${length}, failures = 0, steps_done = steps_done + 1
          WHERE id = ${exportId} AND steps_done = ${before.stepsDone} AND state IN ('waiting', 'running')`,
    );
    if (rowCount === 0) return null;
    for (const { path, method, crc, size, storedSize, offset, sha256, rows } of entries) {
      await client.query(
        sql`INSERT INTO export_files (export_id, path, method, crc, size, stored_size, "offset", sha256, rows)
            VALUES (${exportId}, ${path}, ${method}, ${crc}, ${size}, ${storedSize}, ${offset}, ${sha256}, ${rows})`,
      );
    }
    await storeParts(client, exportId, before.bytes, Buffer.concat(pieces));
    return length;
  });
}

async function storeParts(client: pg.PoolClient, exportId: string, at: number, bytes: Buffer): Promise<void> {
  for (let start = 0; start < bytes.length; start += partBytes) {
    const part = bytes.subarray(start, start + partBytes);
    await client.query(
      sql`INSERT INTO export_parts (export_id, start, length, bytes) VALUES (${exportId}, ${at + start}, ${part.length}, ${part})`,
    );
  }
}

/** Returns the part that contains a byte of an archive; null if its export is not ready any more. */
export async function readPart(
  db: Database,
  exportId: string,
  offset: number,
): Promise<{ readonly start: number; readonly bytes: Uint8Array } | null> {
  const part = await db.prisma.exportPart.findFirst({
    where: { exportId, start: { lte: offset }, export: { state: 'ready' } },
    orderBy: { start: 'desc' },
  });
  return part && { start: Number(part.start), bytes: part.bytes };
}

/** Deletes at most `limit` parts of the archives of ended exports. Returns how many were deleted. */
export function deleteParts(db: Database, limit: number): Promise<number> {
  return deleteRows(db, sql`export_parts`, sql`start`, limit);
}

/** Deletes at most `limit` entries of files in the archives of ended exports. Returns how many were deleted. */
export function deleteFiles(db: Database, limit: number): Promise<number> {
  return deleteRows(db, sql`export_files`, sql`path`, limit);
}

async function deleteRows(db: Database, table: Sql, key: Sql, limit: number): Promise<number> {
  const { rowCount } = await db.pool.query(
    sql`DELETE FROM ${table} WHERE (export_id, ${key}) IN (SELECT found.export_id, found.${key} FROM exports e
      CROSS JOIN LATERAL (SELECT export_id, ${key} FROM ${table} WHERE export_id = e.id LIMIT ${limit}) AS found
      WHERE ${isEnded} LIMIT ${limit})`,
  );
  return rowCount ?? 0;
}

/** Empties at most `limit` exports that an earlier release has ended. Returns how many were emptied. */
export async function emptyEnded(db: Database, limit: number): Promise<number> {
  const { rowCount } = await db.pool.query(
    sql`UPDATE exports SET ${emptied}
      WHERE id IN (SELECT id FROM exports WHERE ${isEnded} AND job_ids <> '{}' LIMIT ${limit})`,
  );
  return rowCount ?? 0;
}

/** Deletes at most `limit` exports that ended before `before` and have no archive any more. Returns how many were deleted. */
export async function deleteEndedBefore(db: Database, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.pool.query(
    sql`DELETE FROM exports WHERE id IN (SELECT id FROM exports e WHERE ${isEnded} AND ended_at < ${before}
      AND NOT EXISTS (SELECT FROM export_parts WHERE export_id = e.id)
      AND NOT EXISTS (SELECT FROM export_files WHERE export_id = e.id) LIMIT ${limit})`,
  );
  return rowCount ?? 0;
}
