import type { Logger } from '@husky/runtime/process/logger';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import { audit } from '../../audit/audit.ts';
import type { User } from '../../generated/client.ts';
import type { Db } from '../../store/database.ts';
import { deleteAccount } from '../../store/delete-account.ts';
import { type ExternalIdentity, matchesIdentity, syncIdentity } from '../../store/identity-sync.ts';
import { findById } from '../../store/users.ts';
import type { AdminApi, RealmUser } from './admin-api.ts';

export interface RealmSync {
  /** Updates the rows of all users of the realm that have one, and tombstones rows whose user was deleted. */
  runRound(): Promise<void>;
  stop(): Promise<void>;
}

interface RealmSyncSettings {
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
 * Updates rows whose users were changed in Keycloak but have not called since; Identify updates the others. Creates no rows.
 * One replica at a time runs a round, under an advisory lock.
 */
export function startRealmSync(settings: RealmSyncSettings, intervalMs = everyMs): RealmSync {
  const { log, pool, db, transaction, admin, now } = settings;
  let stopped = false;
  let running: Promise<void> | undefined;

  async function runRound(): Promise<void> {
    const startedAt = now();
    const present = new Set<string>();
    const admins = await admin.admins();
    for (let first = 0; !stopped; first += pageSize) {
      const page = await admin.users(first, pageSize);
      for (const { id } of page) present.add(id);
      await syncPage(page, admins);
      if (page.length < pageSize) break;
      // Leaves Keycloak time for sign-ins while a large realm is read.
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    if (!stopped) await tombstoneDeleted(present, startedAt);
  }

  async function syncPage(page: readonly RealmUser[], admins: ReadonlySet<string>): Promise<void> {
    const rows = await db.user.findMany({ where: { id: { in: page.map(({ id }) => id) }, deletedAt: null } });
    for (const row of rows) {
      const user = page.find(({ id }) => id === row.id);
      if (user && !stopped) await syncUser(row, user, admins.has(row.id));
    }
  }

  async function syncUser(row: User, user: RealmUser, hasAdminRole: boolean): Promise<void> {
    const { id, username, email = null, emailVerified: verified = false } = user;
    try {
      // A user who does not have the role directly may have it through a group.
      const isAdmin = hasAdminRole || (row.admin && (await admin.isAdmin(id)));
      const identity: ExternalIdentity = { id, username, email, verified, admin: isAdmin };
      if (!matchesIdentity(row, identity)) await transaction((tx) => syncIdentity(tx, identity, now()));
    } catch (error) {
      if (!(error instanceof DomainError) || error.reason === 'identity-away') throw error;
      log.warn({ userId: row.id }, `user skipped by realm sync: ${error.message}`);
    }
  }

  /** Deletes rows whose user was deleted in Keycloak. Rows with a password belong to the other mode and stay. */
  async function tombstoneDeleted(present: ReadonlySet<string>, createdBefore: Date): Promise<void> {
    const where = { deletedAt: null, house: false, passwordHash: null, createdAt: { lt: createdBefore } };
    const rows = await db.user.findMany({ where, select: { id: true } });
    for (const { id } of rows.filter((row) => !present.has(row.id))) {
      if (stopped || (await admin.user(id))) continue;
      await transaction(async (tx) => {
        const user = await findById(tx, id);
        if (!user) return;
        await deleteAccount(tx, user, now());
        const entry = { action: 'user.deleted', subjectKind: 'user', subjectId: id, before: { admin: user.admin } };
        await audit(tx, { kind: 'service', name: 'auth' }, entry, now());
      });
    }
  }

  async function runRoundUnderLock(): Promise<void> {
    const client = await pool.connect();
    try {
      const { rows } = await client.query<{ locked: boolean }>(
        "SELECT pg_try_advisory_lock(hashtext('husky.auth.follow-realm')) AS locked",
      );
      if (rows[0]?.locked !== true) return;
      try {
        await runRound();
      } finally {
        await client.query("SELECT pg_advisory_unlock(hashtext('husky.auth.follow-realm'))");
      }
    } finally {
      client.release();
    }
  }

  const timer = setInterval(() => {
    running ??= runRoundUnderLock()
      .catch((error: unknown) => {
        const unavailable = error instanceof DomainError && error.reason === 'identity-away';
        if (!unavailable) log.warn({ err: error }, `realm sync failed: ${messageOf(error)}`);
      })
      .finally(() => {
        running = undefined;
      });
  }, intervalMs);

  return {
    runRound,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
