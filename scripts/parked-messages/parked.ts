import type pg from 'pg';
import { databaseServices, schemaOf } from '../up/database.ts';

export interface Parked {
  readonly id: string;
  readonly service: string;
  readonly durable: string;
  readonly subject: string;
  readonly deliveries: number;
  readonly parkedAt: Date;
  /** A replay was requested and has not been tried yet. */
  readonly replaying: boolean;
  readonly reason: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Services that consume events; pool consumes none. */
const consumers = databaseServices.filter((service) => service !== 'pool');

/** Lists the parked messages of all services, oldest first. */
export async function listParked(client: pg.ClientBase): Promise<Parked[]> {
  const found: Parked[] = [];
  for (const service of consumers) {
    const { rows } = await client.query<Omit<Parked, 'service'>>(
      `SELECT id, durable, subject, deliveries, parked_at AS "parkedAt", reason, replay_requested_at IS NOT NULL AS replaying
       FROM "${schemaOf(service)}".parked_messages`,
    );
    found.push(...rows.map((row) => ({ ...row, service })));
  }
  return found.sort((a, b) => a.parkedAt.getTime() - b.parkedAt.getTime());
}

/** Requests the replay of these messages, or of all; returns their number. Throws one sentence when an id is not one of them. */
export async function requestReplay(client: pg.ClientBase, ids: readonly string[] | undefined): Promise<number> {
  const known = new Set((await listParked(client)).map(({ id }) => id));
  const unknown = ids?.find((id) => !uuid.test(id) || !known.has(id));
  if (unknown !== undefined) throw new Error(`There is no parked message ${unknown}.`);
  const chosen = ids ?? [...known];
  for (const service of consumers) {
    await client.query(
      `UPDATE "${schemaOf(service)}".parked_messages SET replay_requested_at = now() WHERE id = ANY($1)`,
      [chosen],
    );
  }
  return chosen.length;
}
