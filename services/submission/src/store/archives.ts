import { open } from 'node:fs/promises';
import { sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';
import type { PrismaClient } from '../generated/client.ts';
import type { BuiltArchive } from '../programs/package-builder.ts';

export interface ResolutionKey {
  readonly requirementsHash: string;
  readonly python: string;
  readonly platform: string;
}

const partBytes = 1024 * 1024;

/** Returns the hash of the archive of a requirements.txt; undefined: not resolved yet. Protects it from garbage collection for an hour. */
export async function findResolution(pool: pg.Pool, key: ResolutionKey): Promise<string | undefined> {
  const { rows } = await pool.query<{ archive_hash: string }>(
    sql`UPDATE resolutions SET touched_at = now()
        WHERE requirements_hash = ${key.requirementsHash} AND python = ${key.python} AND platform = ${key.platform}
        RETURNING archive_hash`,
  );
  return rows[0]?.archive_hash;
}

/**
 * Records the resolution of a requirements.txt if its archive is stored. Returns the hash of the archive to use (see `insertResolution`);
 * undefined, without a change, if it is not stored.
 */
export function recordResolution(pool: pg.Pool, key: ResolutionKey, archiveHash: string): Promise<string | undefined> {
  return inTransaction(pool, async (client) => {
    const touched = await client.query(sql`UPDATE archives SET touched_at = now() WHERE hash = ${archiveHash}`);
    return touched.rowCount === 1 ? await insertResolution(client, key, archiveHash) : undefined;
  });
}

/**
 * Stores an archive and its resolution in one transaction. Idempotent: an existing archive is kept. Returns the hash of the archive to
 * use (see `insertResolution`).
 */
export async function storeArchive(pool: pg.Pool, key: ResolutionKey, archive: BuiltArchive): Promise<string> {
  const file = await open(archive.file);
  try {
    return await inTransaction(pool, async (client) => {
      const stored = await client.query<{ inserted: boolean }>(
        sql`INSERT INTO archives (hash, resolved, unpacked_bytes)
            VALUES (${archive.hash}, ${archive.resolved}, ${archive.unpackedBytes})
            ON CONFLICT (hash) DO UPDATE SET touched_at = now() RETURNING (xmax = 0) AS inserted`,
      );
      if (stored.rows[0]?.inserted) {
        for (let part = 0; ; part++) {
          const { bytesRead, buffer } = await file.read(Buffer.alloc(partBytes), 0, partBytes, part * partBytes);
          if (bytesRead === 0) break;
          const data = buffer.subarray(0, bytesRead);
          await client.query(
            sql`INSERT INTO archive_parts (archive_hash, part, data) VALUES (${archive.hash}, ${part}, ${data})`,
          );
        }
      }
      return insertResolution(client, key, archive.hash);
    });
  } finally {
    await file.close();
  }
}

/** Yields the parts of an archive in order; nothing if it does not exist. */
export async function* archiveParts(prisma: PrismaClient, hash: string): AsyncGenerator<Uint8Array> {
  for (let part = 0; ; part++) {
    const row = await prisma.archivePart.findUnique({ where: { archiveHash_part: { archiveHash: hash, part } } });
    if (!row) return;
    yield row.data;
    if (row.data.length < partBytes) return;
  }
}

/**
 * Records a resolution. Returns the hash of the recorded archive: another one if a replica has resolved the same requirements meanwhile.
 * An archive without a resolution is deleted after an hour.
 */
async function insertResolution(client: pg.ClientBase, key: ResolutionKey, archiveHash: string): Promise<string> {
  const { rows } = await client.query<{ archive_hash: string }>(
    sql`INSERT INTO resolutions (requirements_hash, python, platform, archive_hash)
        VALUES (${key.requirementsHash}, ${key.python}, ${key.platform}, ${archiveHash})
        ON CONFLICT (requirements_hash, python, platform) DO UPDATE SET touched_at = now() RETURNING archive_hash`,
  );
  return rows[0]?.archive_hash ?? archiveHash;
}
