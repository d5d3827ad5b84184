import type { Session__Output } from '@husky/contracts/types/auth/v1/Session';

export const presentSession = (session: Session__Output) => ({
  access_token: session.accessToken,
  token_type: 'bearer' as const,
  expires_in: session.expiresIn,
});
