import { arch } from 'node:os';
import { join, resolve } from 'node:path';
import { migrationNames } from '@husky/runtime/database/migrations';
import { databaseServices, schemaOf } from '../up/database.ts';

/** Thrown if a backup or restore is not possible. The message is a sentence for the operator. */
export class CannotBackUp extends Error {}

export const headerName = 'header.json';
export const manifestName = 'manifest.json';
/** Last bytes of a complete archive: a skippable frame of zstd (RFC 8878, section 3.1.2), which `zstd` and `tar` ignore. */
export const trailer = Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18, 8, 0, 0, 0]), Buffer.from('HUSKYEND')]);
/** Version of the archive's format. Increased when older versions of the platform cannot read it. */
const format = 1;

/** First entry of an archive: requirements for restoring it. */
export interface Header {
  readonly format: number;
  readonly createdAt: string;
  /** Major version of PostgreSQL: the files are a physical copy. */
  readonly postgres: string;
  /** Processor architecture, as in Node.js. */
  readonly arch: string;
  /** Applied migrations by schema. */
  readonly migrations: Readonly<Record<string, readonly string[]>>;
  /** Approximate sum of the file sizes in bytes. */
  readonly bytes: number;
}

/** A file of an archive. */
export interface Part {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Last entry of an archive. An archive without it is truncated. */
export interface Manifest {
  readonly files: readonly Part[];
}

export function createHeader(
  postgres: string,
  migrations: Header['migrations'],
  bytes: number,
  now: Date = new Date(),
): Header {
  return { format, createdAt: now.toISOString(), postgres, arch: arch(), migrations, bytes };
}

const root = resolve(import.meta.dirname, '../..');

function knownMigrations(): Record<string, readonly string[]> {
  return Object.fromEntries(
    databaseServices.map((service) => [
      schemaOf(service),
      migrationNames(join(root, 'services', service, 'prisma/migrations')),
    ]),
  );
}

/** Throws CannotBackUp if this version of the platform cannot restore an archive with this header. */
export function checkHeader(header: Header, postgres: string, known = knownMigrations()): void {
  if (header.format !== format) {
    throw new CannotBackUp(
      `The backup has format ${header.format} of a newer version, this version reads format ${format}.`,
    );
  }
  for (const [schema, names] of Object.entries(header.migrations)) {
    const unknown = names.find((name) => !known[schema]?.includes(name));
    if (unknown !== undefined) {
      throw new CannotBackUp(
        `The backup is of a newer version: its schema ${schema} has migration ${unknown}, which this version does not know.`,
      );
    }
  }
  if (header.postgres !== postgres) {
    throw new CannotBackUp(`The backup is of PostgreSQL ${header.postgres}, but this is PostgreSQL ${postgres}.`);
  }
  if (header.arch !== arch()) {
    throw new CannotBackUp(`The backup is of a machine with ${header.arch} processors, but this is ${arch()}.`);
  }
}
