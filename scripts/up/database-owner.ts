// Marks the database and roles of an installation with comments, so that a second installation on the same PostgreSQL does not use them
// by mistake.

import { connectionOptions } from '@husky/runtime/database/database-url';
import { sql } from '@husky/runtime/database/sql';
import pg from 'pg';

/** Identity of an installation. */
export interface Owner {
  /** `<namespace>/<release>` */
  readonly name: string;
  /** A random id, because two clusters can have releases of one name. Installations of earlier versions have none. */
  readonly id?: string | undefined;
  /** The mark of the installation that this one replaces, or `unmarked` for roles without a mark. */
  readonly replaces?: string | undefined;
}

interface Claim {
  readonly database: string;
  /** Names of the roles -> their passwords in this installation. */
  readonly roles: ReadonlyMap<string, string>;
}

interface ExistingObject {
  readonly kind: 'DATABASE' | 'ROLE';
  readonly name: string;
  readonly comment: string | null;
}

const pattern = / ?\(?husky-holdem installation ([^\s)]+)(?: ([^\s)]+))?\)?/;
const formatMark = ({ name, id }: Owner) => (id === undefined ? name : `${name} ${id}`);

function parseMark(comment: string | null): Owner | undefined {
  const [, name, id] = pattern.exec(comment ?? '') ?? [];
  return name === undefined ? undefined : { name, id };
}

const isSame = (a: Owner, b: Owner) => a.name === b.name && (a.id === undefined || b.id === undefined || a.id === b.id);

/**
 * Throws an Error if the database or one of the roles belongs to another installation: it has another mark, or it has no mark, like those of
 * earlier versions, and the role has another password. Changes nothing.
 */
export async function requireOwnership(server: pg.Client, adminUrl: string, claim: Claim, owner: Owner): Promise<void> {
  for (const { kind, name, comment } of await listExisting(server, claim)) {
    const marked = parseMark(comment);
    const label = kind === 'DATABASE' ? `The database ${name}` : `The database role ${name}`;
    if (marked !== undefined) {
      if (isSame(marked, owner) || owner.replaces === formatMark(marked)) continue;
      throw new Error(
        `${label} belongs to the installation ${formatMark(marked)}, this is ${formatMark(owner)}: ${advice(formatMark(marked))}`,
      );
    }
    const password = kind === 'ROLE' ? claim.roles.get(name) : undefined;
    if (password === undefined || owner.replaces === 'unmarked' || (await canSignIn(adminUrl, name, password)))
      continue;
    throw new Error(
      `${label} has another password than in the installation ${formatMark(owner)}, so it belongs to another installation: ${advice('unmarked')}`,
    );
  }
}

/** Adds the mark of the installation to the comments of the database and the roles. */
export async function markOwnership(server: pg.Client, claim: Claim, owner: Owner): Promise<void> {
  for (const { kind, name, comment } of await listExisting(server, claim)) {
    const marked = parseMark(comment);
    if (marked !== undefined && isSame(marked, owner) && (marked.id !== undefined || owner.id === undefined)) continue;
    const mark = `husky-holdem installation ${formatMark(owner)}`;
    const other = (comment ?? '').replace(pattern, '');
    const text = pg.escapeLiteral(other === '' ? mark : `${other} (${mark})`);
    await server
      .query(`COMMENT ON ${kind} ${pg.escapeIdentifier(name)} IS ${text}`)
      .catch((error: { code?: string }) => {
        // Only the owner of a database may comment on it. One that the operator has created stays unmarked; the roles are marked.
        if (kind !== 'DATABASE' || error.code !== insufficientPrivilege) throw error;
        process.stdout.write(`the database ${name} is not marked: ${String(error)}\n`);
      });
  }
}

const insufficientPrivilege = '42501';
const invalidPassword = '28P01';

const advice = (mark: string) =>
  `set postgresql.external.database and postgresql.external.rolePrefix to other names. To take it over, set postgresql.external.replacesOwner to "${mark}"`;

async function listExisting(server: pg.Client, { database, roles }: Claim): Promise<ExistingObject[]> {
  const { rows } = await server.query<ExistingObject>(
    sql`SELECT 'DATABASE' AS kind, datname AS name, shobj_description(oid, 'pg_database') AS comment FROM pg_database
        WHERE datname = ${database}
        UNION ALL SELECT 'ROLE', rolname, shobj_description(oid, 'pg_authid') FROM pg_roles
        WHERE rolname = ANY(${[...roles.keys()]})`,
  );
  return rows;
}

async function canSignIn(adminUrl: string, role: string, password: string): Promise<boolean> {
  const client = new pg.Client({ ...connectionOptions(adminUrl), user: role, password });
  try {
    await client.connect();
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === invalidPassword) return false;
    // The server has accepted the password and refuses only this database.
    if (code !== undefined && /^(42|3D)/.test(code)) return true;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
