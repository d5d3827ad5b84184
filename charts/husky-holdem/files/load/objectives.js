// The objectives of docs/slo.md as k6 thresholds.
import { acceptsRefusals, profile, steps } from './profile.js';

/** Maximum milliseconds of 99 of 100 responses, by kind of request. A refusal may take as long as the response that it replaces. */
const maxMs = { read: 250, page: 250, write: 1000, 'sign-in': 1000, upload: 5000 };

/** A trend without samples has the minimum 0. */
const measured = 'min>0';

/** Returns thresholds that always hold. k6 summarizes the values of a tag only if a threshold names it. */
function createStepThresholds(names) {
  const thresholds = {};
  for (const at of steps.keys()) {
    thresholds[`http_reqs{step:${at}}`] = ['count>=0'];
    thresholds[`answer_duration{step:${at}}`] = ['p(99)>=0'];
    thresholds[`failures{step:${at}}`] = ['count>=0'];
    thresholds[`refusals{step:${at}}`] = ['count>=0'];
    thresholds[`refusal_duration{step:${at}}`] = ['p(99)>=0'];
    if (names.includes('match')) thresholds[`hands_per_second{step:${at}}`] = ['med>=0'];
  }
  return thresholds;
}

/** Returns the thresholds of a run with these scenarios. A scenario that has measured nothing misses one. */
export function createThresholds(scenarios) {
  const names = Object.keys(scenarios);
  const limits = createStepThresholds(names);
  for (const name of names) {
    limits[`http_reqs{scenario:${name}}`] = ['count>0'];
    limits[`iterations{scenario:${name}}`] = ['count>0'];
  }
  for (const metric of Object.values(scenarios).flatMap(({ measures = [] }) => measures)) limits[metric] = [measured];
  limits.exceptions = ['count==0'];
  // The profile stress exceeds capacity on purpose, so objectives do not apply.
  if (profile === 'stress') return limits;
  for (const kind of Object.values(scenarios).flatMap(({ kinds }) => kinds)) {
    // Under overload every request of a kind may be refused.
    limits[`answer_duration{kind:${kind}}`] = [...(acceptsRefusals ? [] : [measured]), `p(99)<${maxMs[kind]}`];
    if (acceptsRefusals) limits[`refusal_duration{kind:${kind}}`] = [`p(99)<${maxMs[kind]}`];
  }
  for (const route of Object.values(scenarios).flatMap(({ routes = [] }) => routes)) {
    limits[`answer_duration{name:GET ${route}}`] = [`p(99)<${maxMs.read}`];
  }
  for (const [metric, rule] of Object.entries({ live_first_byte: 'p(95)<1000', verdict_duration: 'p(95)<60000' })) {
    if (metric in limits) limits[metric].push(rule);
  }
  // No unexpected response and no failed check.
  Object.assign(limits, { failures: ['count==0'], checks: ['rate==1'] });
  if (!acceptsRefusals) limits.refusals = ['count==0'];
  // The whole mix, at the whole rate.
  if (profile === 'load' && names.includes('event-day') && !names.includes('upload-storm')) {
    Object.assign(limits, { answer_duration: ['p(99)<250'], dropped_iterations: ['count==0'] });
  }
  return limits;
}
