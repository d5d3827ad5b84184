// What each scenario runs, needs and measures, and the options of a script that runs some of them.
import { createThresholds } from './objectives.js';
import { durationS, rate, stagesOf } from './profile.js';

const maxVus = Number(__ENV.VUS || 400);
const uploads = Number(__ENV.UPLOADS || 200);
// Lets open streams and test runs end.
const gracefulStop = '300s';

/**
 * The parts of event-day. `share`: percent of all requests, replaced by WEIGHTS (browse=80,admin=20). `requests`: number of requests of
 * one iteration. `kinds`: of the requests that are measured.
 */
export const parts = {
  browse: { share: 92, requests: 8, exec: 'browse', kinds: ['page', 'read'] },
  admin: { share: 4, requests: 3, exec: 'adminPolling', kinds: ['read'], admin: true },
  'sign-in': { share: 2, requests: 3, exec: 'signIn', kinds: ['sign-in', 'read', 'write'], users: 20 },
  register: { share: 1, requests: 1, exec: 'register', kinds: ['sign-in'] },
  'test-run': { share: 1, requests: 5, exec: 'testRun', kinds: ['upload', 'read'], measures: ['verdict_duration'], users: 20 },
};
for (const part of (__ENV.WEIGHTS || '').split(',').filter((text) => text !== '')) {
  const [name, share] = part.split('=');
  if (!(name in parts) || !(Number(share) >= 0)) {
    throw new Error(`WEIGHTS has ${part}: write name=share with a name of ${Object.keys(parts).join(', ')}`);
  }
  parts[name].share = Number(share);
}
const shared = Object.values(parts).filter(({ share }) => share > 0);
const iterations = shared.reduce((sum, { share, requests }) => sum + share / requests, 0);
if (!(iterations > 0)) throw new Error('WEIGHTS leaves no scenario with a share');
const requestsPerIteration = shared.reduce((sum, { share }) => sum + share, 0) / iterations;

/** Returns a scenario that starts iterations at a rate independent of response times, as visitors do. */
const arrivalRate = (perSecond) => ({
  executor: 'ramping-arrival-rate',
  startRate: 0,
  timeUnit: '60s',
  preAllocatedVUs: Math.min(maxVus, 50),
  maxVUs: maxVus,
  stages: stagesOf(60 * perSecond),
  gracefulStop,
});
/** Lists of visitors and organisers. `{page}`: a random page up to PAGES. */
export const lists = [
  '/admin/jobs?page={page}',
  '/admin/users?page={page}',
  '/admin/audit?page={page}',
  '/user/all?page={page}',
  '/live/job-ids?page={page}',
  '/live/public-job-ids/paginated?page={page}',
  '/live/public-job-ids',
  '/llm/batches',
  '/leaderboard/top/100',
  '/submission/users/with-final',
  '/sim/status/all',
];
export const routeOf = (path) => path.split('?')[0];

const constantVus = (vus) => ({ executor: 'constant-vus', vus, duration: `${durationS}s`, gracefulStop });

/**
 * `users`: number of accounts that are made, `finals`: of accounts with a final bot, `admin`: an administrator is needed. `measures`: metrics
 * without which the scenario has measured nothing, `routes`: those whose reads have objectives of their own.
 */
const scenarios = {
  ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, { ...part, load: () => arrivalRate(rate / part.requests) }])),
  'event-day': {
    exec: 'eventDay',
    load: () => arrivalRate(rate / requestsPerIteration),
    kinds: shared.flatMap(({ kinds }) => kinds),
    measures: shared.flatMap(({ measures = [] }) => measures),
    users: Math.max(0, ...shared.map(({ users = 0 }) => users)),
    admin: shared.some(({ admin }) => admin),
  },
  lists: {
    exec: 'readLists',
    load: () => arrivalRate(rate / lists.length),
    kinds: ['read'],
    routes: lists.map(routeOf),
    admin: true,
  },
  match: { exec: 'match', load: () => constantVus(1), kinds: ['write', 'read'], measures: ['hands_per_second'], users: 6, finals: 6, admin: true },
  live: { exec: 'live', load: () => constantVus(Number(__ENV.WATCHERS || 5)), kinds: ['read'], measures: ['live_first_byte'] },
  'upload-storm': {
    ...parts['test-run'],
    load: () => ({ executor: 'constant-arrival-rate', rate: uploads, timeUnit: '60s', duration: '60s', preAllocatedVUs: uploads, gracefulStop }),
    users: 100,
  },
  'batch-night': {
    exec: 'batchNight',
    load: () => ({ executor: 'shared-iterations', vus: 1, iterations: 1, maxDuration: '3h' }),
    kinds: ['write', 'read'],
    measures: ['batch_duration'],
    users: 8,
    finals: 8,
    admin: true,
  },
};

/** Returns the scenarios of SCENARIOS (comma-separated), by default the named ones. Throws for an unknown one. */
export function selectScenarios(...defaults) {
  const selected = __ENV.SCENARIOS ? __ENV.SCENARIOS.split(',') : defaults;
  const unknown = selected.filter((name) => !(name in scenarios));
  if (unknown.length > 0) throw new Error(`Unknown scenario ${unknown.join(', ')}. Scenarios: ${Object.keys(scenarios).join(', ')}`);
  return selected;
}

/** Returns what the scenarios need together: numbers of accounts, and whether an administrator. */
export function needsOf(names) {
  const most = (key) => Math.max(0, ...names.map((name) => scenarios[name][key] ?? 0));
  return { users: most('users'), finals: most('finals'), admin: names.some((name) => scenarios[name].admin) };
}

/** Returns k6's options for a script that exports the functions of these scenarios. */
export const optionsOf = (...names) => ({
  scenarios: Object.fromEntries(names.map((name) => [name, { ...scenarios[name].load(), exec: scenarios[name].exec }])),
  thresholds: createThresholds(Object.fromEntries(names.map((name) => [name, scenarios[name]]))),
  summaryTrendStats: ['min', 'avg', 'med', 'p(95)', 'p(99)', 'max', 'count'],
  setupTimeout: '15m',
});
