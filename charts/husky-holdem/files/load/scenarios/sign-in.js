// A user: signs in, requests the own account and signs out.
import { bodyOf, me, password, read, send } from '../target.js';

export function signIn() {
  const { username, password: own } = me();
  const body = JSON.stringify({ username, password: own ?? password });
  const response = send('POST', '/auth/login', '/auth/login', { kind: 'sign-in', body, type: 'application/json' });
  const token = bodyOf(response)?.access_token;
  if (token === undefined) return;
  read('/auth/whoami', '/auth/whoami', token);
  send('POST', '/auth/logout', '/auth/logout', { kind: 'write', token });
}
