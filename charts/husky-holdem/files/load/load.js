// k6's script: runs the scenarios of SCENARIOS (comma-separated) with the load profile PROFILE. Thresholds: objectives of docs/slo.md.
import http from 'k6/http';
import { createThresholds } from './objectives.js';
import { acceptsRefusals, durationS, rate, stagesOf } from './profile.js';
import { parts, requestsPerIteration } from './scenarios/event-day.js';

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
// Lets open streams and test runs end.
const gracefulStop = '300s';

/** Returns a scenario that starts iterations at a rate independent of response times, as visitors do. */
const arrivalRate = (exec, perSecond, vus = maxVus) => ({
  executor: 'ramping-arrival-rate',
  exec,
  startRate: 0,
  timeUnit: '60s',
  preAllocatedVUs: Math.min(vus, 50),
  maxVUs: vus,
  stages: stagesOf(60 * perSecond),
  gracefulStop,
});
const constantVus = (exec, vus) => ({ executor: 'constant-vus', exec, vus, duration: `${durationS}s`, gracefulStop });
/** Returns a scenario that runs one part of event-day alone at RATE requests per second. */
const singlePart = (exec, name) => arrivalRate(exec, rate / parts[name].requests);

const scenarios = {
  'event-day': () => arrivalRate('eventDay', rate / requestsPerIteration),
  match: () => constantVus('match', 1),
  live: () => constantVus('live', Number(__ENV.WATCHERS || 5)),
  browse: () => singlePart('browse', 'browse'),
  admin: () => singlePart('adminPolling', 'admin'),
  'sign-in': () => singlePart('signIn', 'sign-in'),
  'test-run': () => singlePart('testRun', 'test-run'),
  // UPLOADS uploads spread evenly over a minute; each of them must get its result.
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
const defaults = ['event-day', 'match', 'live'];
const selected = __ENV.SCENARIOS ? __ENV.SCENARIOS.split(',') : defaults;
const unknown = selected.filter((name) => !(name in scenarios));
if (unknown.length > 0) throw new Error(`Unknown scenario ${unknown.join(', ')}. Scenarios: ${Object.keys(scenarios).join(', ')}`);

if (acceptsRefusals) http.setResponseCallback(http.expectedStatuses({ min: 200, max: 399 }, 429, 503));

export const options = {
  scenarios: Object.fromEntries(selected.map((name) => [name, scenarios[name]()])),
  thresholds: createThresholds(selected),
  summaryTrendStats: ['min', 'avg', 'med', 'p(95)', 'p(99)', 'max', 'count'],
  discardResponseBodies: false,
};
