// Releases that are kept for tests of upgrades (scripts/proof/releases/<version>, made by `make release-fixtures`).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Of the accounts in a kept database. They exist nowhere else. */
export const passwords = { admin: 'correct horse battery', player: 'a long enough passphrase' };

/** The match in a kept database. */
export interface KeptRelease {
  readonly jobId: string;
  readonly hands: number;
  readonly results: Readonly<Record<string, number>>;
}

/** The version before the current one. */
export const versionBefore = '0.1.0';
const folder = join(import.meta.dirname, versionBefore);

/** Returns its commit and its match. */
export const readRelease = (): KeptRelease & { readonly commit: string } =>
  JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8'));

/** Returns the SQL that restores its database. */
export const readDump = (): string => gunzipSync(readFileSync(join(folder, 'database.sql.gz'))).toString('utf8');
