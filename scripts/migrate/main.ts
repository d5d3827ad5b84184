// Entry point of the migration Job: waits for PostgreSQL, creates missing roles and schemas, and applies new migrations.
// DATABASE_ADMIN_URL (without password, parameters as in services/lib/runtime/src/database-url.ts), DATABASE_ADMIN_PASSWORD_FILE, MIGRATE_DIR (its folder `secrets` contains the roles'
// passwords, `database-<service>`). For the release's own Keycloak: KEYCLOAK_DATABASE, KEYCLOAK_DATABASE_USER,
// KEYCLOAK_DATABASE_PASSWORD_FILE. WAIT_SECONDS (default 300); DATABASE_NEWER=additive: accepts newer schemas that only add.
import { resolve } from 'node:path';
import { prepareDatabase } from '../up/database.ts';
import { Secrets } from '../up/secrets.ts';
import { prepareKeycloakDatabase, readKeycloakDatabase } from './keycloak-database.ts';
import { databaseUrl, required, retryForSeconds, run, waitSeconds } from './settings.ts';

async function migrate(): Promise<void> {
  const adminUrl = databaseUrl('DATABASE_ADMIN_URL', 'DATABASE_ADMIN_PASSWORD_FILE');
  const secrets = new Secrets(required('MIGRATE_DIR'));
  const root = resolve(import.meta.dirname, '../..');
  const keycloak = readKeycloakDatabase();
  const allowNewer = process.env.DATABASE_NEWER === 'additive';
  await retryForSeconds(waitSeconds(300), async () => {
    const applied = await prepareDatabase(adminUrl, secrets, root, allowNewer);
    process.stdout.write(`applied ${applied} new migrations\n`);
    if (keycloak !== undefined) await prepareKeycloakDatabase(adminUrl, keycloak);
  });
}

run(migrate());
