import { type Sql, sql } from '@husky/runtime/database/sql';
import type { Places } from '../domain/back-off.ts';

/** SQL that remembers for 90 days that a name was signed in from an address and its network. Without `places` it does nothing. */
export function knownPlacesInsert(places: Places | null, now: Date): Sql {
  const keys =
    places === null ? [] : [places.network, places.address].map((key) => Buffer.from(key)).sort(Buffer.compare);
  return sql`INSERT INTO known_places (key, seen_at) SELECT key, ${now}::timestamptz FROM unnest(${keys}::bytea[]) AS place (key)
    ON CONFLICT (key) DO UPDATE SET seen_at = excluded.seen_at`;
}
