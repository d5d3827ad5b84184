// Shared by all scenarios: the platform's address and the accounts created by accounts.ts.
import { check } from 'k6';
import http from 'k6/http';

export const origin = __ENV.ORIGIN;
export const { users, bot, admin, matches, password } = JSON.parse(open(__ENV.ACCOUNTS));

export const json = (token) => ({
  headers: { accept: 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
  timeout: '30s',
});

/** Returns the account of this virtual user; virtual users may share an account. */
export const me = () => users[(__VU - 1) % users.length];

/** Makes a GET request that must return 200; `name` groups its metrics. */
export function read(path, name, token) {
  const answer = http.get(`${origin}${path}`, { ...json(token), tags: { name } });
  check(answer, { [`${name} answers 200`]: ({ status }) => status === 200 });
  return answer;
}
