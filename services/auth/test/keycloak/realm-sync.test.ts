import { openMigrated, type ServiceDatabase } from '@husky/runtime/database/postgres';
import { createLogger } from '@husky/runtime/process/logger';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminApi } from '../../src/accounts/keycloak/admin-api.ts';
import { createKeycloakHttp } from '../../src/accounts/keycloak/http.ts';
import { type RealmSync, startRealmSync } from '../../src/accounts/keycloak/realm-sync.ts';
import type { PrismaClient } from '../../src/generated/client.ts';
import { clientOver, migrations } from '../../src/store/database.ts';
import type { TestRealm } from '../realm.ts';
import { type AuthUnderTest, anonymous, goodPassword, startAuth } from '../service.ts';

let auth: AuthUnderTest;
let realm: TestRealm;
let database: ServiceDatabase<PrismaClient>;
let sync: RealmSync;
beforeAll(async () => {
  auth = await startAuth();
  if (!auth.realm) throw new Error('this suite needs a Keycloak: make test-keycloak');
  realm = auth.realm;
  database = await openMigrated(auth.config.database, migrations, clientOver);
  const { pool, prisma: db } = database;
  const log = createLogger('test', 'fatal');
  const admin = createAdminApi(realm.settings, createKeycloakHttp(log), log);
  const now = () => new Date(auth.clock.now());
  sync = startRealmSync({ log, pool, db, transaction: (work) => db.$transaction(work), admin, now });
});
afterAll(async () => {
  await sync.stop();
  await database.close();
  await auth.stop();
});

const rowOf = async (username: string) => {
  const caller = await auth.signInAdmin();
  const { users } = await auth.client.listUsers({ q: username }, { caller });
  return users.find((user) => user.username === username);
};

test('mirrors role, verification and address of users who do not call', async () => {
  await auth.register('absent');
  const id = await realm.idOf('absent');
  await realm.call('PUT', `/users/${id}`, { emailVerified: true, email: 'absent@elsewhere.example' });
  await realm.setAdmin(id, true);
  await sync.runRound();
  expect(await rowOf('absent')).toMatchObject({ admin: true, isVerified: true, email: 'absent@elsewhere.example' });
  await realm.setAdmin(id, false);
  await sync.runRound();
  expect(await rowOf('absent')).toMatchObject({ admin: false, isVerified: true });
});

test('keeps the role of a user who is admin through a group', async () => {
  await auth.register('grouped');
  const id = await realm.idOf('grouped');
  await realm.call('POST', '/groups', { name: 'staff' });
  const [group] = (await realm.call('GET', '/groups?search=staff')) as { id: string }[];
  await realm.call('POST', `/groups/${group?.id}/role-mappings/realm`, [await realm.call('GET', '/roles/admin')]);
  await realm.call('PUT', `/users/${id}/groups/${group?.id}`);
  const { user } = await auth.client.login({ username: 'grouped', password: goodPassword }, { caller: anonymous });
  expect(user).toMatchObject({ admin: true });
  await sync.runRound();
  expect(await rowOf('grouped')).toMatchObject({ admin: true });
});

test('tombstones users deleted in Keycloak, keeps accounts of the mode own and creates no rows', async () => {
  await auth.register('leaving');
  const id = await realm.idOf('leaving');
  await realm.addUser('unseen', goodPassword);
  await auth.database.admin.query(
    `INSERT INTO users (id, username, username_key, password_hash, created_at)
     VALUES ('11111111-1111-4111-8111-111111111111', 'from-before', 'from-before', 'x', now() - interval '1 day')`,
  );
  await realm.call('DELETE', `/users/${id}`);
  auth.clock.advance(1000);
  await sync.runRound();
  const { names } = await auth.client.getNames({ ids: [id] }, { caller: anonymous });
  expect(names).toMatchObject([{ deleted: true, username: `deleted-${id.slice(0, 8)}` }]);
  expect(await rowOf('from-before')).toBeDefined();
  expect(await rowOf('unseen')).toBeUndefined();
  expect(await refusal(auth.register('leaving'))).toMatch(/^ALREADY_EXISTS username-taken/);
});
