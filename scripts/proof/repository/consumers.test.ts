// Every durable consumer of the platform receives its events in order, in reverse order, and duplicated and shuffled. The stored state
// must be the same: consumers are idempotent by key and compare versions or times.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  audited,
  type EventContract,
  jobEnded,
  quotaChanged,
  settingsChanged,
  userChanged,
} from '@husky/contracts/events';
import { type AuditedDomain, auditedDomains, streamOf } from '@husky/contracts/subjects';
import { natsUsers } from '@husky/platform/nats-users';
import { raw, sql } from '@husky/runtime/database/sql';
import { connectNats, type Messaging } from '@husky/runtime/messages/nats';
import { createLogger } from '@husky/runtime/process/logger';
import { testNats } from '@husky/testkit/servers';
import { type ServiceProcess, startService } from '@husky/testkit/service-process';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

const log = createLogger('test', 'silent');
const names = ['auth', 'submission', 'simulation', 'live-data', 'leaderboard'] as const;
type Name = (typeof names)[number];
const services = new Map<Name, ServiceProcess>();
/** Connections as the services' own users, by domain. */
const connections = new Map<string, Messaging>();

const databaseOf = (name: Name) => {
  const service = services.get(name);
  if (service === undefined) throw new Error(`${name} was not started`);
  return service.database.admin;
};

beforeAll(async () => {
  const folder = mkdtempSync(join(inject('husky').folder, 'consumers-'));
  const linkKey = join(folder, 'link-key');
  writeFileSync(linkKey, randomBytes(32).toString('hex'));
  const unreachable = '127.0.0.1:1';
  services.set('auth', await startService('auth', { PUBLIC_URL: 'http://husky.test', MAIL_OUTBOX_DIR: folder }));
  services.set('leaderboard', await startService('leaderboard', { SIMULATION_ADDRESS: unreachable }));
  const submission = await startService('submission', { FILE_LINK_KEY_FILE: linkKey, WORK_DIR: folder });
  services.set('submission', submission);
  const simulation = await startService('simulation', {
    AUTH_ADDRESS: unreachable,
    SUBMISSION_ADDRESS: `127.0.0.1:${submission.grpcPort}`,
    LIVE_DATA_ADDRESS: unreachable,
  });
  services.set('simulation', simulation);
  const address = `127.0.0.1:${simulation.grpcPort}`;
  services.set('live-data', await startService('live-data', { SIMULATION_ADDRESS: address }));
  for (const user of Object.keys(natsUsers).filter((name) => name !== 'gateway')) {
    const domain = user.replace('-', '_');
    connections.set(domain, await connectNats(await testNats(user), log, domain));
  }
}, 300_000);

afterAll(async () => {
  for (const connection of connections.values()) await connection.close();
  for (const service of services.values()) await service.stop();
});

/** All durable consumers, with the domain of their NATS user. */
const consumers = Object.entries(natsUsers).flatMap(([user, { consumes = {} }]) =>
  Object.entries(consumes).map(([durable, subject]) => ({ domain: user.replace('-', '_'), durable, subject })),
);

let publishedCount = 0;

async function publish<In extends object>(event: EventContract<In, unknown>, message: In): Promise<void> {
  const { subject } = event;
  await connections
    .get(subject.split('.')[1] ?? '')
    ?.publish(subject, event.encode(message), `test-${++publishedCount}`, '');
  await waitUntilHandled();
}

/** Waits until every consumer has handled all events. */
async function waitUntilHandled(): Promise<void> {
  for (const { domain, durable, subject } of consumers) {
    const connection = connections.get(domain)?.connection;
    if (connection === undefined) throw new Error(`no connection for ${domain}`);
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const countPending = async () => {
      const { num_pending, num_ack_pending } = await manager.consumers.info(streamOf(subject), durable);
      return num_pending + num_ack_pending;
    };
    await expect.poll(countPending, { timeout: 60_000, message: `${durable} handles its events` }).toBe(0);
  }
}

type Publication = () => Promise<void>;

/** A separate set of users and jobs. The ids of two worlds differ only in their first part. */
class World {
  readonly #prefix: string;
  readonly #version: number;

  constructor(prefix: string, version: number) {
    this.#prefix = prefix;
    this.#version = version;
  }

  #id(number: number): string {
    return `${this.#prefix}-0000-4000-8000-${String(number).padStart(12, '0')}`;
  }

  readonly #users = { deleted: 1, owner: 2, player: 3 };
  readonly #jobs = { finished: 11, deleted: 12, queued: 13 };

  async prepare(): Promise<void> {
    const [deleted, owner, player] = Object.values(this.#users).map((user) => this.#id(user)) as [
      string,
      string,
      string,
    ];
    const [finished, purged, queued] = Object.values(this.#jobs).map((job) => this.#id(job)) as [
      string,
      string,
      string,
    ];
    for (const user of [deleted, owner, player]) {
      await databaseOf('auth').query(
        sql`INSERT INTO users (id, username, username_key, verified, created_at, deleted_at)
         VALUES (${user}, ${`name-${user}`}, ${`name-${user}`}, true, now(), CASE WHEN ${user === deleted} THEN now() END)`,
      );
      // No mail is due during the test.
      await databaseOf('auth').query(
        sql`INSERT INTO notice_queues (user_id, kind, last_sent_at)
            SELECT ${user}, unnest(ARRAY['match_finished', 'verified', 'bot_prepared']), now()`,
      );
      await databaseOf('leaderboard').query(
        sql`INSERT INTO entries (id, user_id, score_cents, tag, created_at) VALUES (${user}, ${user}, 100, 'test', now())`,
      );
    }
    await databaseOf('submission').query(
      sql`INSERT INTO pins (holder_id, user_id, bot_hash) SELECT ${finished}, ${owner}, hash FROM bots LIMIT 1`,
    );
    await databaseOf('live-data').query(
      sql`INSERT INTO matches (job_id, owner_id, batch_number, game_number, player_ids, num_rounds, big_blind, blind_multiplier, blind_interval,
         starting_stack, rules_version, profile, seed)
       VALUES (${purged}, ${owner}, 0, 1, ARRAY[${owner}, ${player}]::uuid[], 10, 10, '1', 1, 10000, 1,
         'documented', decode(repeat('00', 32), 'hex'))`,
    );
    await databaseOf('simulation').query(sql`INSERT INTO deal_sets (id, seed) VALUES (${queued}, decode('00', 'hex'))`);
    await databaseOf('simulation').query(
      sql`INSERT INTO jobs (id, kind, state, owner_id, holder_id, deal_set_id, num_rounds, big_blind, blind_multiplier, blind_interval,
         starting_stack, rules_version, profile, limits, queue_tag)
       VALUES (${queued}, 'MATCH', 'QUEUED', ${deleted}, ${queued}, ${queued}, 10, 10, '1', 1, 10000, 1, 'documented', '{}', 1)`,
    );
    await databaseOf('simulation').query(
      sql`INSERT INTO job_seats (job_id, seat, user_id, bot_hash, packages_hash)
          VALUES (${queued}, 0, ${deleted}, repeat('f', 64), '')`,
    );
  }

  /** Returns functions that publish the events of this world, in the order in which they happened. */
  events(): Publication[] {
    const [deleted, owner, player] = Object.values(this.#users).map((user) => this.#id(user)) as [
      string,
      string,
      string,
    ];
    const ended = (job: number, status: string) => ({
      jobId: this.#id(job),
      ownerId: owner,
      holderId: this.#id(job),
      status,
      lastOfHolder: true,
      ...(status === 'Deleted'
        ? {}
        : { kind: 'MATCH', endedAt: '2026-01-01T00:00:00Z', results: [{ userId: owner }, { userId: player }] }),
    });
    const visibility = (isPublic: boolean, occurredAt: string, number: number) => ({
      ...this.#record(number),
      action: 'job.visibility_changed',
      subjectId: this.#id(this.#jobs.finished),
      afterJson: JSON.stringify({ public: isPublic }),
      occurredAt,
    });
    const prepared = (userId: string, number: number) => ({
      ...this.#record(number),
      action: 'submission.prepared',
      subjectId: this.#id(number),
      afterJson: JSON.stringify({ user_id: userId, state: 'ready', reason: '' }),
    });
    const version = this.#version;
    return [
      () => publish(userChanged, { userId: owner, change: 'VERIFIED' }),
      () => publish(userChanged, { userId: deleted, change: 'VERIFIED' }),
      () => publish(settingsChanged, { version, frozen: true, maxSubmissions: 3 }),
      () => publish(settingsChanged, { version: version + 1, frozen: false, maxSubmissions: 4 }),
      () => publish(quotaChanged, { userId: deleted, version: 1, maxSubmissions: 9 }),
      () => publish(quotaChanged, { userId: owner, version: 1, maxSubmissions: 9 }),
      () => publish(quotaChanged, { userId: owner, version: 2, maxSubmissions: 7 }),
      () => publish(jobEnded, ended(this.#jobs.finished, 'Finished')),
      () => publish(audited('live_data'), visibility(true, '2026-01-01T00:00:01Z', 21)),
      () => publish(audited('live_data'), visibility(false, '2026-01-01T00:00:02Z', 22)),
      () => publish(audited('live_data'), visibility(true, '2026-01-01T00:00:03Z', 23)),
      () => publish(jobEnded, ended(this.#jobs.deleted, 'Finished')),
      () => publish(jobEnded, ended(this.#jobs.deleted, 'Deleted')),
      () => publish(audited('submission'), prepared(owner, 24)),
      () => publish(audited('submission'), prepared(deleted, 25)),
      () => publish(userChanged, { userId: deleted, change: 'DELETED' }),
      ...auditedDomains.map((domain: AuditedDomain, index) => () => publish(audited(domain), this.#record(30 + index))),
    ];
  }

  #record(number: number) {
    const occurredAt = '2026-01-01T00:00:00Z';
    return {
      id: this.#id(number),
      action: 'job.created',
      actorKind: 'user',
      subjectKind: 'job',
      subjectId: 'x',
      occurredAt,
    };
  }

  /** Returns every stored row of this world, without times and generated numbers, and the settings. */
  async state(): Promise<string[]> {
    const rows: string[] = [];
    for (const name of names) {
      const database = databaseOf(name);
      const { rows: tables } = await database.query<{ table: string }>(
        sql`SELECT table_name AS table FROM information_schema.tables
            WHERE table_schema = ${name.replace('-', '_')} AND table_type = 'BASE TABLE'
              AND table_name NOT IN ('outbox', 'published_events', '_prisma_migrations')`,
      );
      for (const { table } of tables) {
        const { rows: stored } = await database.query<{ row: Record<string, unknown> }>(
          sql`SELECT to_jsonb(t) AS row FROM "${raw(table)}" t WHERE t::text LIKE '%' || ${this.#prefix} || '%'`,
        );
        const isDropped = (row: Record<string, unknown>) => table === 'notices' && row.outcome === 'dropped';
        for (const { row } of stored.filter((one) => !isDropped(one.row)))
          rows.push(`${name} ${table} ${this.#normalize(row)}`);
      }
    }
    const { rows: settings } = await databaseOf('submission').query(
      'SELECT frozen, max_submissions FROM event_settings',
    );
    return [...rows.sort(), JSON.stringify(settings)];
  }

  #normalize(row: Record<string, unknown>): string {
    const kept = Object.entries(row).filter(
      ([key, value]) => !key.endsWith('_at') && !(key.endsWith('id') && typeof value === 'number'),
    );
    return JSON.stringify(
      Object.fromEntries(kept.filter(([key]) => !['job_number', 'commitment_number'].includes(key))),
    ).replaceAll(this.#prefix, 'world');
  }
}

test('the stored state does not depend on the order of events or on duplicates', async () => {
  const [ordered, reversed] = [new World('aaaaaaaa', 1), new World('bbbbbbbb', 11)];
  await ordered.prepare();
  await reversed.prepare();
  for (const event of ordered.events()) await event();
  const state = await ordered.state();
  // Checks that the events had effects, so that the comparisons below are not between empty states.
  expect(state.filter((row) => row.includes('"kind":"match_finished"') && row.startsWith('auth notices'))).toHaveLength(
    2,
  );
  expect(state.filter((row) => row.includes('"kind":"bot_prepared"') && row.startsWith('auth notices'))).toHaveLength(
    1,
  );
  expect(state.some((row) => row.startsWith('submission pins'))).toBe(false);
  expect(state.filter((row) => row.startsWith('leaderboard entries'))).toHaveLength(2);
  expect(state.find((row) => row.startsWith('simulation jobs'))).toContain('"state":"FAILED"');
  expect(state.some((row) => row.startsWith('live-data matches'))).toBe(false);
  expect(state.filter((row) => row.startsWith('auth audit_records'))).toHaveLength(5 + auditedDomains.length);
  expect(state.at(-1)).toBe('[{"frozen":false,"max_submissions":4}]');

  for (const event of reversed.events().reverse()) await event();
  expect(await reversed.state()).toEqual(state);

  const duplicates = [...ordered.events(), ...ordered.events(), ...reversed.events()];
  const shuffled = duplicates
    .map((event, index) => ({ event, key: (index * 37) % duplicates.length }))
    .sort((a, b) => a.key - b.key);
  for (const { event } of shuffled) await event();
  expect(await ordered.state()).toEqual(state);
  expect(await reversed.state()).toEqual(state);
}, 300_000);

test('consumers ignore unknown fields and enum values of newer events without parking them', async () => {
  const unknown = Buffer.concat([
    userChanged.encode({ userId: 'aaaaaaaa-0000-4000-8000-000000000002', change: 'UPDATED' }),
    // Field 900 with a text, and change = 99.
    Buffer.from([0xa2, 0x38, 0x01, 0x78, 0x10, 0x63]),
  ]);
  await connections.get('auth')?.publish(userChanged.subject, unknown, 'newer', '');
  await waitUntilHandled();
  for (const name of names) {
    expect((await databaseOf(name).query('SELECT durable, reason FROM parked_messages')).rows).toEqual([]);
  }
}, 120_000);
