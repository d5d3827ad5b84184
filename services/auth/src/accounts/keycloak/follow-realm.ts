import { DomainError, messageOf } from '@husky/runtime/errors';
import type { Logger } from '@husky/runtime/logger';
import type pg from 'pg';
import { audit } from '../../audit/audit.ts';
import type { User } from '../../generated/client.ts';
import type { Db } from '../../store/database.ts';
import { deleteAccount } from '../../store/delete-account.ts';
import { agrees, recordSight, type Seen } from '../../store/sights.ts';
import { findById } from '../../store/users.ts';
import type { AdminApi, RealmUser } from './admin-api.ts';

export interface RealmFollower {
  /** One round: everybody of the realm who has a row here, and every row whose user is gone. */
  round(): Promise<void>;
  stop(): Promise<void>;
}

interface Settings {
  readonly log: Logger;
  readonly pool: pg.Pool;
  readonly db: Db;
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  readonly admin: AdminApi;
  now(): Date;
}

const everyMs = 60_000;
const pageSize = 200;
const pauseMs = 200;

/**
 * Brings the directory up to date with what changed in Keycloak for people who have not been here since. Whoever comes
 * is looked at anyway; nobody gets a row before they do.
 */
export function followRealm(settings: Settings, intervalMs = everyMs): RealmFollower {
  const { log, pool, db, transaction, admin, now } = settings;
  let stopped = false;
  let running: Promise<void> | undefined;

  async function round(): Promise<void> {
    const began = now();
    const met = new Set<string>();
    const admins = await admin.admins();
    for (let first = 0; !stopped; first += pageSize) {
      const page = await admin.users(first, pageSize);
      for (const { id } of page) met.add(id);
      await comparePage(page, admins);
      if (page.length < pageSize) break;
      // A large realm is walked without haste: Keycloak has sign-ins to answer.
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    if (!stopped) await buryMissing(met, began);
  }

  async function comparePage(page: readonly RealmUser[], admins: ReadonlySet<string>): Promise<void> {
    const rows = await db.user.findMany({ where: { id: { in: page.map(({ id }) => id) }, deletedAt: null } });
    for (const row of rows) {
      const there = page.find(({ id }) => id === row.id);
      if (there && !stopped)
        await compare(row, there, admins.has(row.id)).catch((error: unknown) => passOver(row, error));
    }
  }

  async function compare(row: User, there: RealmUser, listed: boolean): Promise<void> {
    const { id, username, email = null, emailVerified: verified = false } = there;
    // Who is no admin by themselves may be one through a group.
    const seen: Seen = { id, username, email, verified, admin: listed || (row.admin && (await admin.isAdmin(id))) };
    if (!agrees(row, seen)) await transaction((tx) => recordSight(tx, seen, now()));
  }

  function passOver(row: User, error: unknown): void {
    if (error instanceof DomainError && error.reason !== 'identity-away') {
      log.warn(`${row.id} cannot follow Keycloak: ${error.message}`);
    } else throw error;
  }

  /** Rows of people who have been deleted in Keycloak become tombstones; accounts of our own have a password here and are left alone. */
  async function buryMissing(met: ReadonlySet<string>, before: Date): Promise<void> {
    const where = { deletedAt: null, house: false, passwordHash: null, createdAt: { lt: before } };
    const rows = await db.user.findMany({ where, select: { id: true } });
    for (const { id } of rows.filter((row) => !met.has(row.id))) {
      if (stopped || (await admin.user(id))) continue;
      await transaction(async (tx) => {
        const user = await findById(tx, id);
        if (!user) return;
        await deleteAccount(tx, user, now());
        const entry = { action: 'user.deleted', subjectKind: 'user', subjectId: id };
        await audit(tx, { kind: 'service', name: 'auth' }, { ...entry, before: { admin: user.admin } }, now());
      });
    }
  }

  /** One replica at a time. */
  async function alone(): Promise<void> {
    const client = await pool.connect();
    try {
      const { rows } = await client.query<{ mine: boolean }>(
        "SELECT pg_try_advisory_lock(hashtext('husky.auth.follow-realm')) AS mine",
      );
      if (rows[0]?.mine !== true) return;
      try {
        await round();
      } finally {
        await client.query("SELECT pg_advisory_unlock(hashtext('husky.auth.follow-realm'))");
      }
    } finally {
      client.release();
    }
  }

  const timer = setInterval(() => {
    running ??= alone()
      .catch((error: unknown) => {
        const away = error instanceof DomainError && error.reason === 'identity-away';
        if (!away) log.warn({ err: error }, `following Keycloak failed: ${messageOf(error)}`);
      })
      .finally(() => {
        running = undefined;
      });
  }, intervalMs);

  return {
    round,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
