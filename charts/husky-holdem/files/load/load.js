// k6's script: the scenarios of SCENARIOS (comma-separated) in the shape of PROFILE, against the objectives of docs/slo.md.
import http from 'k6/http';
import { thresholds } from './objectives.js';
import { durationS, rate, sheds, stagesOf } from './profile.js';
import { parts, requestsOfEventDay } from './scenarios/event-day.js';

export { adminPolling } from './scenarios/admin.js';
export { batchNight } from './scenarios/batch-night.js';
export { browse } from './scenarios/browse.js';
export { eventDay } from './scenarios/event-day.js';
export { live } from './scenarios/live.js';
export { match } from './scenarios/match.js';
export { signIn } from './scenarios/sign-in.js';
export { testRun } from './scenarios/test-run.js';
export { handleSummary } from './summary.js';

const maxVus = Number(__ENV.VUS || 400);
// Streams and test runs that have begun may end.
const gracefulStop = '300s';

/** Starts iterations at a rate, whatever the answers take, as visitors do. */
const arriving = (exec, perSecond, vus = maxVus) => ({
  executor: 'ramping-arrival-rate',
  exec,
  startRate: 0,
  timeUnit: '60s',
  preAllocatedVUs: Math.min(vus, 50),
  maxVUs: vus,
  stages: stagesOf(60 * perSecond),
  gracefulStop,
});
const constant = (exec, vus) => ({ executor: 'constant-vus', exec, vus, duration: `${durationS}s`, gracefulStop });
const part = (exec, name) => arriving(exec, rate / parts[name].requests);

const all = {
  'event-day': () => arriving('eventDay', rate / requestsOfEventDay),
  match: () => constant('match', 1),
  live: () => constant('live', Number(__ENV.WATCHERS || 5)),
  browse: () => part('browse', 'browse'),
  admin: () => part('adminPolling', 'admin'),
  'sign-in': () => part('signIn', 'sign-in'),
  'test-run': () => part('testRun', 'test-run'),
  // UPLOADS uploads evenly within a minute, all of which must be tested in the end.
  'upload-storm': () => ({
    executor: 'constant-arrival-rate',
    exec: 'testRun',
    rate: Number(__ENV.UPLOADS || 200),
    timeUnit: '60s',
    duration: '60s',
    preAllocatedVUs: Number(__ENV.UPLOADS || 200),
    gracefulStop,
  }),
  'batch-night': () => ({ executor: 'shared-iterations', exec: 'batchNight', vus: 1, iterations: 1, maxDuration: '3h' }),
};
const usual = ['event-day', 'match', 'live'];
const chosen = __ENV.SCENARIOS ? __ENV.SCENARIOS.split(',') : usual;
const unknown = chosen.filter((name) => !(name in all));
if (unknown.length > 0) throw new Error(`There is no scenario ${unknown.join(', ')}: ${Object.keys(all).join(', ')}`);

if (sheds) http.setResponseCallback(http.expectedStatuses({ min: 200, max: 399 }, 429, 503));

export const options = {
  scenarios: Object.fromEntries(chosen.map((name) => [name, all[name]()])),
  thresholds: thresholds(chosen),
  summaryTrendStats: ['min', 'avg', 'med', 'p(95)', 'p(99)', 'max', 'count'],
  discardResponseBodies: false,
};
