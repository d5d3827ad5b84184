import { sessionSeconds } from '../../domain/access-tokens.ts';
import type { OpenSession } from '../accounts.ts';
import type { AdminApi, RealmSession } from './admin-api.ts';

/** Newest first. Keycloak sees our own address of those that began here; `addresses` has the client's. */
export function openSessions(sessions: readonly RealmSession[], addresses: ReadonlyMap<string, string>): OpenSession[] {
  return sessions
    .map(({ id, start, ipAddress }) => ({
      id,
      address: addresses.get(id) ?? ipAddress,
      createdAt: new Date(start),
      expiresAt: new Date(start + sessionSeconds * 1000),
    }))
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || a.id.localeCompare(b.id));
}

/** Ends those of a user's sessions that are meant; answers how many. */
export async function endedSessions(
  admin: AdminApi,
  userId: string,
  which: { readonly only?: string; readonly except?: string },
): Promise<number> {
  const open = await admin.sessions(userId);
  const meant = open.filter(({ id }) => id !== which.except && (which.only === undefined || id === which.only));
  if (which.only === undefined && which.except === undefined && meant.length > 0) await admin.endAllSessions(userId);
  else for (const { id } of meant) await admin.endSession(id);
  return meant.length;
}
