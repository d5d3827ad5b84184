import { raw, sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import { databaseServices, schemaOf } from '../up/database.ts';

export interface ParkedMessage {
  readonly id: string;
  readonly service: string;
  readonly durable: string;
  readonly subject: string;
  readonly deliveries: number;
  readonly parkedAt: Date;
  /** Whether a replay was requested that has not been tried yet. */
  readonly replaying: boolean;
  readonly reason: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Services that consume events: all but pool. */
const consumers = databaseServices.filter((service) => service !== 'pool');

/** Lists the parked messages of all services, oldest first. */
export async function listParked(client: pg.ClientBase): Promise<ParkedMessage[]> {
  const messages: ParkedMessage[] = [];
  for (const service of consumers) {
    const { rows } = await client.query<Omit<ParkedMessage, 'service'>>(
      `SELECT id, durable, subject, deliveries, parked_at AS "parkedAt", reason, replay_requested_at IS NOT NULL AS replaying
       FROM "${schemaOf(service)}".parked_messages`,
    );
    messages.push(...rows.map((row) => ({ ...row, service })));
  }
  return messages.sort((a, b) => a.parkedAt.getTime() - b.parkedAt.getTime());
}

/** Requests the replay of messages; `ids` undefined: of all. Returns their number. Throws if there is no parked message with an id. */
export async function requestReplay(client: pg.ClientBase, ids: readonly string[] | undefined): Promise<number> {
  const known = new Set((await listParked(client)).map(({ id }) => id));
  const unknown = ids?.find((id) => !uuid.test(id) || !known.has(id));
  if (unknown !== undefined) throw new Error(`There is no parked message ${unknown}.`);
  const selected = ids ?? [...known];
  for (const service of consumers) {
    await client.query(
      sql`UPDATE "${raw(schemaOf(service))}".parked_messages SET replay_requested_at = now() WHERE id = ANY(${selected})`,
    );
  }
  return selected.length;
}
