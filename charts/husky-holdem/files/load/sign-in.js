// A user: signs in, requests the own account and signs out.
import { optionsOf } from './options.js';
import { bodyOf, guarded, me, read, send } from './target.js';

export { setup } from './accounts.js';
export { handleSummary } from './summary.js';
export const options = optionsOf('sign-in');

export const signIn = guarded((accounts) => {
  const { username, password } = me(accounts);
  const body = JSON.stringify({ username, password });
  const response = send('POST', '/auth/login', '/auth/login', { kind: 'sign-in', body, type: 'application/json' });
  const token = bodyOf(response)?.access_token;
  if (token === undefined) return;
  read('/auth/whoami', '/auth/whoami', token);
  send('POST', '/auth/logout', '/auth/logout', { kind: 'write', token });
});
