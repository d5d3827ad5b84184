// Entry point of a service's init container: waits until the newest migration of its schema has been applied.
// SERVICE, DATABASE_URL (without password, parameters as in services/lib/runtime/src/database-url.ts), DATABASE_PASSWORD_FILE,
// WAIT_SECONDS (default 600).
import { join, resolve } from 'node:path';
import { connectionOptions } from '@husky/runtime/database-url';
import { newestMigration } from '@husky/runtime/migrations';
import pg from 'pg';
import { schemaOf } from '../up/database.ts';
import { databaseUrl, required, retryForSeconds, run, waitSeconds } from './settings.ts';

async function wait(): Promise<void> {
  const service = required('SERVICE');
  const newest = newestMigration(resolve(import.meta.dirname, '../..', join('services', service, 'prisma/migrations')));
  const options = connectionOptions(databaseUrl('DATABASE_URL', 'DATABASE_PASSWORD_FILE'));
  await retryForSeconds(waitSeconds(600), async () => {
    const client = new pg.Client({ ...options, connectionTimeoutMillis: 3000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query(
        `SELECT 1 FROM "${schemaOf(service)}"._prisma_migrations WHERE finished_at IS NOT NULL AND migration_name = $1`,
        [newest],
      );
      if (rows.length === 0) throw new Error(`${newest} of ${service} is not applied yet`);
    } finally {
      await client.end().catch(() => undefined);
    }
  });
}

run(wait());
