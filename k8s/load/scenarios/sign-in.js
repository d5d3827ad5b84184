// A user who signs in, requests their profile and signs out.
import { check, sleep } from 'k6';
import http from 'k6/http';
import { json, me, origin, password, read } from '../target.js';

export function signIn() {
  const body = JSON.stringify({ username: me().username, password });
  const params = json();
  const answer = http.post(`${origin}/auth/login`, body, {
    ...params,
    headers: { ...params.headers, 'content-type': 'application/json' },
    tags: { name: 'sign in' },
  });
  const signedIn = check(answer, { 'sign in answers 200': ({ status }) => status === 200 });
  if (signedIn) {
    const token = answer.json('access_token');
    read('/auth/whoami', 'whoami', token);
    http.post(`${origin}/auth/logout`, null, { ...json(token), tags: { name: 'sign out' } });
  }
  sleep(2);
}
