import { profileColumns } from '@husky/contracts/profile-fields';
import type { Session as SessionMessage } from '@husky/contracts/types/auth/v1/Session';
import type { User as UserMessage } from '@husky/contracts/types/auth/v1/User';
import type { UserName } from '@husky/contracts/types/auth/v1/UserName';
import type { SignedIn } from './accounts/accounts.ts';
import type { NameRow } from './store/directory.ts';
import type { UserRow } from './store/users.ts';

export function presentUser(user: UserRow, show: { readonly email: boolean }): UserMessage {
  const message: UserMessage = {
    id: user.id,
    username: user.username,
    email: show.email ? (user.email ?? '') : '',
    admin: user.admin,
    isVerified: user.verified,
    createdAt: user.createdAt.toISOString(),
  };
  for (const { field } of profileColumns) {
    const value = user[field];
    if (value !== null) message[field] = value;
  }
  return message;
}

export function presentSession({ accessToken, expiresInS }: SignedIn, user: UserRow): SessionMessage {
  return { accessToken, expiresIn: expiresInS, user: presentUser(user, { email: true }) };
}

export function presentName(row: NameRow): UserName {
  return {
    id: row.id,
    username: row.username,
    deleted: row.deletedAt !== null,
    house: row.house,
    verified: row.verified,
  };
}
