import { api } from '../lib/api.ts';
import { detailOf, isApiError } from '../lib/api-error.ts';
import { RESEND_COOLDOWN_S, resendCooldown, startCooldown } from '../lib/cooldown.ts';
import { signIn, signOut } from './session.ts';
import { singleSignOn } from './single-sign-on.ts';
import { getToken, storedTokensFor } from './tokens.ts';

/** Signs in by username and password, with own accounts and with Keycloak. */
export async function logIn(username: string, password: string): Promise<void> {
  const { access_token } = await api.post('/auth/login', { body: { username, password }, anonymous: true });
  await signIn(access_token);
}

export async function register(account: { username: string; email: string; password: string }): Promise<void> {
  const { access_token } = await api.post('/auth/register', { body: account, anonymous: true });
  startCooldown(resendCooldown(account.username), RESEND_COOLDOWN_S);
  await signIn(access_token);
}

/** Signs out here, at the server, and at Keycloak if the session came from there. */
export async function logOut(): Promise<void> {
  const token = getToken();
  const idToken = token === null ? undefined : storedTokensFor(token)?.idToken;
  // The token is removed at once; Keycloak's part may load late or not at all.
  const [keycloak] = await Promise.all([singleSignOn().catch(() => null), signOut()]);
  if (idToken !== undefined && (await keycloak?.isReachable())) await keycloak?.redirectToLogout(idToken);
}

/** Returns the error text for a failed login. */
export function loginErrorText(error: unknown): string {
  if (!isApiError(error) || error.status === 0) return 'An unexpected error occurred.';
  return detailOf(error, 'Login failed. Please try again.');
}

/** Returns the error text for a failed registration. */
export function registerErrorText(error: unknown): string {
  return detailOf(error, 'An unexpected error occurred. Please try again.');
}
