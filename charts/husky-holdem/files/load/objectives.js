// Thresholds: the objectives of docs/slo.md for one run. A threshold of a tagged part also makes k6 keep that part's figures.
import { profile, sheds, steps } from './profile.js';

const objectives = {
  'answer_duration{kind:read}': ['p(99)<250'],
  'answer_duration{kind:page}': ['p(99)<250'],
  'answer_duration{kind:write}': ['p(99)<1000'],
  'answer_duration{kind:upload}': ['p(99)<5000'],
  'answer_duration{kind:sign-in}': ['p(99)<1000'],
  live_first_byte: ['p(95)<1000'],
  verdict_duration: ['p(95)<60000'],
  // No error: neither a wrong answer nor a failed check.
  failures: ['count==0'],
  checks: ['rate==1'],
};

/** Figures that are kept for each step, without a limit of their own. */
function figuresOfSteps() {
  const kept = {};
  for (const at of steps.keys()) {
    kept[`http_reqs{step:${at}}`] = ['count>=0'];
    kept[`answer_duration{step:${at}}`] = ['p(99)>=0'];
    kept[`failures{step:${at}}`] = ['count>=0'];
    kept[`refusals{step:${at}}`] = ['count>=0'];
    kept[`refusal_duration{step:${at}}`] = ['p(99)>=0'];
    kept[`hands_per_second{step:${at}}`] = ['med>=0'];
  }
  return kept;
}

export function thresholds(scenarios) {
  // A search for the knee goes beyond what holds: only its figures count.
  if (profile === 'stress') return figuresOfSteps();
  const limits = { ...figuresOfSteps(), ...objectives };
  if (sheds) limits.refusal_duration = ['p(99)<250'];
  else limits.refusals = ['count==0'];
  if (!scenarios.includes('live')) delete limits.live_first_byte;
  if (!scenarios.some((name) => ['event-day', 'test-run', 'upload-storm'].includes(name))) delete limits.verdict_duration;
  return limits;
}
