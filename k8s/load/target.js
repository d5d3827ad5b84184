// Shared by all scenarios: the platform's address and the accounts created by accounts.ts.
import { check } from 'k6';
import http from 'k6/http';

export const origin = __ENV.ORIGIN;
export const { users, bot, admin, matches, password } = JSON.parse(open(__ENV.ACCOUNTS));

export const json = (token) => ({
  headers: { accept: 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
  timeout: '30s',
});

/** The user of this virtual user; there may be more virtual users than accounts. */
export const me = () => users[(__VU - 1) % users.length];

/** A GET that must answer 200; `name` groups its figures. */
export function read(path, name, token) {
  const answer = http.get(`${origin}${path}`, { ...json(token), tags: { name } });
  check(answer, { [`${name} answers 200`]: ({ status }) => status === 200 });
  return answer;
}
