// k6 script: constant load during changes of the release. Reports every failed request with its time; fails on any. Environment: SITE, SECONDS,
// RATE (requests per second), TOKEN (access token of an administrator), ACCOUNTS (JSON file [{username, password, token}]; with it 3 of 20 requests
// are sign-ins and 3 are uploads, each repeated with its key, after Retry-After, until it is acknowledged).
import { check, sleep } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';

export const options = {
  scenarios: {
    readers: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.RATE || 20),
      timeUnit: '1s',
      duration: `${__ENV.SECONDS || 60}s`,
      preAllocatedVUs: 20,
      maxVUs: 200,
    },
  },
  thresholds: { http_req_failed: ['rate==0'], checks: ['rate==1'] },
};

// At least one path of every service.
const paths = [
  '/',
  '/leaderboard/top/5?tag=2025',
  '/live/public-job-ids',
  '/.well-known/jwks.json',
  '/user/search?q=demo',
  '/sim/status/all',
  '/submission/list',
  '/docker/pool/status',
  '/docker/pool/autoscaling',
];

const accounts = __ENV.ACCOUNTS ? JSON.parse(open(__ENV.ACCOUNTS)) : [];
const source = open('./bots/steady.py');

/** Checks a response. Returns whether it succeeded. */
function report(path, response) {
  const { status, error, body, headers, timings } = response;
  const hint = status === 503 && !headers['Retry-After'] ? ' without Retry-After' : '';
  const text = error || String(body).slice(0, 300).replaceAll('"', "'");
  if (status >= 400 || status === 0) console.error(`${Date.now()} ${path} returned ${status}${hint} ${text}`);
  if (timings.duration > 2000) console.warn(`${path} took ${Math.round(timings.duration)} ms`);
  return check(response, { 'status is below 400': () => status > 0 && status < 400 });
}

/** Users have addresses of their own, which the gateway believes a proxy. */
const addressOf = (account) => ({ 'x-forwarded-for': `198.51.100.${accounts.indexOf(account) + 1}` });

function upload(account, key) {
  const headers = { authorization: `Bearer ${account.token}`, 'idempotency-key': key, ...addressOf(account) };
  const form = { playerFile: http.file(`${source}# ${key}\n`, 'player.py'), requirementsFile: http.file('', 'requirements.txt') };
  for (let tries = 0; tries < 60; tries++) {
    const response = http.post(`${__ENV.SITE}/submission/upload`, form, { headers, timeout: '15s' });
    if (report('/submission/upload', response)) return console.info(`acknowledged ${key}`);
    sleep(Number(response.headers['Retry-After']) || 0.5);
  }
}

export default function () {
  // Round robin over all virtual users. With a counter per virtual user all would request the same path at the same time.
  const turn = exec.scenario.iterationInTest;
  const account = accounts[turn % (accounts.length || 1)];
  if (account !== undefined && turn % 20 < 3) return upload(account, `turn-${turn}`);
  if (account !== undefined && turn % 20 < 6) {
    const body = JSON.stringify({ username: account.username, password: account.password });
    const headers = { 'content-type': 'application/json', ...addressOf(account) };
    return report('/auth/login', http.post(`${__ENV.SITE}/auth/login`, body, { headers, timeout: '15s' }));
  }
  const path = paths[turn % paths.length];
  // The gateway returns pages only for Accept: text/html.
  const headers = { accept: path === '/' ? 'text/html' : 'application/json', authorization: `Bearer ${__ENV.TOKEN}` };
  report(path, http.get(`${__ENV.SITE}${path}`, { headers, timeout: '15s' }));
}
