import { api, detailOf, isApiError } from './api.ts';
import { loadAppConfig } from './app-config.ts';
import { signIn, signOut } from './session.ts';
import type { TokenAnswer } from './types.ts';

/** Signs in with the platform's own accounts. */
export async function logIn(username: string, password: string): Promise<void> {
  const { access_token } = await api.post<TokenAnswer>('/auth/login', { username, password }, { anonymous: true });
  await signIn(access_token);
}

export async function register(account: { username: string; email: string; password: string }): Promise<void> {
  const { access_token } = await api.post<TokenAnswer>('/auth/register', account, { anonymous: true });
  await signIn(access_token);
}

/** Signs out here and, where Keycloak holds the identity, there as well. */
export async function logOut(): Promise<void> {
  // The token goes at once; the settings may take long to come, or not come at all.
  const [config] = await Promise.all([loadAppConfig().catch(() => null), signOut()]);
  if (config?.identity === 'keycloak') {
    const { leaveKeycloak } = await import('./keycloak.ts');
    await leaveKeycloak(config);
  }
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
