import type { ApiToken__Output } from '@husky/contracts/types/auth/v1/ApiToken';
import type { Session__Output } from '@husky/contracts/types/auth/v1/Session';

export const presentSession = (session: Session__Output) => ({
  access_token: session.accessToken,
  token_type: 'bearer' as const,
  expires_in: session.expiresIn,
});

export const presentToken = (token: ApiToken__Output) => ({
  id: token.id,
  name: token.name,
  scopes: token.scopes as ('read' | 'submit')[],
  created_at: token.createdAt,
  expires_at: token.expiresAt,
  last_used_at: token.lastUsedAt || null,
});
