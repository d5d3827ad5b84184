import { createHash } from 'node:crypto';
import type { Prisma } from '../../generated/client.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { Totals } from '../domain/bots.ts';
import { centralDirectory, localHeader, type PackedFile, type ZipEntry } from '../domain/zip.ts';
import type { Export } from './exports.ts';

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
  const { totals, ...sums } = progress;
  return append(db, before, files, [], {
    ...sums,
    state: 'running',
    totals: totals as unknown as Prisma.InputJsonObject,
  });
}

/** Appends the last files and the directory of the archive, and makes the export ready. Returns the same as appendStep. */
export async function finishArchive(
  db: Database,
  before: Export,
  files: readonly NewFile[],
  now: Date,
): Promise<number | null> {
  const written = await listFiles(db, before.id);
  return append(db, before, files, written, { state: 'ready', endedAt: now });
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

/** Appends files and, if `change` makes the export ready, the directory. `written`: the earlier files, for the directory. */
function append(
  db: Database,
  before: Export,
  files: readonly NewFile[],
  written: readonly ZipEntry[],
  change: Prisma.ExportUpdateManyMutationInput,
): Promise<number | null> {
  const { id: exportId, createdAt } = before;
  const pieces: Uint8Array[] = [];
  const entries: ZipEntry[] = [];
  let length = before.bytes;
  for (const file of files) {
    const header = localHeader(file, createdAt);
    entries.push({ ...file, offset: length });
    pieces.push(header, file.bytes);
    length += header.length + file.bytes.length;
  }
  if (change.state === 'ready') {
    const directory = centralDirectory([...written, ...entries], length, createdAt);
    pieces.push(directory);
    length += directory.length;
  }
  return db.prisma.$transaction(
    async (tx) => {
      const { count } = await tx.export.updateMany({
        where: { id: exportId, stepsDone: before.stepsDone, state: { in: ['waiting', 'running'] } },
        data: { ...change, bytes: length, failures: 0, stepsDone: before.stepsDone + 1 },
      });
      if (count === 0) return null;
      await tx.exportFile.createMany({
        data: files.map(({ path, method, crc, size, storedSize, sha256, rows }, index) => ({
          exportId,
          path,
          method,
          crc,
          size,
          storedSize,
          sha256,
          rows,
          offset: entries[index]?.offset ?? 0,
        })),
      });
      await storeParts(tx, exportId, before.bytes, pieces);
      return length;
    },
    { timeout: 60_000 },
  );
}

async function storeParts(tx: Transaction, exportId: string, at: number, pieces: readonly Uint8Array[]): Promise<void> {
  const bytes = Buffer.concat(pieces);
  for (let start = 0; start < bytes.length; start += partBytes) {
    const part = new Uint8Array(bytes.subarray(start, start + partBytes));
    await tx.exportPart.create({ data: { exportId, start: at + start, length: part.length, bytes: part } });
  }
}

/** Returns the part that contains a byte of an archive; null if it is not stored any more. */
export async function readPart(
  db: Database,
  exportId: string,
  offset: number,
): Promise<{ readonly start: number; readonly bytes: Uint8Array } | null> {
  const part = await db.prisma.exportPart.findFirst({
    where: { exportId, start: { lte: offset } },
    orderBy: { start: 'desc' },
  });
  return part && { start: Number(part.start), bytes: part.bytes };
}
