// Requests to the platform at ORIGIN, measured by route and kind.
import { check, sleep } from 'k6';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import { acceptsRefusals, currentStep } from './profile.js';

export const origin = (__ENV.ORIGIN || '').replace(/\/+$/, '');

if (acceptsRefusals) http.setResponseCallback(http.expectedStatuses({ min: 200, max: 399 }, 429, 503));

/** Duration of successful requests by kind (read, write, upload, sign-in, page) and step of the profile. */
const answerDuration = new Trend('answer_duration', true);
const refusalDuration = new Trend('refusal_duration', true);
/** Requests refused with 429 or 503 and Retry-After. */
const refusals = new Counter('refusals');
/** Responses that are neither a success nor a refusal. */
const failures = new Counter('failures');

/** Exceptions of the scenarios, with which k6 alone ends a run successfully. */
const exceptions = new Counter('exceptions');

/** Returns the function of a scenario, which counts its exceptions. */
export const guarded = (scenario) => (accounts) => {
  try {
    return scenario(accounts);
  } catch (error) {
    exceptions.add(1);
    throw error;
  }
};

const thinkS = Number(__ENV.THINK ?? (acceptsRefusals ? 0 : 1));

/** Waits as a reader does between two pages: THINK seconds on average. */
export const think = () => sleep(2 * thinkS * Math.random());

/** Returns the account of this virtual user, of those of `setup`; virtual users may share one. Without accounts: that of the house bot. */
export const me = ({ users }) => users[(__VU - 1) % users.length] ?? { username: 'house' };

/** Reasons of a 503 that is a refusal. A read that fails because a service is unavailable has Retry-After too, but is a failure. */
const refusalReason = /"reason":"(overloaded|packages-preparing)"/;

/** Counts a refusal with 429 or 503 and Retry-After. Returns whether the response is one. */
export function countRefusal(response, tags) {
  const advised = (response.status === 429 || response.status === 503) && response.headers['Retry-After'] !== undefined;
  const refused = advised && (response.status === 429 || refusalReason.test(String(response.body)));
  if (refused) {
    refusals.add(1, tags);
    refusalDuration.add(response.timings.duration, tags);
  }
  return refused;
}

/**
 * Sends a request and returns its response. `route` is the path with placeholders for its parameters and becomes the tag `name`.
 * Any status other than `status`, and 304 for a known `etag`, is a failed check, except a refusal in a profile that overloads the platform.
 */
export function send(method, path, route, { kind, token, body = null, type, timeout = '30s', accept, etag, status = 200 }) {
  const headers = { accept: accept ?? 'application/json', 'accept-encoding': 'gzip' };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (type !== undefined) headers['content-type'] = type;
  if (etag !== undefined) headers['if-none-match'] = etag;
  const step = currentStep();
  const tags = { name: `${method} ${route}`, kind, step };
  const response = http.request(method, `${origin}${path}`, body, { headers, timeout, tags });
  const refused = countRefusal(response, tags);
  const expected = response.status === status || (etag !== undefined && response.status === 304);
  if (!refused && expected) answerDuration.add(response.timings.duration, tags);
  else if (!refused) failures.add(1, { ...tags, status: String(response.status) });
  if (!(refused && acceptsRefusals)) check(response, { [`${method} ${route} returns ${status}`]: () => expected }, tags);
  return response;
}

/** Sends a GET request that must return 200. */
export const read = (path, route, token) => send('GET', path, route, { kind: 'read', token });

/** Posts JSON that must be accepted. */
export const post = (path, route, token, value) =>
  send('POST', path, route, { kind: 'write', token, type: 'application/json', body: JSON.stringify(value ?? {}) });

/** Returns the parsed body, or undefined if the status is not 200. */
export const bodyOf = (response) => (response.status === 200 ? response.json() : undefined);
