import { connectionOptions } from '@husky/runtime/database/database-url';
import { messageOf } from '@husky/runtime/rpc/errors';
import pg from 'pg';
import { HandArchive } from '../../services/live-data/src/archive/hand-archive.ts';
import { type ObjectsSettings, openObjects } from '../../services/live-data/src/archive/open-objects.ts';
import type { ArchivedMatches } from './manifest.ts';

async function query<Row extends pg.QueryResultRow>(adminUrl: string, text: string): Promise<Row[]> {
  const client = new pg.Client(connectionOptions(adminUrl));
  await client.connect();
  try {
    // Databases of version 0.2 and earlier have no archive.
    const { rows: tables } = await client.query<{ name: string | null }>(
      `SELECT to_regclass('live_data.archived_hands') AS name`,
    );
    return tables[0]?.name ? (await client.query<Row>(text)).rows : [];
  } finally {
    await client.end();
  }
}

const archived = 'FROM live_data.archived_hands WHERE archived_at IS NOT NULL AND deleted_at IS NULL';

export async function countArchived(adminUrl: string): Promise<ArchivedMatches> {
  const [sums] = await query<ArchivedMatches & pg.QueryResultRow>(
    adminUrl,
    `SELECT count(*)::int AS matches, coalesce(sum(bytes), 0)::float8 AS bytes ${archived}`,
  );
  return { matches: sums?.matches ?? 0, bytes: sums?.bytes ?? 0 };
}

export const archivedText = ({ matches, bytes }: ArchivedMatches): string =>
  `the hands of ${matches} matches (${(bytes / 2 ** 20).toFixed(1)} MiB) are in the archive of old hands, which is not part of the backup`;

const concurrency = 16;
const maxNamed = 10;

/**
 * Reads every object that the database refers to and compares its hash. Returns sentences for the operator: what was compared, what is
 * missing or damaged, or that the archive is not named or cannot be reached. None without archived matches.
 */
export async function checkArchived(adminUrl: string, settings: ObjectsSettings | undefined): Promise<string[]> {
  const rows = await query<{ job_id: string; bytes: number; sha256: Buffer }>(
    adminUrl,
    `SELECT job_id, bytes, sha256 ${archived} ORDER BY job_id`,
  );
  if (rows.length === 0) return [];
  const text = archivedText({ matches: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) });
  if (settings === undefined) return [`${text}: set ARCHIVE_URL to compare it, and for make up`];
  const archive = new HandArchive(await openObjects(settings));
  const problems: string[] = [];
  for (let start = 0; start < rows.length; start += concurrency) {
    const group = rows.slice(start, start + concurrency).map(async ({ job_id: jobId, sha256 }) => {
      await archive.read({ jobId, sha256 }).catch((error: unknown) => problems.push(messageOf(error)));
    });
    await Promise.all(group);
  }
  if (problems.length === 0) return [`${text}: every object is intact`];
  return [`${text}: ${problems.length} objects cannot be read`, ...problems.slice(0, maxNamed)];
}
