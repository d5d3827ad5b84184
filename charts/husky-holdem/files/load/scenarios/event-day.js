// An event's visitors, participants and organisers, mixed by the share of requests that each makes.
import { adminPolling } from './admin.js';
import { browse } from './browse.js';
import { signIn } from './sign-in.js';
import { testRun } from './test-run.js';

/** `share`: part of all requests, in percent. `requests`: of one iteration. WEIGHTS replaces shares: browse=80,admin=20. */
export const parts = {
  browse: { run: browse, share: 93, requests: 7 },
  admin: { run: adminPolling, share: 4, requests: 3 },
  'sign-in': { run: signIn, share: 2, requests: 3 },
  'test-run': { run: testRun, share: 1, requests: 5 },
};

for (const part of (__ENV.WEIGHTS || '').split(',').filter((text) => text !== '')) {
  const [name, share] = part.split('=');
  if (!(name in parts) || !(Number(share) >= 0)) {
    throw new Error(`WEIGHTS has ${part}: write name=share with a name of ${Object.keys(parts).join(', ')}`);
  }
  parts[name].share = Number(share);
}

const iterations = Object.values(parts).map(({ run, share, requests }) => ({ run, weight: share / requests }));
const whole = iterations.reduce((sum, { weight }) => sum + weight, 0);
if (!(whole > 0)) throw new Error('WEIGHTS leaves no scenario with a share');

/** Requests of an average iteration. */
export const requestsOfEventDay = Object.values(parts).reduce((sum, { share }) => sum + share, 0) / whole;

export function eventDay() {
  let at = Math.random() * whole;
  const chosen = iterations.find(({ weight }) => {
    at -= weight;
    return at < 0;
  });
  (chosen ?? iterations[0]).run();
}
