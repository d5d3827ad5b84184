import { api } from './api.ts';
import { detailOf, isApiError } from './api-error.ts';
import { RESEND_COOLDOWN_S, resendCooldown, startCooldown } from './cooldown.ts';
import { keptTokensFor } from './kept-tokens.ts';
import { signIn, signOut } from './session.ts';
import { singleSignOn } from './single-sign-on.ts';
import { getToken } from './token-store.ts';

/** Signs in by the form, in both kinds of identity. */
export async function logIn(username: string, password: string): Promise<void> {
  const { access_token } = await api.post('/auth/login', { body: { username, password }, anonymous: true });
  await signIn(access_token);
}

export async function register(account: { username: string; email: string; password: string }): Promise<void> {
  const { access_token } = await api.post('/auth/register', { body: account, anonymous: true });
  startCooldown(resendCooldown(account.username), RESEND_COOLDOWN_S);
  await signIn(access_token);
}

/** Signs out here, which ends the session at the server, and at Keycloak where the session came from there. */
export async function logOut(): Promise<void> {
  const token = getToken();
  const idToken = token === null ? undefined : keptTokensFor(token)?.idToken;
  // The token goes at once; Keycloak's part may take long to come, or not come at all.
  const [keycloak] = await Promise.all([singleSignOn().catch(() => null), signOut()]);
  if (idToken !== undefined && (await keycloak?.answers())) await keycloak?.leave(idToken);
}

/** The catalogue's text for a failed login. */
export function loginErrorText(error: unknown): string {
  if (!isApiError(error) || error.status === 0) return 'An unexpected error occurred.';
  return detailOf(error, 'Login failed. Please try again.');
}

/** The catalogue's text for a failed registration. */
export function registerErrorText(error: unknown): string {
  return detailOf(error, 'An unexpected error occurred. Please try again.');
}
