// k6 script: constant read load during `helm upgrade`. Fails on any failed request. Environment: SITE, SECONDS, RATE (requests per second),
// TOKEN (access token of an administrator).
import { check } from 'k6';
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
      maxVUs: 100,
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

export default function () {
  // Round robin over all virtual users. With a counter per virtual user all would request the same path at the same time.
  const path = paths[exec.scenario.iterationInTest % paths.length];
  // The gateway returns pages only for Accept: text/html.
  const headers = { accept: path === '/' ? 'text/html' : 'application/json', authorization: `Bearer ${__ENV.TOKEN}` };
  const response = http.get(`${__ENV.SITE}${path}`, { headers, timeout: '15s' });
  if (response.status >= 400 || response.status === 0) console.error(`${path} returned ${response.status} ${response.error || String(response.body).slice(0, 150).replaceAll('"', "'")}`);
  if (response.timings.duration > 2000) console.warn(`${path} took ${Math.round(response.timings.duration)} ms`);
  check(response, { 'status is below 400': ({ status }) => status > 0 && status < 400 });
}
