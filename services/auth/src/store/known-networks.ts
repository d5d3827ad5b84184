import { type Sql, sql } from '@husky/runtime/sql';

type Key = Uint8Array<ArrayBuffer>;

/** SQL that remembers for 90 days that a name was signed in from a network. Without `key` it does nothing. */
export function knownNetworkInsert(key: Key | null, now: Date): Sql {
  const bytes = key && Buffer.from(key);
  return sql`INSERT INTO known_places (key, seen_at) SELECT ${bytes}::bytea, ${now}::timestamptz WHERE ${bytes}::bytea IS NOT NULL
    ON CONFLICT (key) DO UPDATE SET seen_at = excluded.seen_at`;
}
