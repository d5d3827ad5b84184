// The objectives of docs/slo.md as k6 thresholds.
import { acceptsRefusals, profile, steps } from './profile.js';

/** Maximum milliseconds of 99 of 100 responses, by kind of request. A refusal may take as long as the response that it replaces. */
const maxMs = { read: 250, page: 250, write: 1000, 'sign-in': 1000, upload: 5000 };

const limitEach = (metric) =>
  Object.fromEntries(Object.entries(maxMs).map(([kind, ms]) => [`${metric}{kind:${kind}}`, [`p(99)<${ms}`]]));

const objectives = {
  ...limitEach('answer_duration'),
  live_first_byte: ['p(95)<1000'],
  verdict_duration: ['p(95)<60000'],
  // No unexpected response and no failed check.
  failures: ['count==0'],
  checks: ['rate==1'],
};

/** Returns thresholds that always hold. k6 summarizes the values of a tag only if a threshold names it. */
function createStepThresholds() {
  const thresholds = {};
  for (const at of steps.keys()) {
    thresholds[`http_reqs{step:${at}}`] = ['count>=0'];
    thresholds[`answer_duration{step:${at}}`] = ['p(99)>=0'];
    thresholds[`failures{step:${at}}`] = ['count>=0'];
    thresholds[`refusals{step:${at}}`] = ['count>=0'];
    thresholds[`refusal_duration{step:${at}}`] = ['p(99)>=0'];
    thresholds[`hands_per_second{step:${at}}`] = ['med>=0'];
  }
  return thresholds;
}

/** Returns the thresholds of a run with these scenarios. */
export function createThresholds(scenarios) {
  // The profile stress exceeds capacity on purpose, so objectives do not apply.
  if (profile === 'stress') return createStepThresholds();
  const limits = { ...createStepThresholds(), ...objectives };
  if (acceptsRefusals) Object.assign(limits, limitEach('refusal_duration'));
  else limits.refusals = ['count==0'];
  // The whole mix, at the whole rate.
  if (profile === 'load' && scenarios.includes('event-day') && !scenarios.includes('upload-storm')) {
    Object.assign(limits, { answer_duration: ['p(99)<250'], dropped_iterations: ['count==0'] });
  }
  if (!scenarios.includes('live')) delete limits.live_first_byte;
  if (!scenarios.some((name) => ['event-day', 'test-run', 'upload-storm'].includes(name))) delete limits.verdict_duration;
  return limits;
}
