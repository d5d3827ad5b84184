import type { Session as SessionMessage } from '@husky/contracts/types/auth/v1/Session';
import type { User as UserMessage } from '@husky/contracts/types/auth/v1/User';
import type { UserName } from '@husky/contracts/types/auth/v1/UserName';
import type { AuthContext } from './context.ts';
import { sessionSeconds } from './domain/access-tokens.ts';
import type { Session, User } from './generated/client.ts';
import type { NameRow } from './store/directory.ts';

export function presentUser(user: User, show: { readonly email: boolean }): UserMessage {
  const message: UserMessage = {
    id: user.id,
    username: user.username,
    email: show.email ? (user.email ?? '') : '',
    admin: user.admin,
    isVerified: user.verified,
    createdAt: user.createdAt.toISOString(),
  };
  if (user.name !== null) message.name = user.name;
  if (user.github !== null) message.github = user.github;
  if (user.discordUsername !== null) message.discordUsername = user.discordUsername;
  if (user.about !== null) message.about = user.about;
  return message;
}

export async function presentSession(context: AuthContext, session: Session, user: User): Promise<SessionMessage> {
  const claims = { userId: user.id, sessionId: session.id };
  return {
    accessToken: await context.tokens.issue(claims, session.createdAt.getTime()),
    expiresIn: sessionSeconds,
    user: presentUser(user, { email: true }),
  };
}

export function presentName(row: NameRow): UserName {
  return { id: row.id, username: row.username, deleted: row.deletedAt !== null, house: row.house };
}
