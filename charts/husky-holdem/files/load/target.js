// Shared by all scenarios: address of the platform, accounts, and requests that are measured by route and kind.
import { check } from 'k6';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import { currentStep, sheds } from './profile.js';

export const origin = __ENV.ORIGIN;
export const { users, bot, admin, password } = JSON.parse(open(__ENV.ACCOUNTS));

/** Time of requests that were not refused, by kind (read, write, sign-in, page) and step of the profile. */
const answered = new Trend('answer_duration', true);
const refusedDuration = new Trend('refusal_duration', true);
/** Requests refused with 429 or 503 and Retry-After. */
const refused = new Counter('refusals');
/** Responses that are neither a success nor such a refusal. */
const failures = new Counter('failures');

/** Returns the account of this virtual user; virtual users may share an account. */
export const me = () => users[(__VU - 1) % users.length];

/** Reasons of a 503 that is a refusal. A read that fails because a service is unavailable has Retry-After too, but is a failure. */
const refusalReason = /"reason":"(overloaded|packages-preparing)"/;

/** Counts a refusal with 429 or 503 and Retry-After. Returns whether the response is one. */
export function countRefusal(answer, tags) {
  const advised = (answer.status === 429 || answer.status === 503) && answer.headers['Retry-After'] !== undefined;
  const refusal = advised && (answer.status === 429 || refusalReason.test(String(answer.body)));
  if (refusal) {
    refused.add(1, tags);
    refusedDuration.add(answer.timings.duration, tags);
  }
  return refusal;
}

/**
 * Sends a request and returns its response. `route` is the path with names for its parameters and becomes the tag `name`.
 * Any other response than `status` is a failed check, except a refusal in a profile that overloads the platform.
 */
export function send(method, path, route, { kind, token, body = null, type, timeout = '30s', accept, status = 200 }) {
  const headers = { accept: accept ?? 'application/json', 'accept-encoding': 'gzip' };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (type !== undefined) headers['content-type'] = type;
  const step = currentStep();
  const tags = { name: `${method} ${route}`, kind, step };
  const answer = http.request(method, `${origin}${path}`, body, { headers, timeout, tags });
  const refusal = countRefusal(answer, tags);
  if (!refusal && answer.status === status) answered.add(answer.timings.duration, tags);
  else if (!refusal) failures.add(1, { ...tags, status: String(answer.status) });
  if (!(refusal && sheds)) check(answer, { [`${method} ${route} answers ${status}`]: () => answer.status === status }, tags);
  return answer;
}

/** Makes a GET request that must return 200. */
export const read = (path, route, token) => send('GET', path, route, { kind: 'read', token });

/** Posts JSON that must be accepted. */
export const post = (path, route, token, value) =>
  send('POST', path, route, { kind: 'write', token, type: 'application/json', body: JSON.stringify(value ?? {}) });

/** Returns the parsed body, or undefined where the response is no success. */
export const bodyOf = (answer) => (answer.status === 200 ? answer.json() : undefined);
