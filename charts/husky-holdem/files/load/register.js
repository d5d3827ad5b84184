// A newcomer: registers. The account stays.
import { randomBytes } from 'k6/crypto';
import { b64encode } from 'k6/encoding';
import { optionsOf } from './options.js';
import { guarded, send } from './target.js';

export { setup } from './accounts.js';
export { handleSummary } from './summary.js';
export const options = optionsOf('register');

export const register = guarded(() => {
  const name = b64encode(randomBytes(12), 'rawurl').replaceAll(/[^A-Za-z0-9]/g, 'x');
  const body = JSON.stringify({ username: `load-${name}`, password: name, email: `load-${name}@husky.invalid` });
  send('POST', '/auth/register', '/auth/register', { kind: 'sign-in', body, type: 'application/json', status: 201 });
});
