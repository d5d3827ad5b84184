import type { Session as SessionMessage } from '@husky/contracts/types/auth/v1/Session';
import type { User as UserMessage } from '@husky/contracts/types/auth/v1/User';
import type { UserName } from '@husky/contracts/types/auth/v1/UserName';
import type { SignedIn } from './accounts/accounts.ts';
import type { User } from './generated/client.ts';
import type { ListedUser, NameRow } from './store/directory.ts';

export function presentUser(user: ListedUser, show: { readonly email: boolean }): UserMessage {
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

export function presentSession({ accessToken, expiresInS }: SignedIn, user: User): SessionMessage {
  return { accessToken, expiresIn: expiresInS, user: presentUser(user, { email: true }) };
}

export function presentName(row: NameRow): UserName {
  return { id: row.id, username: row.username, deleted: row.deletedAt !== null, house: row.house };
}
