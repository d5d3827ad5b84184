// k6: runs all scenarios, or those of SCENARIOS (comma-separated), in parallel for DURATION. VUS multiplies the visitors.
export { adminPolling } from './scenarios/admin.js';
export { browse } from './scenarios/browse.js';
export { live } from './scenarios/live.js';
export { signIn } from './scenarios/sign-in.js';
export { testRun } from './scenarios/test-run.js';

const duration = __ENV.DURATION || '30s';
const times = Number(__ENV.VUS || 1);
const constant = (exec, vus) => ({ executor: 'constant-vus', exec, vus, duration, gracefulStop: '300s' });

const all = {
  browse: constant('browse', 10 * times),
  live: constant('live', 5 * times),
  'sign-in': constant('signIn', 2 * times),
  'test-run': constant('testRun', 2),
  admin: constant('adminPolling', 2),
};
const chosen = __ENV.SCENARIOS ? __ENV.SCENARIOS.split(',') : Object.keys(all);
const unknown = chosen.filter((name) => !(name in all));
if (unknown.length > 0) throw new Error(`There is no scenario ${unknown.join(', ')}: ${Object.keys(all).join(', ')}`);

export const options = {
  scenarios: Object.fromEntries(chosen.map((name) => [name, all[name]])),
  thresholds: {
    checks: ['rate==1'],
    http_req_failed: ['rate==0'],
    'http_req_duration{scenario:browse}': ['p(95)<500'],
    'http_req_duration{scenario:admin}': ['p(95)<1000'],
    'http_req_duration{name:sign in}': ['p(95)<2000'],
    live_first_byte: ['p(95)<1000'],
    test_run_duration: ['p(95)<60000'],
  },
};
