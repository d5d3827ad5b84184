// The mark of an installation in the comments of its database and roles. It keeps a second installation on the same
// PostgreSQL from taking them over.
import { connectionOptions } from '@husky/runtime/database-url';
import pg from 'pg';

/** Identity of an installation. */
export interface Owner {
  /** `<namespace>/<release>` */
  readonly name: string;
  /** A random id, because two clusters can have releases of one name. Installations of earlier versions have none. */
  readonly id?: string | undefined;
  /** The mark that may be overruled, or `unmarked` for roles without one. */
  readonly replaces?: string | undefined;
}

interface Claimed {
  readonly database: string;
  /** Roles with the passwords of this installation. */
  readonly roles: ReadonlyMap<string, string>;
}

interface Marked {
  readonly kind: 'DATABASE' | 'ROLE';
  readonly name: string;
  readonly comment: string | null;
}

const pattern = / ?\(?husky-holdem installation ([^\s)]+)(?: ([^\s)]+))?\)?/;
const textOf = ({ name, id }: Owner) => (id === undefined ? name : `${name} ${id}`);

function ownerIn(comment: string | null): Owner | undefined {
  const [, name, id] = pattern.exec(comment ?? '') ?? [];
  return name === undefined ? undefined : { name, id };
}

const isSame = (a: Owner, b: Owner) => a.name === b.name && (a.id === undefined || b.id === undefined || a.id === b.id);

/**
 * Throws one sentence when the database or one of the roles belongs to another installation: it has another mark, or, as
 * versions before did not mark them, the role has another password. Changes nothing.
 */
export async function refuseForeign(
  server: pg.Client,
  adminUrl: string,
  claimed: Claimed,
  owner: Owner,
): Promise<void> {
  for (const { kind, name, comment } of await existing(server, claimed)) {
    const marked = ownerIn(comment);
    const what = kind === 'DATABASE' ? `The database ${name}` : `The database role ${name}`;
    if (marked !== undefined) {
      if (isSame(marked, owner) || owner.replaces === textOf(marked)) continue;
      throw new Error(
        `${what} belongs to the installation ${textOf(marked)}, this is ${textOf(owner)}: ${advice(textOf(marked))}`,
      );
    }
    const password = kind === 'ROLE' ? claimed.roles.get(name) : undefined;
    if (password === undefined || owner.replaces === 'unmarked' || (await accepts(adminUrl, name, password))) continue;
    throw new Error(
      `${what} has another password than ${textOf(owner)} gives it, so it belongs to another installation: ${advice('unmarked')}`,
    );
  }
}

/** Marks the database and the roles as the installation's. Other text of their comments is kept. */
export async function markAsOwn(server: pg.Client, claimed: Claimed, owner: Owner): Promise<void> {
  for (const { kind, name, comment } of await existing(server, claimed)) {
    const marked = ownerIn(comment);
    if (marked !== undefined && isSame(marked, owner) && (marked.id !== undefined || owner.id === undefined)) continue;
    const mark = `husky-holdem installation ${textOf(owner)}`;
    const other = (comment ?? '').replace(pattern, '');
    const text = pg.escapeLiteral(other === '' ? mark : `${other} (${mark})`);
    await server
      .query(`COMMENT ON ${kind} ${pg.escapeIdentifier(name)} IS ${text}`)
      .catch((error: { code?: string }) => {
        // Only its owner may comment on a database that was created beforehand. The roles are marked.
        if (kind !== 'DATABASE' || error.code !== insufficientPrivilege) throw error;
        process.stdout.write(`the database ${name} is not marked: ${String(error)}\n`);
      });
  }
}

const insufficientPrivilege = '42501';
const invalidPassword = '28P01';

const advice = (mark: string) =>
  `set postgresql.external.database and postgresql.external.rolePrefix to names of its own. To take it over, set postgresql.external.replacesOwner to "${mark}"`;

async function existing(server: pg.Client, { database, roles }: Claimed): Promise<Marked[]> {
  const { rows } = await server.query<Marked>(
    `SELECT 'DATABASE' AS kind, datname AS name, shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = $1
     UNION ALL SELECT 'ROLE', rolname, shobj_description(oid, 'pg_authid') FROM pg_roles WHERE rolname = ANY($2)`,
    [database, [...roles.keys()]],
  );
  return rows;
}

async function accepts(adminUrl: string, role: string, password: string): Promise<boolean> {
  const client = new pg.Client({ ...connectionOptions(adminUrl), user: role, password });
  try {
    await client.connect();
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === invalidPassword) return false;
    // The server knows the password, and refuses this database.
    if (code !== undefined && /^(42|3D)/.test(code)) return true;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
