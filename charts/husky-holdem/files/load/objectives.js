// The objectives of docs/slo.md as k6 thresholds.
import { acceptsRefusals, profile, steps } from './profile.js';

const objectives = {
  'answer_duration{kind:read}': ['p(99)<250'],
  'answer_duration{kind:page}': ['p(99)<250'],
  'answer_duration{kind:write}': ['p(99)<1000'],
  'answer_duration{kind:upload}': ['p(99)<5000'],
  'answer_duration{kind:sign-in}': ['p(99)<1000'],
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
  if (acceptsRefusals) limits.refusal_duration = ['p(99)<250'];
  else limits.refusals = ['count==0'];
  if (!scenarios.includes('live')) delete limits.live_first_byte;
  if (!scenarios.some((name) => ['event-day', 'test-run', 'upload-storm'].includes(name))) delete limits.verdict_duration;
  return limits;
}
