import { open } from 'node:fs/promises';
import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import type { PrismaClient } from '../generated/client.ts';
import type { BuiltArchive } from '../programs/package-builder.ts';

export interface ResolutionKey {
  readonly requirementsHash: string;
  readonly python: string;
  readonly platform: string;
}

const partBytes = 1024 * 1024;

export async function findResolution(pool: pg.Pool, key: ResolutionKey): Promise<string | undefined> {
  const { rows } = await pool.query<{ archive_hash: string }>(
    `UPDATE resolutions SET touched_at = now() WHERE requirements_hash = $1 AND python = $2 AND platform = $3
     RETURNING archive_hash`,
    [key.requirementsHash, key.python, key.platform],
  );
  return rows[0]?.archive_hash;
}

/** Records what a requirements.txt became when the archive is stored already; false when it is not. */
export function recordResolution(pool: pg.Pool, key: ResolutionKey, archiveHash: string): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const touched = await client.query('UPDATE archives SET touched_at = now() WHERE hash = $1', [archiveHash]);
    if (touched.rowCount === 1) await insertResolution(client, key, archiveHash);
    return touched.rowCount === 1;
  });
}

/** Stores an archive with the resolution that needed it, in one transaction; another one's copy stands. */
export async function storeArchive(pool: pg.Pool, key: ResolutionKey, archive: BuiltArchive): Promise<void> {
  const file = await open(archive.file);
  try {
    await inTransaction(pool, async (client) => {
      const stored = await client.query<{ fresh: boolean }>(
        `INSERT INTO archives (hash, resolved, unpacked_bytes) VALUES ($1, $2, $3)
         ON CONFLICT (hash) DO UPDATE SET touched_at = now() RETURNING (xmax = 0) AS fresh`,
        [archive.hash, archive.resolved, archive.unpackedBytes],
      );
      if (stored.rows[0]?.fresh) {
        for (let part = 0; ; part++) {
          const { bytesRead, buffer } = await file.read(Buffer.alloc(partBytes), 0, partBytes, part * partBytes);
          if (bytesRead === 0) break;
          await client.query('INSERT INTO archive_parts (archive_hash, part, data) VALUES ($1, $2, $3)', [
            archive.hash,
            part,
            buffer.subarray(0, bytesRead),
          ]);
        }
      }
      await insertResolution(client, key, archive.hash);
    });
  } finally {
    await file.close();
  }
}

/** The archive's parts in order; none when there is no such archive. */
export async function* archiveParts(prisma: PrismaClient, hash: string): AsyncGenerator<Uint8Array> {
  for (let part = 0; ; part++) {
    const row = await prisma.archivePart.findUnique({ where: { archiveHash_part: { archiveHash: hash, part } } });
    if (!row) return;
    yield row.data;
    if (row.data.length < partBytes) return;
  }
}

async function insertResolution(client: pg.ClientBase, key: ResolutionKey, archiveHash: string): Promise<void> {
  await client.query(
    `INSERT INTO resolutions (requirements_hash, python, platform, archive_hash) VALUES ($1, $2, $3, $4)
     ON CONFLICT (requirements_hash, python, platform) DO UPDATE SET touched_at = now()`,
    [key.requirementsHash, key.python, key.platform, archiveHash],
  );
}
