// Entry point of the migration Job: waits for PostgreSQL, creates missing roles and schemas, and applies new migrations. Variables:
// - DATABASE_ADMIN_URL: without password; parameters as in services/lib/runtime/src/database/database-url.ts. DATABASE_ADMIN_PASSWORD_FILE.
// - MIGRATE_DIR: its folder `secrets` contains the roles' passwords, `database-<service>`, and optionally `installation-id`, the random
//   id of the installation.
// - DATABASE_NAME (default husky), DATABASE_ROLE_PREFIX (default husky_).
// - DATABASE_OWNER: the installation to which database and roles must belong. DATABASE_REPLACES_OWNER: the owner that it replaces.
// - DATABASE_NEWER=additive: accepts a newer schema whose additional migrations are not breaking.
// - WAIT_SECONDS: how long to wait for PostgreSQL (default 300).
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DatabaseOptions, databaseName, prepareDatabase } from '../up/database.ts';
import { Secrets } from '../up/secrets.ts';
import { requireVariable, retryForSeconds, run } from './settings.ts';

async function migrate(): Promise<void> {
  const adminUrl = readAdminUrl();
  const secrets = new Secrets(requireVariable('MIGRATE_DIR'));
  const root = resolve(import.meta.dirname, '../..');
  await retryForSeconds(readWaitSeconds(), async () => {
    const applied = await prepareDatabase(adminUrl, secrets, root, readOptions(secrets));
    process.stdout.write(`applied ${applied} new migrations\n`);
  });
}

/** Returns DATABASE_ADMIN_URL with the password. */
function readAdminUrl(): string {
  const url = new URL(requireVariable('DATABASE_ADMIN_URL'));
  url.password = encodeURIComponent(readFileSync(requireVariable('DATABASE_ADMIN_PASSWORD_FILE'), 'utf8').trimEnd());
  return url.href;
}

function readWaitSeconds(): number {
  const seconds = Number(process.env.WAIT_SECONDS || 300);
  if (!(seconds > 0)) throw new Error('WAIT_SECONDS must be a number above 0');
  return seconds;
}

function readOptions(secrets: Secrets): DatabaseOptions {
  const { DATABASE_NAME, DATABASE_ROLE_PREFIX, DATABASE_OWNER, DATABASE_REPLACES_OWNER, DATABASE_NEWER } = process.env;
  const idFile = secrets.file('installation-id');
  const id = existsSync(idFile) ? readFileSync(idFile, 'utf8').trimEnd() : undefined;
  return {
    allowNewer: DATABASE_NEWER === 'additive',
    database: DATABASE_NAME || databaseName,
    rolePrefix: DATABASE_ROLE_PREFIX || undefined,
    ...(DATABASE_OWNER ? { owner: { name: DATABASE_OWNER, id, replaces: DATABASE_REPLACES_OWNER } } : {}),
  };
}

run(migrate());
