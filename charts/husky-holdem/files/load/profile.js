// Load over time. RATE is in requests per second; a step is [factor of RATE, seconds].
import exec from 'k6/execution';

const readNumber = (name, fallback) => {
  const value = Number(__ENV[name] || fallback);
  if (!(value > 0)) throw new Error(`${name} must be a positive number, not ${__ENV[name]}`);
  return value;
};

const profiles = {
  smoke: { rate: 10, steps: (seconds) => [[1, seconds ?? 15]] },
  load: { rate: 300, steps: (seconds) => [[1, seconds ?? 60]] },
  // Each step is held, so that its latencies belong to one rate.
  stress: { rate: 300, steps: (seconds) => [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3].map((factor) => [factor, seconds ?? 15]) },
  soak: { rate: 100, steps: (seconds) => [[1, seconds ?? 3600]] },
  spike: { rate: 100, steps: (seconds) => [[1, seconds ?? 20], [8, seconds ?? 20], [1, seconds ?? 20]] },
  // RATE: what the platform sustains.
  overload: { rate: 300, steps: (seconds) => [[1, seconds ?? 20], [5, seconds ?? 40], [1, seconds ?? 20]] },
};

export const profile = __ENV.PROFILE || 'smoke';
if (!(profile in profiles)) {
  throw new Error(`Unknown profile ${profile}. Profiles: ${Object.keys(profiles).join(', ')}`);
}

/** Requests per second at factor 1. */
export const rate = readNumber('RATE', profiles[profile].rate);
export const steps = profiles[profile].steps(__ENV.DURATION ? readNumber('DURATION', 0) : undefined);
export const durationS = steps.reduce((sum, [, seconds]) => sum + seconds, 0);

/** Whether refusals with Retry-After are correct responses, because the profile exceeds what the platform sustains. */
export const acceptsRefusals = ['overload', 'stress', 'spike'].includes(profile);

/** Returns the number of the current step as a tag; requests after the last step count as part of it. */
export function currentStep() {
  let remainingS = exec.instance.currentTestRunDuration / 1000;
  const at = steps.findIndex(([, seconds]) => {
    remainingS -= seconds;
    return remainingS < 0;
  });
  return String(at === -1 ? steps.length - 1 : at);
}

/** Returns the stages of an arrival rate (iterations per second) that follows the steps; transitions are immediate. */
export const stagesOf = (perSecond) =>
  steps.flatMap(([factor, seconds]) => [
    { target: Math.max(1, Math.round(perSecond * factor)), duration: '0s' },
    { target: Math.max(1, Math.round(perSecond * factor)), duration: `${seconds}s` },
  ]);
